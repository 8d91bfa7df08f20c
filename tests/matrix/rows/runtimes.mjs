// JavaScript outside Node and browsers, and test runners.
import { MARK, printing, printingByCommand, printingByRequire, probing } from "../programs.mjs";

const program = (row) => ({ entry: "posenc", files: { "main.mjs": printing() }, read: "output", ...row });

const LIBRARY = { linux: "-glibc", darwin: "", win32: "" }[process.platform] ?? "";
const DENO = `@deno/${process.platform}-${process.arch}${LIBRARY}`;
const BUN = `@oven/bun-${process.platform}-${process.arch}`;

const inTest = (wrap) =>
  `${probing()}${wrap}test("posenc", async () => console.log("${MARK}" + (await probe(load))));\n`;

const WORKER = `${probing()}export default {
  fetch: async () => new Response("${MARK}" + (await probe(load))),
};
`;

export const rows = [
  program({
    name: "Deno without permissions",
    packages: { [DENO]: "^2" },
    command: [`node_modules/${DENO}/deno`, "run", "--no-prompt", "main.mjs"],
    env: { DENO_NO_UPDATE_CHECK: "1" },
  }),
  program({
    name: "Deno, which reads the worker's file",
    entry: "posenc/lab",
    packages: { [DENO]: "^2" },
    files: { "lab.mjs": printing("posenc/lab") },
    command: [`node_modules/${DENO}/deno`, "run", "--no-prompt", "--allow-read", "lab.mjs"],
    env: { DENO_NO_UPDATE_CHECK: "1" },
  }),
  program({
    name: "Deno, npx posenc",
    packages: { [DENO]: "^2" },
    files: { "main.mjs": printingByCommand("run", "--allow-all") },
    command: [`node_modules/${DENO}/deno`, "run", "--allow-all", "main.mjs"],
    env: { DENO_NO_UPDATE_CHECK: "1" },
  }),
  program({
    name: "Bun, npx posenc",
    project: "bun",
    packages: { [BUN]: "^1" },
    files: { "command.mjs": printingByCommand() },
    command: [`node_modules/${BUN}/bin/bun`, "command.mjs"],
  }),
  program({
    name: "Bun, import",
    project: "bun",
    packages: { [BUN]: "^1" },
    command: [`node_modules/${BUN}/bin/bun`, "main.mjs"],
  }),
  program({
    name: "Bun, import",
    entry: "posenc/lab",
    project: "bun",
    packages: { [BUN]: "^1" },
    files: { "lab.mjs": printing("posenc/lab") },
    command: [`node_modules/${BUN}/bin/bun`, "lab.mjs"],
  }),
  program({
    name: "Bun, require",
    project: "bun",
    packages: { [BUN]: "^1" },
    files: { "main.cjs": printingByRequire() },
    command: [`node_modules/${BUN}/bin/bun`, "main.cjs"],
  }),
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
  program({
    name: "vitest",
    packages: { vitest: "^5" },
    files: { "posenc.test.mjs": inTest('import { test } from "vitest";\n') },
    command: ["vitest", "run"],
  }),
  program({
    name: "jest (ES modules, its flag)",
    version: "jest",
    packages: { jest: "^30" },
    manifest: { type: "module" },
    files: { "posenc.test.js": inTest("") },
    command: ["node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js"],
  }),
];
