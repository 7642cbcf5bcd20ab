// Elements from plain descriptions: h("button", {class: "x", onclick: f}, "text", child, ...).

const SVG = "http://www.w3.org/2000/svg";

function fill(node, given, children) {
  for (const [key, value] of Object.entries(given || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "vars") for (const [name, x] of Object.entries(value)) node.style.setProperty(name, x);
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child.nodeType ? child : document.createTextNode(String(child)));
  }
  return node;
}

export const h = (tag, given, ...children) => fill(document.createElement(tag), given, children);
export const s = (tag, given, ...children) => fill(document.createElementNS(SVG, tag), given, children);

// Put a new tree in the place of the old one and keep the focus where it was.
export function show(place, ...children) {
  const key = document.activeElement?.closest?.("[data-key]")?.dataset.key;
  const scrolls = [...place.querySelectorAll("[data-scroll]")].map((e) => [e.dataset.scroll, e.scrollTop]);
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const [name, top] of scrolls) {
    const e = place.querySelector(`[data-scroll="${name}"]`);
    if (e) e.scrollTop = top;
  }
  if (key) place.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

let fading;
export function toast(text, kind = "") {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.className = text ? `shown ${kind}` : "";
  clearTimeout(fading);
  fading = setTimeout(() => (place.className = ""), 5200);
}

export function announce(text) {
  document.getElementById("heard").textContent = text;
}
