// The package in browsers of other engines: the page sends back what it computed.
import { ENGINES } from "../engines.mjs";
import { html, probing } from "../programs.mjs";

const sending = (entry) => `${probing(entry)}const send = (body) => fetch("/result", { method: "POST", body });
probe(load).then(send, (error) => send(JSON.stringify({ error: String(error) })));
`;
const MAP = `<script type="importmap">{ "imports": {
  "posenc": "/node_modules/posenc/dist/index.js",
  "posenc/lab": "/node_modules/posenc/dist/lab.js"
} }</script>`;
const MODULE = '<script type="module" src="send.js"></script>';

const page = (engine, entry) => ({
  entry,
  project: "browsers",
  files: { "index.html": html(MAP, MODULE), "send.js": sending(entry) },
  read: "sent",
  page: "index.html",
  ...engine,
});

export const rows = ["posenc", "posenc/lab"].flatMap((entry) => ENGINES.map((engine) => page(engine, entry)));
