// A folder of a test's own, and processes that run a piece of the set-up in it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const setup = new URL("../../bindings/setup/", import.meta.url);

/** A new folder, removed when the test `t` is over. */
export function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), "posenc-setup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts Node on `code`, which may import from the set-up by `setup("file.mjs")`. The result has the process, `said`
 * (resolves once its output contains a text) and `ended` (resolves to { code, signal, output }).
 */
export function run(code, options) {
  const script = `const setup = (file) => import(new URL(file, ${JSON.stringify(setup.href)}).href);\n${code}`;
  return follow(spawn(process.execPath, ["--input-type=module", "--eval", script], options));
}

/** Waits for a program that was started already. */
export function follow(child) {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const said = async (text) => {
    while (!output.includes(text)) await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
  };
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, output }));
  return { child, said, ended };
}
