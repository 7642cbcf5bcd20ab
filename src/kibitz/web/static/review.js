// A deal looked at again: one row a decision, two columns that are never merged, try again, where the cards could lie.
import { card, rich } from "./cards.js";
import { h } from "./dom.js";
import { called } from "./felt.js";
import { t } from "./words.js";

export function reviewPanel(state, message, { send, draw }) {
  const { review } = state;
  if (review.type === "reviewing") {
    return h("section", { class: "panel review" }, h("h2", {}, t("review")), h("progress", { value: review.done, max: review.of || 1, "aria-label": t("review") }), h("p", {}, `${review.done} / ${review.of}`));
  }
  const counts = {};
  for (const row of review.rows) counts[row.verdict] = (counts[row.verdict] || 0) + 1;
  const rows = [...review.rows].sort((a, b) => b.size - a.size || b.true_cost - a.true_cost || a.n - b.n);
  return h("section", { class: "panel review" }, h("h2", {}, t("review"), h("span", { class: "soft" }, ` ${review.bot}`)),
    h("p", { class: "verdicts" }, ["error", "bad luck", "lucky", "fine"].filter((x) => counts[x]).map((x) => h("span", { class: `verdict ${x.replace(" ", "-")}` }, `${counts[x]} ${t(x)}`))),
    review.failed.map((text) => h("p", { class: "bad" }, text)),
    review.rows.length ? null : h("p", { class: "soft" }, "–"),
    rows.map((row) => decision(row, state, message, { send, draw })));
}

function decision(row, state, message, { send, draw }) {
  const tried = (state.tried ||= {});
  const now = tried[row.n];
  if (now === "asking") return trial(row, state, message, draw);
  const open = state.open === row.n;
  return h("article", { class: `decision ${row.verdict.replace(" ", "-")}` },
    h("button", { class: "summary", "aria-expanded": String(open), "data-key": `row-${row.n}`, onclick: () => { state.open = open ? null : row.n; draw(); } },
      h("span", { class: "nr" }, row.n + 1), h("span", {}, rich(row.text, message.tongue)),
      row.prefers === row.played ? null : h("span", { class: "soft" }, "→ ", rich(row.prefers_text, message.tongue)),
      h("span", { class: `verdict ${row.verdict.replace(" ", "-")}` }, t(row.verdict)),
      h("span", { class: "number" }, row.cost > 0.005 ? `−${row.cost.toFixed(1)}` : "")),
    now && now !== "asking" ? h("p", { class: now === row.prefers ? "good" : "soft" }, `${t("try again")}: `, rich(now, message.tongue), now === row.prefers ? " ✓" : "") : null,
    open ? details(row, state, message, { send, draw }) : null);
}

function details(row, state, message, { send, draw }) {
  const belief = state.beliefs[row.n];
  return h("div", { class: "details" },
    h("div", { class: "scroll", tabindex: 0 }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { rowspan: 2 }), h("th", { colspan: 3, scope: "colgroup", class: "known" }, t("known then")), h("th", { scope: "colgroup", class: "true" }, t("true deal"))),
        h("tr", {}, h("th", { class: "known" }, t("value")), h("th", { class: "known" }, t("wins")), h("th", { class: "known" }, t("best in")), h("th", { class: "true" }, t("value")))),
      h("tbody", {}, row.rows.map((one) => h("tr", { class: `${one.word === row.played ? "played" : ""} ${one.word === row.prefers ? "best" : ""}` },
        h("th", { scope: "row" }, rich(one.text, message.tongue), one.word === row.played ? h("span", { class: "soft" }, ` ${t("played")}`) : null),
        h("td", { class: "number known" }, one.known.toFixed(1)), h("td", { class: "number known" }, one.wins === null ? "–" : `${Math.round(100 * one.wins)} %`),
        h("td", { class: "number known" }, `${Math.round(100 * one.best)} %`), h("td", { class: "number true" }, one.true.toFixed(1))))))),
    h("p", { class: "soft" }, `${t("worlds", null, row.worlds, t(row.how))}; ± ${row.noise.toFixed(1)}`),
    h("p", { class: "votes" }, t("votes"), ": ", row.votes.map((vote) => h("span", { class: "vote" }, `${vote.bot} `, h("b", {}, rich(vote.text, message.tongue))))),
    h("div", { class: "calls" },
      h("button", { "data-key": `try-${row.n}`, onclick: () => { state.tried[row.n] = "asking"; draw(); } }, t("try again")),
      h("button", { "data-key": `belief-${row.n}`, onclick: () => send({ do: "belief", n: row.n }) }, t("belief"))),
    belief ? beliefs(belief, message) : null);
}

// The decision once more, before the answer is shown.
function trial(row, state, message, draw) {
  const words = [...row.rows].sort((a, b) => (a.word < b.word ? -1 : 1));
  return h("article", { class: "decision trial" }, h("p", {}, h("b", {}, `${row.n + 1}. `), t("try again"), "?"),
    h("div", { class: "calls" }, words.map((one) => h("button", { class: "call", "data-key": `answer-${row.n}-${one.word}`, onclick: () => { state.tried[row.n] = one.word; state.open = row.n; draw(); } }, rich(one.text, message.tongue)))));
}

function beliefs(belief, message) {
  const seats = message.scene.seats.map((_, k) => k).filter((k) => k !== message.scene.seat);
  const names = called(message.scene.seats.map((_, k) => message.players[message.seats.indexOf(k)] || {}), message.scene.seats);
  const left = (row) => Math.max(0, row.copies - row.chances.reduce((a, b) => a + b, 0));
  const elsewhere = belief.rows.some((row) => left(row) > 0.005);
  return h("div", { class: "scroll belief", tabindex: 0, "aria-label": t("belief") }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}), seats.map((k) => h("th", { scope: "col" }, names[k].shown)), elsewhere ? h("th", { scope: "col" }, t("elsewhere")) : null)),
    h("tbody", {}, belief.rows.map((row) => {
      return h("tr", {}, h("th", { scope: "row" }, card(row.card, { class: "tiny" })),
        [...seats.map((k) => row.chances[k]), ...(elsewhere ? [left(row)] : [])].map((x) => h("td", { class: "number", vars: { "--share": String(Math.min(1, x / row.copies)) } }, h("span", {}, row.copies > 1 ? x.toFixed(1) : `${Math.round(100 * x)} %`))));
    }))), h("p", { class: "soft" }, t("worlds", null, belief.worlds, t(belief.how))));
}
