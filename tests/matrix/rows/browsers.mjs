// The package in browsers of other engines: the page sends back what it computed.
import { ENGINES } from "../engines.mjs";
import { html, probing } from "../programs.mjs";

const SENDING = `${probing()}const send = (body) => fetch("/result", { method: "POST", body });
probe(load).then(send, (error) => send(JSON.stringify({ error: String(error) })));
`;
const MAP = '<script type="importmap">{ "imports": { "posenc": "/node_modules/posenc/dist/index.js" } }</script>';
const MODULE = '<script type="module" src="send.js"></script>';

const page = (engine) => ({
  entry: "posenc",
  project: "browsers",
  files: { "index.html": html(MAP, MODULE), "send.js": SENDING },
  read: "sent",
  page: "index.html",
  ...engine,
});

export const rows = ENGINES.map(page);
