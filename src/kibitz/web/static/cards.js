// Cards, drawn from their names alone: rank, then a small letter for the suit (Th, 21t, K). One look for all games.
import { h, s } from "./dom.js";
import { lang } from "./settings.js";
import { t } from "./words.js";

const PIPS = {
  h: "M50 88C20 62 10 48 10 33 10 19 20 11 31 11c8 0 15 4 19 12 4-8 11-12 19-12 11 0 21 8 21 22 0 15-10 29-40 55z",
  d: "M50 6 84 50 50 94 16 50z",
  s: "M50 8c24 26 38 36 38 54 0 12-9 20-19 20-7 0-12-3-15-8 1 9 4 14 10 18H36c6-4 9-9 10-18-3 5-8 8-15 8-10 0-19-8-19-20C12 44 26 34 50 8z",
  c: "M50 8a19 19 0 0 1 15 31c3-2 6-3 9-3a20 20 0 1 1-19 27c1 13 4 22 11 29H34c7-7 10-16 11-29a20 20 0 1 1-19-27c3 0 6 1 9 3A19 19 0 0 1 50 8z",
  t: "M50 4l12 30 32 2-25 20 9 32-28-18-28 18 9-32L6 36l32-2z",
};
const RANKS = {
  en: { T: "10" },
  de: { T: "10", J: "B", Q: "D" },
  fr: { T: "10", J: "V", Q: "D", K: "R" },
};
const COURTS = "JQKNRG";
const HATS = {  // what a court wears, around 0 0
  K: "M-15 8V-6l7 6 8-11 8 11 7-6V8z",
  Q: "M-14 8c0-8 3-12 3-12l6 6 5-9 5 9 6-6s3 4 3 12z",
  J: "M-14 8c2-13 9-16 16-15 6 1 10 6 12 15zM8-8l9-6-4 10z",
  N: "M-10 9c-2-14 4-18 12-18l2-4 2 5c5 2 7 6 8 11l-7-2c-4 0-6 2-5 8z",
};
HATS.R = HATS.N;
const ROWS = {  // where the pips of a number card stand: [column, height]
  2: [[1, 0], [1, 6]], 3: [[1, 0], [1, 3], [1, 6]], 4: [[0, 0], [2, 0], [0, 6], [2, 6]],
  5: [[0, 0], [2, 0], [1, 3], [0, 6], [2, 6]], 6: [[0, 0], [2, 0], [0, 3], [2, 3], [0, 6], [2, 6]],
  7: [[0, 0], [2, 0], [1, 1.5], [0, 3], [2, 3], [0, 6], [2, 6]],
  8: [[0, 0], [2, 0], [1, 1.5], [0, 3], [2, 3], [1, 4.5], [0, 6], [2, 6]],
  9: [[0, 0], [2, 0], [0, 2], [2, 2], [1, 3], [0, 4], [2, 4], [0, 6], [2, 6]],
  10: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2], [0, 4], [2, 4], [1, 5], [0, 6], [2, 6]],
};

export function parts(name) {
  const suited = name.length > 1 && /[a-z]/.test(name.at(-1));
  return { rank: suited ? name.slice(0, -1) : name, suit: suited ? name.at(-1) : "" };
}

export function shownRank(rank) {
  return RANKS[lang()][rank] || (rank === "T" ? "10" : rank);
}

export function spoken(name) {
  const { rank, suit } = parts(name);
  const said = t(`rank ${rank}`, shownRank(rank));
  return suit ? t("of", "{0} of {1}", said, t(`suit ${suit}`, suit)) : said;
}

function pip(suit, x, y, size, turned = false) {
  const turn = turned ? ` rotate(180 50 50)` : "";
  return s("path", { d: PIPS[suit] || PIPS.d, class: "pip", transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})${turn}` });
}

function corner(rank, suit, turned) {
  const wide = rank.length > 1;
  return s("g", { transform: turned ? "rotate(180 50 70)" : null },
    s("text", { x: 13, y: 24, class: wide ? "index wide" : "index" }, rank),
    suit ? pip(suit, 13, 36, 13) : null);
}

function middle(rank, suit, face) {
  if (suit === "t") {
    return [s("rect", { x: 26, y: 24, width: 48, height: 92, rx: 8, class: "frame" }),
      s("text", { x: 50, y: 84, class: "numeral" }, face),
      pip("t", 50, 38, 12), pip("t", 50, 102, 12, true)];
  }
  if (!suit) return [s("circle", { cx: 50, cy: 70, r: 31, class: "frame" }), s("text", { x: 50, y: 86, class: "court" }, face)];
  if (COURTS.includes(rank)) {
    const half = (turned) => s("g", { transform: turned ? "rotate(180 50 70)" : null },
      s("path", { d: HATS[rank] || "", class: "hat", transform: "translate(54 38)" }), pip(suit, 34, 39, 13));
    return [s("rect", { x: 24, y: 20, width: 52, height: 100, rx: 7, class: "frame" }),
      s("path", { d: "M24 92 76 48", class: "sash" }), half(false), half(true), s("text", { x: 50, y: 84.5, class: "court" }, face)];
  }
  const places = ROWS[shownNumber(rank)];
  if (!places) return [pip(suit, 50, 70, 46)];
  return places.map(([column, row]) => pip(suit, 35 + 15 * column, 27 + 14.3 * row, 16, row > 3));
}

function shownNumber(rank) {
  return rank === "T" ? 10 : Number(rank);
}

export function face(name) {
  const { rank, suit } = parts(name);
  const shown = shownRank(rank);
  return s("svg", { viewBox: "0 0 100 140", class: `face suit-${suit || "none"}`, "aria-hidden": "true", focusable: "false" },
    s("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper" }),
    middle(rank, suit, shown), corner(shown, suit, false), corner(shown, suit, true));
}

export function back() {
  const lines = [];
  for (let k = -6; k < 14; k++) {
    lines.push(s("path", { d: `M${k * 10} 0 l60 140 M${k * 10 + 60} 0 l-60 140`, class: "weave" }));
  }
  return s("svg", { viewBox: "0 0 100 140", class: "face", "aria-hidden": "true", focusable: "false" },
    s("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper" }),
    s("svg", { x: 8, y: 8, width: 84, height: 124, viewBox: "0 0 84 124" },
      s("rect", { width: 84, height: 124, rx: 6, class: "backing" }), lines),
    pip("d", 50, 70, 26));
}

export const card = (name, given = {}) =>
  h("div", { ...given, class: `card ${given.class || ""}`, role: "img", "aria-label": spoken(name) }, face(name));
export const closed = (given = {}) => h("div", { ...given, class: `card ${given.class || ""}`, "aria-hidden": "true" }, back());

// Words of calls with suits as signs: 80h -> 80 ♥.
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣", n: "SA", t: "TA" };
export function callParts(word) {
  const found = /^(\d+|[a-zé]+-)([shdcnt])$/.exec(word || "");
  return found ? { level: found[1].replace(/-$/, ""), suit: found[2], sign: SIGNS[found[2]] } : null;
}

export function sign(suit) {
  return h("span", { class: `sign suit-${suit}` }, SIGNS[suit] || suit);
}

// A text of the log with its cards and bids as signs; a game that speaks French has letters of its own for suits.
const FRENCH = { p: "s", c: "h", k: "d", t: "c" };
export function rich(text, tongue = "en") {
  const shape = tongue === "fr" ? /^(10|\d{1,3}|[VDRA])([pckt])$/ : /^(10|\d{1,3}|[TJQKANRG])([shdct])$/;
  return String(text).split(/(\s+)/).map((word) => {
    const bare = word.replace(/[,.;:*]+$/, "");
    const found = shape.exec(bare);
    if (!found) return word;
    const suit = tongue === "fr" ? FRENCH[found[2]] : found[2], tail = word.slice(bare.length);
    if (suit === "t") return [h("b", { class: "suit-t" }, `${found[1]}★`), tail];
    const rank = tongue === "fr" ? found[1] : shownRank(found[1]);
    return [h("b", { class: `suit-${suit}` }, rank, SIGNS[suit]), tail];
  });
}
