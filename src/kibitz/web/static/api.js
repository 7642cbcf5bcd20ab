// Requests to the server; tokens go in a header, never in an address.
import { tokens } from "./settings.js";

export async function ask(path, { method = "GET", body = null, token = tokens.host, text = false } = {}) {
  const answer = await fetch(path, { method, body, headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    throw new Error(said.error || `the server answered ${answer.status}`);
  }
  return text ? answer.text() : answer.json();
}

export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
