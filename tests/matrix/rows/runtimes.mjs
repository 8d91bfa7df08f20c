// JavaScript outside Node and browsers, and test runners.
import { MARK, printing, printingByCommand, printingByRequire, probing } from "../programs.mjs";

const LIBRARY = { linux: "-glibc", darwin: "", win32: "" }[process.platform] ?? "";
const DENO = `@deno/${process.platform}-${process.arch}${LIBRARY}`;
const BUN = `@oven/bun-${process.platform}-${process.arch}`;

/** A row whose program is a file, run with these words before its name. */
const program = ({ entry = "posenc", file = "main.mjs", source = printing(entry), command, ...row }) => ({
  entry,
  files: { [file]: source },
  command: [...command, file],
  read: "output",
  ...row,
});

const deno = (name, flags, row) =>
  program({
    name: `Deno${name}`,
    packages: { [DENO]: "^2" },
    command: [`node_modules/${DENO}/deno`, "run", ...flags],
    env: { DENO_NO_UPDATE_CHECK: "1" },
    ...row,
  });

const bun = (name, row) =>
  program({
    name: `Bun, ${name}`,
    project: "bun",
    packages: { [BUN]: "^1" },
    command: [`node_modules/${BUN}/bin/bun`],
    ...row,
  });

const inTest = (wrap) =>
  `${probing()}${wrap}test("posenc", async () => console.log("${MARK}" + (await probe(load))));\n`;

const WORKER = `${probing()}export default {
  fetch: async () => new Response("${MARK}" + (await probe(load))),
};
`;

export const rows = [
  deno(" without permissions", ["--no-prompt"]),
  deno(", which reads the worker's file", ["--no-prompt", "--allow-read"], { entry: "posenc/lab", file: "lab.mjs" }),
  deno(", npx posenc", ["--allow-all"], { source: printingByCommand("run", "--allow-all") }),
  bun("npx posenc", { file: "command.mjs", source: printingByCommand() }),
  bun("import"),
  bun("import", { entry: "posenc/lab", file: "lab.mjs" }),
  bun("require", { file: "main.cjs", source: printingByRequire() }),
  {
    name: "workerd (wrangler dev)",
    entry: "posenc",
    version: "workerd",
    packages: { wrangler: "^4" },
    files: {
      "wrangler.json": JSON.stringify({ name: "stranger", main: "worker.js", compatibility_date: "2026-01-01" }),
      "worker.js": WORKER,
    },
    command: ["wrangler", "dev", "--ip", "127.0.0.1", "--port", "{port}", "--inspector-port", "0"],
    env: { WRANGLER_SEND_METRICS: "false" },
    read: "answer",
  },
  {
    name: "vitest",
    packages: { vitest: "^5" },
    files: { "posenc.test.mjs": inTest('import { test } from "vitest";\n') },
    command: ["vitest", "run"],
    read: "output",
  },
  {
    name: "jest (ES modules, its flag)",
    version: "jest",
    packages: { jest: "^30" },
    manifest: { type: "module" },
    files: { "posenc.test.js": inTest("") },
    command: ["node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js"],
    read: "output",
  },
];
