// The page's own words, one file per language in words/; those of a game come from the game.
import { LANGUAGES, lang } from "./settings.js";

const read = async (name) => (await fetch(`/static/words/${name}.json`)).json();
const ALL = Object.fromEntries(await Promise.all(LANGUAGES.map(async ([name]) => [name, await read(name)])));

export function t(key, fallback, ...given) {
  const text = ALL[lang()][key] ?? fallback ?? key;
  return text.replace(/\{(\d)\}/g, (_, k) => given[Number(k)] ?? "");
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const title = (name) => name.split(/[-_ ]/).map(capital).join(" ");
