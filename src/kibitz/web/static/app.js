// Which page is shown: the lobby, a table, or records.
import { h, show } from "./dom.js";
import { apply, tokens } from "./settings.js";
import { head } from "./menu.js";
import { lobby } from "./lobby.js";
import { table } from "./table.js";
import { records } from "./records.js";
import { t } from "./words.js";

apply();
const page = document.getElementById("page");
const token = /^#([0-9a-f]{32})$/.exec(location.hash)?.[1] || "";
const [, kind, id] = location.pathname.split("/");

if (!("WebSocket" in window)) {
  show(page, head("", () => location.reload()), h("p", { class: "plain" }, t("no websocket")));
} else if (kind === "t" && id) {
  if (token) tokens.keep(id, token);
  table(page, id, token || tokens.of(id));
} else {
  if (token) tokens.host = token;
  if (kind === "records" && id) records(page, id);
  else lobby(page);
}
if (token) history.replaceState(null, "", location.pathname + location.search);
