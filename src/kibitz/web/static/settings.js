// What a person has chosen for this browser.

export const LANGUAGES = [["en", "English"], ["de", "Deutsch"], ["fr", "Français"]];
const USUAL = { lang: "", theme: "", deck: "four", motion: "on", name: "" };
let kept;
try {
  kept = JSON.parse(localStorage.getItem("kibitz") || "{}");
} catch {
  kept = {};
}
export const settings = { ...USUAL, ...kept };

export function change(key, value) {
  settings[key] = value;
  try {
    localStorage.setItem("kibitz", JSON.stringify(settings));
  } catch { /* private windows keep nothing */ }
  apply();
}

export function lang() {
  const wanted = settings.lang || (navigator.language || "en").slice(0, 2);
  return LANGUAGES.some(([name]) => name === wanted) ? wanted : "en";
}

export function apply() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.deck = settings.deck;
  root.dataset.motion = settings.motion;
  root.lang = lang();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);

// The token of whoever runs the server, and those of places at tables, stay in this browser.
export const tokens = {
  get host() { return read("kibitz-host"); },
  set host(token) { write("kibitz-host", token); },
  of(table) { return read(`kibitz-table-${table}`); },
  keep(table, token) { write(`kibitz-table-${table}`, token); },
};
function read(key) { try { return localStorage.getItem(key) || ""; } catch { return ""; } }
function write(key, value) { try { localStorage.setItem(key, value); } catch { /* as above */ } }
