// The felt: seats around it, the trick in the middle, what lies beside, one's own hand. Drawn from a scene.
import { card, closed, face, rich, spoken } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const MOST_IN_A_ROW = 14;
const FAN = 13;

// Where a seat is, seen from the one at the bottom: a direction from the middle, x to the right and y down, within 1.
export function direction(seat, mine, count) {
  const steps = (seat - mine + count) % count;
  if (steps === 0) return [0, 1];
  const angle = Math.PI * (1 - (steps - 0.5) / (count - 1));
  return [Math.cos(angle), -Math.sin(angle)];
}

export function felt(view) {
  const { scene, mine, names } = view;
  const count = scene.seats.length;
  const others = scene.seats.map((_, k) => k).filter((k) => k !== mine || !view.hand);
  return h("section", { class: `felt seats-${count}`, "aria-label": view.title },
    h("div", { class: "arena" },
      others.map((k) => place(view, k, direction(k, mine, count))),
      h("div", { class: "middle" }, beside(scene, names), trick(view, count)),
      scene.contract || scene.lines.length ? h("div", { class: "contract" },
        scene.contract ? h("b", {}, rich(scene.contract, view.tongue)) : null, scene.lines.map((line) => h("span", {}, rich(line, view.tongue)))) : null),
    view.below,
    view.hand ? h("div", { class: "mine" }, plate(view, mine, true), hand(view)) : null);
}

function place(view, k, [x, y]) {
  const seat = view.scene.seats[k];
  const cards = view.dealt?.[k] || seat.cards;
  const open = cards.length > 0;
  const shown = open ? cards : Array.from({ length: Math.min(seat.count, FAN) });
  const fan = h("div", { class: open ? "fan open" : "fan", "aria-label": open ? null : `${seat.count} cards`, role: open ? "group" : "img" },
    shown.map((name) => (open ? card(name, { class: "tiny" }) : closed({ class: "tiny" }))),
    !open && seat.count > FAN ? h("span", { class: "count" }, seat.count) : null);
  return h("div", { class: `place ${y > 0.5 ? "bottom" : ""} ${x < -0.2 ? "left" : x > 0.2 ? "right" : "top"}`, vars: { "--x": x.toFixed(3), "--y": y.toFixed(3) } },
    plate(view, k, false), fan, view.said?.[k] ? h("div", { class: "said" }, rich(view.said[k], view.tongue)) : null);
}

function plate(view, k, own) {
  const { scene, names } = view;
  const seat = scene.seats[k], who = names[k] || {};
  const turn = scene.turn === k;
  const facts = [];
  if (view.tricks?.some((x) => x)) facts.push([view.tricks[k], "tricks"]);
  if (seat.points) facts.push([seat.points, "points"]);
  return h("div", { class: `plate side-${seat.side % 4} ${turn ? "turn" : ""} ${own ? "own" : ""} ${scene.declarer === k ? "declarer" : ""}` },
    h("span", { class: "who" }, h("span", { class: `dot ${who.kind || ""} ${who.kind === "person" && !who.here && !own ? "gone" : ""}`, title: who.kind === "person" && !who.here && !own ? t("gone") : t(who.kind || "bot") }),
    h("b", { class: "name" }, who.name || seat.label)), who.name && who.name !== seat.label ? h("span", { class: "label" }, seat.label) : null,
    seat.marks.map((mark) => h("span", { class: "mark", title: mark }, mark)),
    scene.declarer === k ? h("span", { class: "mark strong", title: t("contract") }, "★") : null,
    facts.length ? h("span", { class: "facts" }, facts.map(([x, what]) => h("span", { class: "fact", title: t(what) }, h("b", {}, x), h("i", {}, ` ${t(what)}`)))) : null,
    seat.chips !== null ? chips(seat.chips) : null,
    turn && view.thinking ? h("span", { class: "dots", "aria-label": t("thinking", null, who.name || seat.label) }, h("i"), h("i"), h("i")) : null);
}

function chips(count) {
  return h("span", { class: "chips", role: "img", "aria-label": `${count} ${t("chips")}` }, Array.from({ length: Math.min(count, 10) }, () => h("i")), h("b", {}, count));
}

function trick(view, count) {
  const { scene, mine } = view;
  const laid = view.held || scene.trick;
  return h("div", { class: `trick ${view.held ? "held" : ""}`, "aria-label": t("tricks"), role: "group" },
    laid.map(([seat, name], order) => {
      const [x, y] = direction(seat, mine, count);
      const fresh = view.fresh?.has(name) ? "fresh" : "";
      return card(name, { class: `laid ${fresh} ${view.held ? "taken" : ""}`, vars: {
        "--x": x.toFixed(3), "--y": y.toFixed(3), "--tilt": `${((order * 37 + seat * 53) % 13) - 6}deg`,
        "--tx": view.taker ? view.taker[0].toFixed(3) : "0", "--ty": view.taker ? view.taker[1].toFixed(3) : "0" } });
    }));
}

function beside(scene, names) {
  return h("div", { class: "beside" }, scene.piles.filter((pile) => pile.count || pile.claim).map((pile) => {
    const hidden = Math.max(0, pile.count - pile.cards.length);
    const claimant = pile.claim ? names[pile.by]?.name || scene.seats[pile.by]?.label : "";
    return h("div", { class: "pile" },
      h("div", { class: "heap" }, pile.cards.map((name) => card(name, { class: pile.cards.length > 3 ? "tiny" : "small" })),
        Array.from({ length: Math.min(hidden, pile.cards.length ? 3 : 5) }, (_, k) => closed({ class: "small", vars: { "--k": String(k) } })),
        hidden > 1 ? h("span", { class: "count" }, pile.count) : null),
      h("span", { class: "title" }, t(pile.name, pile.name)),
      pile.claim ? h("span", { class: "claim" }, `${claimant}: ${pile.claim}`) : null,
      pile.own?.length ? h("span", { class: "soft" }, `${t("you")}: ${pile.own.join(" ")}`) : null);
  }));
}

function hand(view) {
  const cards = view.dealt?.[view.mine] || view.scene.seats[view.mine].cards;
  const rows = cards.length > MOST_IN_A_ROW ? [cards.slice(0, Math.ceil(cards.length / 2)), cards.slice(Math.ceil(cards.length / 2))] : [cards];
  let k = 0;
  return h("div", { class: "hands", onkeydown: wander },
    rows.map((row) => h("div", { class: "hand", role: "group", vars: { "--n": String(row.length) } }, row.map((name) => own(view, name, k++)))));
}

function own(view, name, k) {
  const lit = view.lit?.(name, k), chosen = view.chosen?.has(k);
  const state = chosen ? t("chosen") : view.lit ? (lit ? t("may play") : t("may not play")) : "";
  return h("span", { class: "slot" }, h("button", {
    class: `card own ${lit ? "lit" : view.lit ? "unlit" : ""} ${chosen ? "chosen" : ""} ${view.advice === name ? "advised" : ""}`,
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
