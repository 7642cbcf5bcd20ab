// Records: a list of games, and one of them move by move, as a seat saw it or with all cards open.
import { ask, save } from "./api.js";
import { rich } from "./cards.js";
import { h, show, toast } from "./dom.js";
import { called, felt, onWidth } from "./felt.js";
import { head } from "./menu.js";
import { lang } from "./settings.js";
import { signed } from "./table.js";
import { t, title } from "./words.js";

export async function records(page, id) {
  const state = { games: [], k: 0, ply: 0, seat: "", frame: null };
  const again = () => load();
  try {
    state.games = await ask(`/api/records/${id}`);
  } catch (problem) {
    return show(page, head(t("open a record"), again), h("p", { class: "plain" }, problem.message));
  }
  let asked = 0;

  async function load() {
    const mine = ++asked;
    try {
      const frame = await ask(`/api/records/${id}/${state.k}/${state.ply}?seat=${state.seat}&lang=${lang()}`);
      if (mine !== asked) return;
      state.frame = frame;
      draw();
    } catch (problem) {
      toast(problem.message, "bad");
    }
  }

  function go(ply) {
    state.ply = Math.max(0, Math.min(state.games[state.k].moves, ply));
    load();
  }

  function draw() {
    const { frame } = state;
    const { scene } = frame;
    const mine = state.seat === "" ? 0 : Number(state.seat);
    const players = frame.players.map((name) => ({ name: name.replace(/^person:/, ""), kind: name.startsWith("person") ? "person" : "bot", here: true }));
    const names = called(players, scene.seats);
    const who = (seat) => (seat < 0 ? "" : names[seat].shown);
    const view = { scene, mine, names, title: frame.title, tongue: frame.tongue, hand: state.seat !== "", fresh: new Set(), below: bar(frame) };
    show(page, head(title(frame.game), again, h("button", { class: "quiet", onclick: download }, t("download"))),
      h("main", { class: "table-page" }, felt(view),
        h("aside", { class: "side" },
          h("section", { class: "panel" },
            h("label", {}, t("games"), h("select", { "data-key": "game", onchange: (e) => { state.k = Number(e.target.value); state.seat = ""; go(0); } },
              state.games.map((game, k) => h("option", { value: k, selected: k === state.k }, `${k + 1}. ${game.game}: ${game.seats.join(", ")}`.slice(0, 80))))),
            h("label", {}, t("look"), h("select", { "data-key": "seat", onchange: (e) => { state.seat = e.target.value; load(); } },
              h("option", { value: "", selected: state.seat === "" }, t("all cards")),
              frame.players.map((_, k) => h("option", { value: k, selected: state.seat === String(k) }, t("view of", null, who(k) === scene.seats[k].label ? who(k) : `${scene.seats[k].label} (${names[k].name || who(k)})`)))))),
          frame.end ? h("section", { class: "panel" }, h("h2", {}, t("score")), frame.end.lines.map((line) => h("p", {}, rich(line, frame.tongue))),
            h("p", {}, frame.end.returns.map((x, k) => h("span", { class: "vote" }, `${who(k)} `, h("b", {}, signed(x)))))) : null,
          h("section", { class: "panel" }, h("h2", {}, t("auction and play")), h("ol", { class: "log", tabindex: 0, "aria-label": t("auction and play") },
            [...frame.log].reverse().map((entry) => entry.text ? h("li", {}, h("span", { class: "who" }, who(entry.seat)), h("span", {}, rich(entry.text, frame.tongue))) : null))))));
  }

  function bar(frame) {
    const button = (label, name, ply, key) => h("button", { "aria-label": name, "data-key": key, onclick: () => go(ply) }, label);
    return h("div", { class: "below" }, h("div", { class: "calls replay" }, button("⏮", t("first"), 0, "first"), button("◀", t("back"), state.ply - 1, "prev"),
      h("label", { class: "ply" }, h("span", {}, t("ply", null, frame.ply, frame.of)), h("input", { type: "range", min: 0, max: frame.of, value: frame.ply, "data-key": "ply", onchange: (e) => go(Number(e.target.value)) })),
      button("▶", t("forward"), state.ply + 1, "forward"), button("⏭", t("last"), frame.of, "last")));
  }

  async function download() {
    save(`${state.games[state.k].game}-${state.k}.jsonl`, await ask(`/api/records/${id}/${state.k}`, { text: true }));
  }

  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select")) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: -4, ArrowDown: 4 }[event.key];
    if (step) go(state.ply + step);
    if (event.key === "Home") go(0);
    if (event.key === "End") go(state.games[state.k].moves);
  });
  onWidth(() => state.frame && draw());
  load();
}
