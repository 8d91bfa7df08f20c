// Node of several versions, from npm, as a module and by require; the machine's own, and its worker threads.
import { MARK, printing, printingByCommand, printingByRequire, probing } from "../programs.mjs";

const VERSIONS = [20, 22, 24, 26];
const BINARY = `node-${process.platform}-${process.arch}`;

/** One Node's rows: import of the entries, require. */
const rowsOf = ({ name, node, ...rest }) =>
  [
    { way: "import", file: "main.mjs", source: printing() },
    { way: "require", file: "main.cjs", source: printingByRequire() },
    { way: "import", entry: "posenc/full", file: "full.mjs", source: printing("posenc/full") },
    { way: "npx posenc", file: "command.mjs", source: printingByCommand() },
    { way: "import", entry: "posenc/lab", file: "lab.mjs", source: printing("posenc/lab") },
    { way: "import", entry: "posenc/external", file: "external.mjs", source: printing("posenc/external") },
  ].map(({ way, entry = "posenc", file, source }) => ({
    name: `${name}, ${way}`,
    entry,
    ...rest,
    files: { [file]: source },
    command: [node, file],
    read: "output",
  }));

const THREAD = `${probing()}import { isMainThread, parentPort, Worker } from "node:worker_threads";
if (isMainThread) {
  for (let i = 0; i < 2; i++) new Worker(new URL(import.meta.url)).on("message", (json) => console.log("${MARK}" + json));
} else probe(load).then((json) => parentPort.postMessage(json));
`;

export const rows = [
  ...rowsOf({ name: "Node of this machine", node: "node", project: "node" }),
  {
    name: "Node's worker_threads",
    project: "node",
    files: { "thread.mjs": THREAD },
    command: ["node", "thread.mjs"],
    read: "output",
    results: 2,
  },
  ...VERSIONS.flatMap((version) =>
    rowsOf({
      name: `Node ${version}`,
      node: `node_modules/${BINARY}/bin/node`,
      project: `node-${version}`,
      packages: { [BINARY]: `^${version}` },
    }),
  ),
];
