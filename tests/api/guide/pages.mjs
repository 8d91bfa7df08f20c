// The guide's pages, their code blocks, and how a reader runs these: in an empty folder that has posenc installed, one
// after another, as they are.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { root } from "../../../bindings/setup/paths.mjs";

const guide = join(root, "bindings", "guide");

/** Lists what is shipped of the guide, by name: README, the page of each job, and the reference. */
export const names = readdirSync(guide).map((file) => basename(file, ".md"));

export const textOf = (name) => readFileSync(join(guide, `${name}.md`), "utf8");

/** The pages of jobs, in the order of the guide's README: those of its first table. */
export const jobs = () => {
  const [table] = textOf("README").split(/^## .*\n/m);
  return [...table.matchAll(/\]\(([a-z\d-]+)\.md\)/g)].map(([, name]) => name);
};

/** The code blocks of a text: their language, the file that a reader writes them to where it is named, and the code. */
export const blocksOf = (text) =>
  [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, file, code]) => ({
    language,
    file,
    code,
  }));

/** A page without its code blocks and link targets: what is read as prose, tables included. */
export const proseOf = (text) => text.replace(/^```.*?^```$/gms, "").replace(/\]\([^)]*\)/g, "]");

/** The lines that a program says that it prints: what is behind each console.log or print. */
export const promised = (code) =>
  [...code.matchAll(/^.*(?:console\.log|print)\(.*\);? +(?:\/\/|#) (.*)$/gm)].map(([, line]) => line);

/** Whether a line was printed as promised; an explanation may follow a colon. */
export const isKept = (printed, promise) => promise === printed || promise.startsWith(`${printed}: `);

/** An empty folder in which posenc is installed, as `npm install posenc` leaves it; and `npx`, without a network. */
export function emptyFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), "posenc-guide-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "posenc"), "dir");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const npx = join(folder, "bin", "npx");
  mkdirSync(dirname(npx));
  const command = join(root, "dist", "command.js");
  writeFileSync(npx, `#!/bin/sh\n[ "$1" = posenc ] || exit 9\nshift\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(npx, 0o755);
  return folder;
}

/** The fixtures' test with the port called at its marked place, as its reader pastes it. */
function pasted(into, code) {
  const bars = /^\/\/ =+\n(?:\/\/ .*\n)+(function rotate\(.*?\n\}\n)\/\/ =+$/ms;
  const [, place] = into.match(bars);
  return into.replace(place, () => code);
}

// The programs of a run without SIMD do without it, too.
const flags = process.execArgv.filter((flag) => flag.startsWith("--no-enable-"));

/** Runs a block in its folder: JavaScript with these flags of Node's besides, the shell, Python, and files to be written. */
export function run({ language, file, code }, index, folder, { more = [], python } = {}) {
  const path = join(folder, file ?? `${index}.mjs`);
  const env = {
    ...process.env,
    PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`,
    NODE_TEST_CONTEXT: undefined,
  };
  const started = (command, args) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
    return { status, printed: stdout.trimEnd().split("\n"), stderr };
  };
  if (language === "js" && file) {
    writeFileSync(path, pasted(readFileSync(path, "utf8"), code));
    return { status: 0, printed: [], stderr: "" };
  }
  if (language === "js") {
    writeFileSync(path, code);
    return started(process.execPath, [...flags, ...more, path]);
  }
  if (language === "python") {
    writeFileSync(path, code);
    return started(python, [path]);
  }
  if (language === "sh") return started("sh", ["-e", "-c", code]);
  if (language === "json") {
    writeFileSync(path, code);
    return { status: 0, printed: [], stderr: "" };
  }
  return undefined;
}
