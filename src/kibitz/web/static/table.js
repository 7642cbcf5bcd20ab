// A table: what the server shows of it, and what the person does there.
import { ask, save } from "./api.js";
import { callParts, card, rich, sign, spoken } from "./cards.js";
import { announce, h, show, toast } from "./dom.js";
import { called, direction, felt, onWidth } from "./felt.js";
import { head } from "./menu.js";
import { reviewPanel } from "./review.js";
import { lang, settings, tokens } from "./settings.js";
import { t, title } from "./words.js";

const HELD = 1000;  // milliseconds for which a complete trick lies on the table
const sameCards = (a, b) => a.length === b.length && [...a].sort().join() === [...b].sort().join();

export function table(page, id, token) {
  const state = {
    message: null, held: null, taker: null, fresh: null, chosen: new Set(), hint: null, hinting: false, review: null, queue: [], busy: false,
    panel: "log", compared: null, beliefs: {},
  };
  let socket, tries = 0, ended = false;

  function connect() {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${id}`);
    socket.onopen = () => {
      tries = 0;
      send({ do: "hello", token: token || tokens.host, host: tokens.host, lang: lang() });
    };
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (ended) return;
      if (tries++ > 0) toast(t("connection lost"));
      setTimeout(connect, Math.min(4000, 250 * 2 ** tries));
    };
  }

  function send(said) {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(said));
  }

  function hear(said) {
    if (said.type === "table") {
      state.queue.push(said);
      work();
    } else if (said.type === "refused") {
      ended = true;
      show(page, head("", () => location.reload()), h("p", { class: "plain" }, said.text));
    } else if (said.type === "preparing") {
      state.preparing = said;
      if (!state.message?.scene) draw();
    } else if (said.type === "hint") {
      state.hint = said;
      state.hinting = false;
      draw();
      announce(`${said.bot}: ${said.choice}`);
    } else if (said.type === "reviewing" || said.type === "review") {
      const begins = !state.review;
      state.review = said;
      draw();
      if (begins) document.querySelector(".panel.review")?.scrollIntoView({ block: "nearest" });
    } else if (said.type === "belief") {
      state.beliefs[said.n] = said;
      draw();
    } else if (said.type === "compared") {
      state.compared = said;
      draw();
    } else if (said.type === "why" || said.type === "error") {
      if (said.text) toast(plainer(said.text), said.type === "error" ? "bad" : "");
      state.hinting = false;
      if (state.review?.type === "reviewing") state.review = null;
    }
  }

  // Messages one after the other: a complete trick is left on the table for a moment.
  function work() {
    if (state.busy) return;
    const next = state.queue.shift();
    if (!next) return;
    const old = state.message;
    const moved = next.scene && old?.scene && old.deal === next.deal;
    const complete = moved && next.n > old.n && next.scene.last_trick.length && JSON.stringify(next.scene.last_trick) !== JSON.stringify(old.scene.last_trick);
    const lay = settings.motion === "on" && next.pace > 0;
    const before = new Set((old?.scene?.trick || []).map(([, name]) => name));
    const names = (complete ? next.scene.last_trick : next.scene?.trick || []).map(([, name]) => name);
    state.fresh = lay && moved ? new Set(names.filter((name) => !before.has(name))) : new Set();
    if (!moved || next.n !== old.n) {
      state.chosen.clear();
      state.hint = null;
      state.hinting = false;
    }
    if (!moved || !next.end) {
      state.review = null;
      state.beliefs = {};
      state.compared = null;
    }
    if (moved && next.log.length > old.log.length) tell(next, old);
    state.message = next;
    if (complete && lay) {
      const mine = next.scene.seat ?? 0, winner = next.log.at(-1)?.taken_by;
      state.held = next.scene.last_trick;
      state.taker = winner === null || winner === undefined ? null : direction(winner, mine, next.scene.seats.length);
      state.busy = true;
      draw();
      setTimeout(() => {
        state.busy = false;
        state.held = state.taker = null;
        state.fresh = new Set();
        draw();
        work();
      }, HELD * Math.min(1.5, Math.max(0.4, next.pace)));
    } else {
      draw();
      work();
    }
  }

  function tell(next, old) {
    const news = next.log.slice(old.log.length - next.log.length).filter((entry) => entry.text);
    const texts = news.map((entry) => `${nameOf(next, entry.seat)}: ${entry.text}`);
    if (next.scene.turn === next.scene.seat && next.scene.turn >= 0) texts.push(t("your turn"));
    announce(texts.join(". "));
  }

  // By seat: who sits there, and what they are called.
  function seated(message) {
    return called(message.scene.seats.map((_, k) => message.players[message.seats.indexOf(k)] || {}), message.scene.seats);
  }

  const nameOf = (message, seat) => (seat < 0 ? "" : seated(message)[seat].shown);

  function move(actions) {
    send({ do: "move", n: state.message.n, actions });
    state.chosen.clear();
  }

  // -- what may be chosen

  function choices(scene) {
    const laying = scene.moves.filter((one) => one.cards.length);
    return { laying, calls: scene.moves.filter((one) => !one.cards.length), several: laying.some((one) => one.cards.length > 1) };
  }

  function clicked(name, k) {
    const { scene } = state.message;
    const { laying, several } = choices(scene);
    if (!several) {
      const found = laying.find((one) => one.cards[0] === name);
      return found ? move(found.actions) : send({ do: "why", card: name });
    }
    if (state.chosen.has(k)) state.chosen.delete(k);
    else if (isLit(name, k)) state.chosen.add(k);
    else return send({ do: "why", card: name });
    draw();
  }

  function picked() {
    const cards = state.message.scene.seats[state.message.scene.seat].cards;
    return [...state.chosen].map((k) => cards[k]);
  }

  function isLit(name, k) {
    const { laying, several } = choices(state.message.scene);
    if (!several) return laying.some((one) => one.cards[0] === name);
    if (state.chosen.has(k)) return true;
    const wanted = [...picked(), name];
    return laying.some((one) => {
      const left = [...one.cards];
      return wanted.every((card) => left.includes(card) && (left.splice(left.indexOf(card), 1), true));
    });
  }

  function below(message) {
    const { scene } = message;
    const mine = scene.turn === scene.seat && scene.turn >= 0 && message.you !== null && !state.held;
    const { laying, calls, several } = mine ? choices(scene) : { laying: [], calls: [], several: false };
    const rows = [];
    if (mine) {
      rows.push(h("p", { class: "status turn" }, t("your turn")));
    } else if (scene.turn >= 0) {
      rows.push(h("p", { class: "status" }, t(message.thinking ? "thinking" : "to move", null, nameOf(message, scene.turn))));
    }
    if (several) {
      const found = laying.find((one) => sameCards(one.cards, picked()));
      const label = found?.text && found.actions.length === 1 ? found.text : !state.chosen.size ? needed(laying) : t(state.chosen.size === 1 ? "lay one" : "lay", null, state.chosen.size);
      rows.push(h("div", { class: "calls" }, h("button", { class: "main", "data-key": "lay", disabled: !found, onclick: () => move(found.actions) }, label),
        calls.map((one) => call(one))));
    } else if (calls.length) rows.push(grid(calls));
    return h("div", { class: "below" }, rows);
  }

  function needed(laying) {
    const sizes = [...new Set(laying.map((one) => one.cards.length))];
    return sizes.length === 1 ? t("choose", null, sizes[0]) : t("choose any");
  }

  function call(one, label) {
    const advised = state.hint?.choice === one.word ? "advised" : "";
    const whole = callParts(one.word);
    return h("button", { class: `call ${advised}`, "data-key": `call-${one.word}`, "data-call": one.word, onclick: () => move(one.actions),
      "aria-label": whole ? `${whole.level} ${t(`suit ${whole.suit}`, whole.sign)}` : null }, label ?? one.text);
  }

  // Bids that are a level and a suit stand in rows; everything else is a button of its own.
  function grid(calls) {
    const bids = calls.filter((one) => callParts(one.word));
    const others = calls.filter((one) => !callParts(one.word));
    if (bids.length < 6) return h("div", { class: "calls" }, calls.map((one) => call(one, callParts(one.word) ? [callParts(one.word).level, " ", sign(callParts(one.word).suit)] : null)));
    const suits = [...new Set(bids.map((one) => callParts(one.word).suit))];
    const levels = [...new Set(bids.map((one) => callParts(one.word).level))];
    return h("div", { class: "calls bidding" }, h("div", { class: "others" }, others.map((one) => call(one))),
      h("div", { class: "grid", vars: { "--columns": levels.map((level) => (/^\d/.test(level) ? "minmax(0, 3.6rem)" : "max-content")).join(" ") } }, suits.map((suit) => h("div", { class: "suit-row" }, sign(suit), levels.map((level) => {
        const one = bids.find((bid) => callParts(bid.word).suit === suit && callParts(bid.word).level === level);
        return one ? call(one, [level.replace("generale", "gén.")]) : h("span");
      })))));
  }

  // -- drawing

  function draw() {
    const message = state.message;
    const bar = [
      message?.host ? h("button", { class: "quiet", "data-key": "invite", onclick: invite }, t("invite")) : null,
    ];
    if (!message?.scene) {
      const steps = state.preparing || { done: message?.preparing?.[0] || 0, of: message?.preparing?.[1] || 1 };
      show(page, head(title(message?.game || ""), again, bar), h("main", { class: "waiting" },
        h("h2", {}, t("preparing", null, title(message?.game || ""))), h("progress", { value: steps.done, max: steps.of, "aria-label": t("preparing", null, "") }),
        h("p", {}, `${steps.done} / ${steps.of}`), h("p", { class: "soft" }, t("preparing why")), (message?.notes || []).map((note) => h("p", { class: "bad" }, note))));
      return;
    }
    const { scene } = message;
    const playing = message.you !== null;
    const mine = scene.seat ?? 0;
    const myTurn = playing && scene.turn === scene.seat && scene.turn >= 0 && !state.held;
    const names = seated(message);
    const said = lastSaid(message);
    const view = {
      scene, mine, names, title: message.title, tongue: message.tongue, thinking: message.thinking, held: state.held, taker: state.taker,
      fresh: state.fresh, said, dealt: message.end && !state.held ? message.end.hands : null, hand: playing, below: message.end && !state.held ? ending(message) : below(message),
      lit: myTurn && scene.moves.some((one) => one.cards.length) ? isLit : null, chosen: myTurn && choices(scene).several ? state.chosen : null,
      clicked: myTurn ? clicked : null, advice: state.hint?.n === message.n ? state.hint.laid : [],
    };
    show(page, head(title(message.game), again, bar),
      h("main", { class: `table-page ${state.review?.type === "review" ? "reviewing" : ""}`, "data-n": String(message.n) }, felt(view),
        h("aside", { class: "side" }, tools(message, myTurn), state.hint ? hintPanel(message) : null,
          state.review ? reviewPanel(state, message, { send, draw, id, token }) : null, lastTrick(message), sheet(message), log(message), fairness(message))));
  }

  function again(key) {
    if (key === "lang") send({ do: "lang", lang: lang() });
    draw();
  }

  // What everybody said last, while there is an auction.
  function lastSaid(message) {
    const said = {};
    if (message.end || message.scene.trick.length || message.scene.last_trick.length) return said;
    const log = message.log.slice(-2 * message.scene.seats.length);
    for (const entry of log) if (!entry.card && entry.seat >= 0) said[entry.seat] = entry.text;
    return said;
  }

  function tools(message, myTurn) {
    return h("div", { class: "tools" },
      !message.end && message.you !== null ? h("button", { "data-key": "hint", disabled: !myTurn || state.hinting, onclick: () => { state.hinting = true; send({ do: "hint" }); draw(); } }, state.hinting ? "…" : t("hint")) : null,
      message.back ? h("button", { "data-key": "back", onclick: () => send({ do: "back" }) }, t("take back")) : null,
      message.you === null ? h("p", { class: "soft" }, t("watching")) : null,
      message.notes.map((note) => h("p", { class: "bad" }, note)),
      h("label", { class: "pace" }, t("pace"), h("input", { type: "range", min: 0, max: 2, step: 0.25, value: message.pace, "data-key": "pace", onchange: (e) => send({ do: "pace", pace: Number(e.target.value) }) })));
  }

  function hintPanel() {
    const { rows, bot, choice, laid, source, worlds, unit } = state.hint;
    const told = laid.map((word) => rows.find((row) => row.word === word)?.text || word).join(" ");
    const values = rows.map((row) => row.value).filter((x) => x !== null);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return h("section", { class: "panel hint" }, h("h2", {}, t("hint")), h("p", {}, h("b", {}, bot), " → ", rich(told, state.message.tongue), h("span", { class: "soft" }, ` (${worlds ? t("worlds", null, worlds, t("open cards")) : source})`)),
      h("table", {}, h("tbody", {}, rows.slice(0, 12).map((row) => h("tr", { class: row.word === choice ? "best" : "" },
        h("th", { scope: "row" }, rich(row.text, state.message.tongue)),
        h("td", {}, h("meter", { min: 0, max: 1, value: row.value === null ? row.share : high > low ? (row.value - low) / (high - low) : 1, "aria-label": t("share") })),
        h("td", { class: "number" }, row.value === null ? `${Math.round(100 * row.share)} %` : row.value.toFixed(worlds ? 1 : 2)))))),
      unit ? h("p", { class: "soft" }, t("worth is counted in", null, t(unit))) : null);
  }

  function lastTrick(message) {
    if (!message.scene.last_trick.length) return null;
    return h("section", { class: "panel" }, h("h2", {}, t("last trick")), h("div", { class: "strip" },
      message.scene.last_trick.map(([seat, name]) => h("figure", {}, card(name, { class: "small" }), h("figcaption", {}, nameOf(message, seat))))));
  }

  function sheet(message) {
    const { sheet, players } = message;
    if (!sheet.deals && !message.compared.length) return null;
    const lines = sheet.lines.slice(-6);
    return h("section", { class: "panel" }, h("h2", {}, t("score"), sheet.name ? h("span", { class: "soft" }, ` ${t(sheet.name)}`) : null),
      h("table", { class: "sheet" },
        h("thead", {}, h("tr", {}, h("th", {}), players.map((_, k) => h("th", { scope: "col" }, nameOf(message, message.seats[k]))))),
        h("tbody", {}, lines.map((line, k) => h("tr", {}, h("th", { scope: "row" }, sheet.deals - lines.length + k + 1), line.map((x) => h("td", { class: "number" }, signed(x)))))),
        h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "Σ"), sheet.totals.map((x) => h("td", { class: "number" }, signed(x)))))),
      message.compared.map((row) => h("p", { class: "ahead" }, aheadOf(row))));
  }

  function aheadOf(row) {
    const amount = Math.abs(row.mean).toFixed(1) + (row.error === null ? "" : ` ± ${(1.96 * row.error).toFixed(1)}`);
    return `${t(row.mean >= 0 ? "ahead" : "behind", null, amount, row.bot)} (${t("after deals", null, row.deals)})`;
  }

  function log(message) {
    return h("section", { class: "panel" }, h("h2", {}, t("auction and play")),
      h("ol", { class: "log", "data-scroll": "log", tabindex: 0, "aria-label": t("auction and play") }, message.log.slice(-80).reverse().map((entry) => entry.text ? h("li", { class: entry.card ? "card-move" : "call-move" },
        h("span", { class: "who" }, nameOf(message, entry.seat)), h("span", {}, rich(entry.text, message.tongue))) : null)));
  }

  function fairness(message) {
    return h("details", { class: "panel fair" }, h("summary", {}, t("fairness")),
      h("p", { class: "soft" }, message.end ? `sha256("${message.end.seed}:${message.end.salt}")` : "sha256(seed:salt)"), h("code", {}, message.commitment));
  }

  // -- the end of a deal

  function ending(message) {
    const { end } = message;
    const seat = message.scene.seat;
    const mine = message.you === null ? null : seat;
    const place = h("select", { "data-key": "as", "aria-label": `${t("same cards")}, ${t("as seat")}` },
      message.scene.seats.map((one, k) => h("option", { value: k, selected: k === seat }, `${t("as seat")} ${one.label}`)));
    const verdict = mine === null ? t("over") : end.won[mine] ? t("won") : t("lost");
    return h("div", { class: "ending", role: "region", "aria-label": t("over") },
      h("h2", { class: mine !== null && end.won[mine] ? "good" : "" }, verdict, mine === null ? null : h("b", { class: "gain" }, signed(end.returns[mine]))),
      message.scene.contract ? h("p", { class: "returns" }, h("b", {}, rich(message.scene.contract, message.tongue))) : null,
      h("div", { class: "lines" }, end.lines.map((line) => h("p", {}, rich(line, message.tongue)))),
      h("p", { class: "returns" }, end.returns.map((x, k) => h("span", {}, `${nameOf(message, k)} `, h("b", {}, signed(x))))),
      message.you === null ? null : h("div", { class: "calls" },
        h("button", { class: "main", "data-key": "next", onclick: () => send({ do: "next" }) }, t("next deal")),
        h("button", { "data-key": "review", disabled: state.review?.type === "reviewing", onclick: () => send({ do: "review" }) }, t("review")),
        h("span", { class: "inseat" }, h("button", { "data-key": "again", onclick: () => send({ do: "again", seat: Number(place.value) }) }, t("same cards")), place),
        h("button", { class: "quiet", "data-key": "compare", onclick: () => { state.compared = { waiting: true }; send({ do: "compare" }); draw(); } }, t("compare")),
        h("button", { class: "quiet", "data-key": "download", onclick: download }, t("download"))),
      state.compared ? h("p", { class: "compared" }, state.compared.waiting ? "…" : `${state.compared.bot}: ${signed(state.compared.they)} · ${t("you")}: ${signed(state.compared.you)}`) : null);
  }

  async function download() {
    try {
      save(`${state.message.game}-${id}.jsonl`, await ask(`/api/tables/${id}/records`, { token: token || tokens.host, text: true }));
    } catch (problem) {
      toast(problem.message, "bad");
    }
  }

  // -- people by link

  async function invite() {
    const { message } = state;
    let links;
    try {
      links = await ask(`/api/tables/${id}/links`);
    } catch (problem) {
      return toast(problem.message, "bad");
    }
    const dialog = h("dialog", { class: "menu wide", "aria-label": t("invite") });
    const linked = (path, label) => {
      const field = h("input", { readonly: true, value: location.origin + path, "aria-label": label, onfocus: (e) => e.target.select() });
      const copy = () => { field.select(); navigator.clipboard?.writeText(field.value); };
      return h("span", { class: "inline" }, field, h("button", { onclick: copy }, t("copy")));
    };
    const names = message.scene ? seated(message) : [];
    const row = (player, k) => {
      const spec = h("input", { value: player.spec || "", placeholder: t("bot"), "aria-label": `${t("bot")} ${k}` });
      const label = names[message.seats?.[k]]?.shown || player.name;
      const state = player.kind === "person" ? t(player.here ? "person" : "person to come") : player.spec;
      return h("div", { class: "guest" }, h("p", {}, h("b", {}, label), " ", h("span", { class: "soft" }, state)),
        player.kind === "person"
          ? [linked(links.players[k], `link ${k}`), h("span", { class: "inline" }, spec, h("button", { onclick: () => { send({ do: "bot", k, bot: spec.value || "random" }); dialog.close(); } }, t("leave to bot")))]
          : h("button", { onclick: () => { send({ do: "person", k, name: `${t("person")} ${k + 1}` }); dialog.close(); setTimeout(invite, 300); } }, t("leave to person")));
    };
    const own = message.seats ? message.seats.indexOf(message.scene?.seat) : -1;
    const rows = message.players.map(row);
    if (own >= 0) rows.push(...rows.splice(own, 1));  // the links for others come first
    const open = h("input", { type: "checkbox", checked: message.open, onchange: (e) => send({ do: "open", open: e.target.checked }) });
    dialog.append(h("h2", {}, t("invite")), h("p", { class: "soft" }, t("invite why")), ...rows,
      h("div", { class: "guest" }, h("p", {}, h("b", {}, t("watch link"))), linked(links.watch, "link watch")), h("label", {}, t("open to watchers"), open),
      h("button", { class: "main", onclick: () => dialog.close() }, t("close")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  function plainer(text) {
    return text.replace(/ is illegal for seat \d+/, "").replace(/^(\S+):/, (_, word) => `${/^\w{1,3}[a-z]$/.test(word) ? spoken(word) : word}:`);
  }

  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = { h: "hint", u: "back", n: "next", r: "review" }[event.key];
    if (key) page.querySelector(`[data-key="${key}"]:not([disabled])`)?.click();
  });
  onWidth(() => draw());
  draw();
  connect();
}

export function signed(x) {
  const value = Math.round(x * 100) / 100;
  return value > 0 ? `+${value}` : String(value);
}
