// The lobby: choose a game, say who sits where, deal.
import { ask } from "./api.js";
import { card } from "./cards.js";
import { h, show, toast } from "./dom.js";
import { head } from "./menu.js";
import { change, settings, tokens } from "./settings.js";
import { t, title } from "./words.js";

const SHOWN = ["As", "Kh", "Qd", "Jc"];

export async function lobby(page) {
  const again = () => lobby(page);
  if (!tokens.host) {
    show(page, head("", again), h("main", { class: "lobby" }, h("p", { class: "plain" }, t("link needed"))));
    return;
  }
  try {
    const [games, tables] = await Promise.all([ask("/api/games"), ask("/api/tables")]);
    draw(page, games, tables, again);
    const asked = new URLSearchParams(location.search);
    if (asked.has("game")) {
      history.replaceState(null, "", "/");
      setUp(asked.get("game"), asked.get("bot"));
    }
  } catch (problem) {
    show(page, head("", again), h("main", { class: "lobby" }, h("p", { class: "plain" }, problem.message)));
  }
}

function draw(page, games, tables, again) {
  const families = new Map();
  for (const game of games) {
    if (!families.has(game.family)) families.set(game.family, []);
    families.get(game.family).push(game);
  }
  const file = h("input", { type: "file", accept: ".jsonl,.sgf,.txt", class: "unseen", id: "file", onchange: (e) => open(e.target.files[0]) });
  show(page, head("", again),
    h("main", { class: "lobby" },
      h("section", { class: "welcome" }, h("div", {}, h("h2", {}, t("welcome")), h("p", {}, t("welcome why"))),
        h("div", { class: "display", "aria-hidden": "true" }, SHOWN.map((name, k) => card(name, { vars: { "--k": String(k) } })))),
      tables.length ? h("section", {}, h("h2", {}, t("your tables")), h("div", { class: "rows" }, tables.slice(-8).reverse().map(known))) : null,
      h("section", {}, h("h2", {}, t("games")),
        h("div", { class: "games" }, [...families.values()].map((kin) => tile(kin)))),
      h("section", {}, h("h2", {}, t("open a record")), h("p", { class: "soft" }, t("open why")), h("label", { for: "file", class: "button", tabindex: 0, onkeydown: (e) => e.key === "Enter" && file.click() }, t("open a record")), file)));
}

function known(table) {
  const mine = table.link.find(Boolean);
  const close = async (e) => { await ask(`/api/tables/${table.id}`, { method: "DELETE" }).catch(() => 0); e.target.closest(".row").remove(); };
  return h("div", { class: "row" }, h("a", { href: mine || `/t/${table.id}#${tokens.host}` }, h("b", {}, title(table.game)), " ", h("span", { class: "soft" }, [...new Set(table.players)].join(", "))),
    h("span", { class: "soft" }, t("deal", null, table.deals + 1)), h("button", { class: "quiet", "aria-label": `${t("close")} ${table.id}`, onclick: close }, "×"));
}

function tile(kin) {
  const [first] = kin;
  return h("article", { class: "tile" }, h("h3", {}, title(first.family)),
    h("ul", {}, kin.map((game) => h("li", {},
      h("button", { class: "link", "data-key": `game-${game.name}`, onclick: () => setUp(game.name) }, game.name),
      h("span", { class: "soft" }, game.about)))));
}

async function open(file) {
  if (!file) return;
  try {
    const found = await ask("/api/records", { method: "POST", body: file });
    location.href = `/records/${found.id}`;
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

// The dialogue of a new table; a link like /?game=NAME&bot=SPEC opens it at once.
async function setUp(name, bot) {
  let game;
  try {
    game = await ask(`/api/games/${encodeURIComponent(name)}`);
    if (bot) game.usual = bot;
  } catch (problem) {
    return toast(problem.message, "bad");
  }
  const dialog = h("dialog", { class: "menu wide", "aria-label": t("new table") });
  const bots = h("datalist", { id: "bots" }, game.bots.map((bot) => h("option", { value: bot })));
  const count = () => Number(options.querySelector('[name="players"]')?.value || game.players);
  const seatRows = h("div", { class: "seats-form" });
  const seats = () => {
    const old = [...seatRows.querySelectorAll(".seat-form")].map((row) => row.querySelector("input").value);
    seatRows.replaceChildren(...Array.from({ length: count() }, (_, k) => {
      const kind = h("select", { "aria-label": `${t("seat")} ${k}`, onchange: () => { who.value = kind.value === "bot" ? game.usual : settings.name || t("me"); } },
        h("option", { value: "person", selected: k === 0 }, t("person")), h("option", { value: "bot", selected: k > 0 }, t("bot")));
      const who = h("input", { value: old[k] ?? (k ? game.usual : settings.name || t("me")), list: "bots", "aria-label": `${t("name")} ${k}`, maxlength: 300 });
      return h("div", { class: "seat-form" }, h("span", { class: "soft" }, game.seats[k] || `${t("seat")} ${k}`), kind, who);
    }));
  };
  const options = h("div", { class: "options" }, game.options.map((option) => h("label", { title: option.about }, h("span", {}, option.name),
    option.values
      ? h("select", { name: option.name, "data-usual": option.value }, option.values.map((value) => h("option", { value, selected: value === option.value }, value)))
      : h("input", { name: option.name, value: option.value, "data-usual": option.value, title: option.possible, onchange: option.name === "players" ? seats : null }))));
  const pace = h("input", { type: "range", min: 0, max: 2, step: 0.25, value: 1, id: "pace" });
  const problem = h("p", { class: "bad", role: "alert" });
  seats();
  dialog.append(h("h2", {}, title(game.name)), h("p", { class: "soft" }, game.title), bots, seatRows,
    game.options.length ? h("details", {}, h("summary", {}, t("options")), options) : "",
    h("label", { for: "pace" }, t("pace"), pace), problem,
    h("div", { class: "buttons" },
      h("button", { class: "main", "data-key": "start", onclick: start }, t("start")), h("button", { onclick: () => dialog.close() }, t("close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector(".main").focus();

  async function start() {
    const places = [...seatRows.children].map((row) => {
      const [kind, who] = [row.querySelector("select").value, row.querySelector("input").value.trim()];
      return kind === "bot" ? { kind, spec: who } : { kind, name: who || "?" };
    });
    const mine = places.findIndex((place) => place.kind === "person");
    if (mine >= 0) change("name", places[mine].name);
    const changed = {};
    for (const field of options.querySelectorAll("[name]")) if (field.value !== field.dataset.usual) changed[field.name] = field.value;
    try {
      const body = JSON.stringify({ game: name, seats: places, options: changed, pace: Number(pace.value) });
      const made = await ask("/api/tables", { method: "POST", body });
      location.href = made.players.find(Boolean) || made.watch;
    } catch (wrong) {
      problem.textContent = wrong.message;
    }
  }
}
