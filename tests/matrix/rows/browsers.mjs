// Browsers of other engines: a page with the package, which sends back what it computed, and the project's own page, which
// is accessible there too and has the same numbers as in Chromium.
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

/** Its results are compared with each other, not with the formulas. */
const ownPage = { entry: "the page", read: "report", results: 0, seconds: 400 };

export const rows = [
  ...["posenc", "posenc/lab"].flatMap((entry) => ENGINES.map((engine) => page(engine, entry))),
  ...ENGINES.map((engine) => ({ ...engine, ...ownPage })),
];
