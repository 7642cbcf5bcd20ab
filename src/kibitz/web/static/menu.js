// The settings of this browser, and the head of every page.
import { h } from "./dom.js";
import { LANGUAGES, change, lang, settings } from "./settings.js";
import { t } from "./words.js";

export function head(title, again, ...more) {
  const menu = h("dialog", { class: "menu", "aria-label": t("settings") });
  const choice = (key, label, values) => h("label", {}, label, h("select", {
    onchange: (e) => { change(key, e.target.value); menu.close(); again(key); },
  }, values.map(([value, text]) => h("option", { value, selected: (key === "lang" ? lang() : settings[key]) === value }, text))));
  menu.append(
    h("h2", {}, t("settings")),
    choice("lang", t("language"), LANGUAGES),
    choice("theme", t("look"), [["", t("automatic")], ["light", t("light")], ["dark", t("dark")]]),
    choice("deck", t("deck"), [["four", t("four colours")], ["two", t("two colours")]]),
    choice("motion", t("motion"), [["on", t("on")], ["off", t("off")]]),
    h("button", { onclick: () => menu.close() }, t("close")));
  return h("header", { class: "head" },
    h("a", { class: "brand", href: "/", "aria-label": "kibitz" }, h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }), "kibitz"),
    h("h1", {}, title), h("span", { class: "grow" }), more,
    h("button", { class: "quiet", "data-key": "settings", "aria-label": t("settings"), title: t("settings"), onclick: () => menu.showModal() }, "⚙"), menu);
}
