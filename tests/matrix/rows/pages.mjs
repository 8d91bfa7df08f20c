// Pages without a bundler, in Chromium: import maps, module workers, blob URLs, a strict Content-Security-Policy.
import { html, htmlWith, htmlWithGlobal, PROBE, probeOf, probing, showing, showingFrom } from "../programs.mjs";

const DIRECT = "/node_modules/posenc/dist/index.js";
const importMap = `<script type="importmap">{ "imports": {
  "posenc": "${DIRECT}",
  "posenc/external": "/node_modules/posenc/dist/external.js"
} }</script>`;

const page = (row) => ({ entry: "posenc", project: "pages", read: "page", ...row });

const WORKER = `${probing(DIRECT)}probe(load).then(postMessage);\n`;
const MODULE_WORKER = showingFrom(`const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => show(data);
worker.onerror = fail;`);

const BLOB = `const text = await (await fetch("${DIRECT}")).text();
const { load } = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
${PROBE}${showingFrom("probe(load).then(show, fail);")}`;

// 'self' lets this server's scripts in; of WebAssembly and eval, the policy allows WebAssembly alone.
const STRICT = { "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'" };

const LAB = "/node_modules/posenc/dist/lab.js";
const lab = (name, program, headers) => {
  const script = `lab-${name.replaceAll(/\W+/g, "-")}`;
  const files = { [`${script}.html`]: htmlWith(`${script}.js`), [`${script}.js`]: program };
  return page({ name: `training in workers, ${name}`, entry: "posenc/lab", files, headers, page: `${script}.html` });
};

export const rows = [
  lab("static server", showing(LAB)),
  lab("CSP 'wasm-unsafe-eval' alone", showing(LAB), STRICT),
  lab(
    "from another origin",
    `${probeOf(LAB)}${showingFrom(`import("http://localhost:" + location.port + "${LAB}")
  .then(({ load }) => probe(load))
  .then(show, fail);`)}`,
    { "Access-Control-Allow-Origin": "*" },
  ),
  page({
    name: "import map, static server",
    files: { "map.html": html(importMap, '<script type="module" src="map.js"></script>'), "map.js": showing() },
    page: "map.html",
  }),
  page({
    name: "module worker",
    files: { "worker.html": htmlWith("from-worker.js"), "from-worker.js": MODULE_WORKER, "worker.js": WORKER },
    page: "worker.html",
  }),
  page({
    name: "blob URL",
    files: { "blob.html": htmlWith("blob.js"), "blob.js": BLOB },
    page: "blob.html",
  }),
  page({
    name: "CSP 'wasm-unsafe-eval' alone",
    files: { "policy.html": htmlWith("policy.js"), "policy.js": showing(DIRECT) },
    headers: STRICT,
    page: "policy.html",
  }),
  page({
    name: "<script> in a file://",
    entry: "posenc/posenc.global.js",
    files: { "script.html": htmlWithGlobal("node_modules/posenc/dist/posenc.global.js") },
    read: "file",
    page: "script.html",
  }),
  page({
    name: "import map, static server",
    entry: "posenc/external",
    files: {
      "external.html": html(importMap, '<script type="module" src="external.js"></script>'),
      "external.js": showing("posenc/external"),
    },
    page: "external.html",
  }),
];
