// The felt: seats around it, the trick in the middle, what lies beside, one's own hand. Drawn from a scene.
import { card, closed, face, rich, spoken } from "./cards.js";
import { h } from "./dom.js";
import { capital, t } from "./words.js";

const NARROW = matchMedia("(max-width: 860px)");
const mostInARow = () => (NARROW.matches ? 8 : 14);
const FAN = 13;
const MOST_CHIPS = 10;
const RING = {  // where the others sit, by how many they are: left round to right, x to the right and y down, within 1
  1: [[0, -1]],
  2: [[-1, -0.2], [1, -0.2]],
  3: [[-1, 0], [0, -1], [1, 0]],
  4: [[-1, 0], [-0.42, -1], [0.42, -1], [1, 0]],
  5: [[-1, 0.2], [-0.8, -1], [0, -1], [0.8, -1], [1, 0.2]],
  6: [[-1, 0.7], [-1, -0.2], [-0.5, -1], [0.5, -1], [1, -0.2], [1, 0.7]],
  7: [[-1, 0.75], [-1, -0.1], [-0.8, -1], [0, -1], [0.8, -1], [1, -0.1], [1, 0.75]],
};

// Where a seat is, seen from the one at the bottom; more than eight stand in an arc.
export function direction(seat, mine, count) {
  const steps = (seat - mine + count) % count;
  if (steps === 0) return [0, 1];
  const known = RING[count - 1]?.[steps - 1];
  if (known) return known;
  const angle = Math.PI * (1 - (steps - 1) / (count - 2));
  return [Math.cos(angle), -Math.sin(angle)];
}

// Whoever shows a felt draws it again when the page becomes narrow or wide.
export const onWidth = (draw) => NARROW.addEventListener("change", draw);

// What players are called: by name, or where several have the same one by seat.
export function called(players, seats) {
  return players.map((player, k) => {
    const label = capital(seats[k].label);
    const shared = players.some((other, j) => j !== k && other.name === player.name);
    return { ...player, shown: player.name && !shared ? player.name : label, other: player.name && shared ? player.name : label };
  });
}

export function felt(view) {
  const { scene, mine, names } = view;
  const count = scene.seats.length;
  const others = scene.seats.map((_, k) => k).filter((k) => k !== mine || !view.hand);
  const isCrowded = count > 4;
  const isOver = scene.turn < 0 && !view.held;
  const isCentral = isCrowded || isOver || !(scene.trick.length || scene.last_trick.length);
  const contract = scene.contract || scene.lines.length ? h("div", { class: "contract" },
    scene.contract ? h("b", {}, rich(scene.contract, view.tongue)) : null, scene.lines.map((line) => h("span", {}, rich(line, view.tongue)))) : null;
  return h("section", { class: `felt seats-${count} ${isCrowded ? "crowded" : ""}`, "aria-label": view.title },
    h("div", { class: "arena" },
      others.map((k) => place(view, k, direction(k, mine, count))),
      h("div", { class: "middle" }, isCentral ? [beside(scene, names, "central"), pot(scene), isCrowded && !isOver ? contract : null] : null),
      trick(view, count), isCentral ? null : beside(scene, names, "cornered"), isCrowded || isOver ? null : contract),
    view.below,
    view.hand ? h("div", { class: "mine" }, plate(view, mine, true), hand(view)) : null);
}

function place(view, k, [x, y]) {
  const seat = view.scene.seats[k];
  const cards = view.dealt?.[k] || seat.cards;
  const open = cards.length > 0;
  const shown = open ? cards : Array.from({ length: Math.min(seat.count, FAN) });
  const fan = h("div", { class: open ? "fan open" : "fan", "aria-label": open ? null : t("card count", null, seat.count), role: open ? "group" : "img" },
    shown.map((name) => (open ? card(name, { class: "tiny" }) : closed({ class: "tiny" }))),
    !open && seat.count > FAN ? h("span", { class: "count" }, seat.count) : null);
  return h("div", { class: "place", vars: { "--x": x.toFixed(3), "--y": y.toFixed(3) } },
    plate(view, k, false), fan, view.said?.[k] ? h("div", { class: "said" }, rich(view.said[k], view.tongue)) : null);
}

function plate(view, k, own) {
  const { scene, names } = view;
  const seat = scene.seats[k], who = names[k];
  const turn = scene.turn === k;
  const gone = who.kind === "person" && !who.here && !own;
  const facts = [];
  if (view.scene.tricks.some((x) => x)) facts.push(["tricks", view.scene.tricks[k]]);
  if (seat.points) facts.push(["points", seat.points]);
  return h("div", { class: `plate ${turn ? "turn" : ""} ${own ? "own" : ""} ${scene.declarer === k ? "declarer" : ""}` },
    h("div", { class: "line" },
      h("span", { class: "who" }, h("span", { class: `dot ${who.kind || ""} ${gone ? "gone" : ""}`, role: "img", "aria-label": t(gone ? "gone" : who.kind || "bot"), title: t(gone ? "gone" : who.kind || "bot") }),
        h("b", { class: "name" }, who.shown)), who.other !== who.shown ? h("span", { class: "label" }, who.other) : null,
      seat.marks.map((mark) => h("span", { class: "mark", title: t(mark) }, t(mark))),
      scene.declarer === k ? h("span", { class: "mark strong", title: t("contract") }, "★") : null,
      turn && view.thinking ? h("span", { class: "dots", role: "img", "aria-label": t("thinking", null, who.shown) }, h("i"), h("i"), h("i")) : null),
    facts.length ? h("div", { class: "facts" }, facts.map(([what, x]) => h("span", { class: "fact", title: t(what) }, h("i", {}, t(what)), " ", h("b", {}, x)))) : null,
    seat.chips !== null ? chips(seat.chips, "chips") : null);
}

function chips(count, what) {
  return h("span", { class: `chips ${what}`, role: "img", "aria-label": `${count} ${t(what)}` }, Array.from({ length: Math.min(count, MOST_CHIPS) }, () => h("i")), h("b", {}, count));
}

function pot(scene) {
  const all = scene.seats.reduce((sum, seat) => sum + (seat.chips || 0), 0);
  return all ? h("div", { class: "pile" }, chips(all, "pot"), h("span", { class: "title" }, t("pot"))) : null;
}

function trick(view, count) {
  const { scene, mine } = view;
  const laid = view.held || scene.trick;
  return h("div", { class: `trick ${view.held ? "held" : ""}`, "aria-label": t("tricks"), role: "group" },
    laid.map(([seat, name], order) => {
      const [x, y] = direction(seat, mine, count);
      const fresh = view.fresh?.has(name) ? "fresh" : "";
      const winning = !view.held && laid.length > 1 && scene.winning === seat ? "winning" : "";
      return card(name, { class: `laid ${fresh} ${winning} ${view.held ? "taken" : ""}`, vars: {
        "--x": x.toFixed(3), "--y": y.toFixed(3), "--tilt": `${((order * 37 + seat * 53) % 11) - 5}deg`,
        "--tx": view.taker ? view.taker[0].toFixed(3) : "0", "--ty": view.taker ? view.taker[1].toFixed(3) : "0" } });
    }));
}

function beside(scene, names, where) {
  return h("div", { class: `beside ${where}` }, scene.piles.filter((pile) => pile.count || pile.claim).map((pile) => {
    const hidden = Math.max(0, pile.count - pile.cards.length);
    return h("div", { class: "pile" },
      h("div", { class: "heap" }, pile.cards.map((name) => card(name, { class: pile.cards.length > 3 ? "tiny" : "small" })),
        Array.from({ length: Math.min(hidden, pile.cards.length ? 3 : 5) }, (_, k) => closed({ class: "small", vars: { "--k": String(k) } })),
        hidden > 1 ? h("span", { class: "count" }, pile.count) : null),
      h("span", { class: "title" }, t(pile.name)),
      pile.claim ? h("span", { class: "claim" }, `${names[pile.by].shown}: ${pile.claim}`) : null,
      pile.own?.length ? h("span", { class: "soft" }, `${t("you")}: ${pile.own.join(" ")}`) : null);
  }));
}

function hand(view) {
  const cards = view.dealt?.[view.mine] || view.scene.seats[view.mine].cards;
  const count = Math.max(1, Math.ceil(cards.length / mostInARow()));
  const size = Math.ceil(cards.length / count);
  const rows = Array.from({ length: count }, (_, row) => cards.slice(row * size, (row + 1) * size));
  let k = 0;
  return h("div", { class: "hands", onkeydown: wander },
    rows.map((row) => h("div", { class: "hand", role: "group", vars: { "--n": String(row.length) } }, row.map((name) => own(view, name, k++)))));
}

function own(view, name, k) {
  const lit = view.lit?.(name, k), chosen = view.chosen?.has(k);
  const state = chosen ? t("chosen") : view.lit ? (lit ? t("may play") : t("may not play")) : "";
  return h("span", { class: "slot" }, h("button", {
    class: `card own ${lit ? "lit" : view.lit ? "unlit" : ""} ${chosen ? "chosen" : ""} ${view.advice?.includes(name) ? "advised" : ""}`,
    "data-key": `card-${k}`, "data-card": name, "aria-label": state ? `${spoken(name)}, ${state}` : spoken(name), "aria-pressed": view.chosen ? String(!!chosen) : null,
    "aria-disabled": view.lit && !lit ? "true" : null, onclick: () => view.clicked?.(name, k) }, face(name)));
}

// Arrows go along the hand.
function wander(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll("button.card")];
  const next = all[all.indexOf(document.activeElement) + step];
  if (next) {
    next.focus();
    event.preventDefault();
  }
}
