// A folder of a test's own, a clone of nothing but the set-up, and programs that run there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root, toolchain } from "../../bindings/setup/paths.mjs";

/** A new folder, removed when the test `t` is over. */
export function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), "posenc-setup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A clone with the set-up and these files, objects as JSON. */
export function clone(t, files = {}, name = "clone") {
  const parent = scratch(t);
  chmodSync(parent, 0o755);
  const folder = join(parent, name);
  cpSync(join(root, "bindings", "setup"), join(folder, "bindings", "setup"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

/** Starts Node; `ended` resolves to { code, output }, and `said` when a text was printed. */
export function start(args, options) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
  const said = async (text) => {
    while (!chunks.join("").includes(text))
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
  };
  return { child, said, ended: once(child, "close").then(([code]) => ({ code, output: chunks.join("") })) };
}

/** Starts Node on `code`, which imports the set-up of the clone `cwd`. */
export const run = (cwd, code) => start(["--input-type=module", "--eval", code], { cwd });

/** Starts a command of a clone, with nothing on PATH but programs of these shell lines. */
export function command(folder, args, programs = {}, { env = {}, flags = [], ...options } = {}) {
  const PATH = mkdtempSync(join(folder, "bin-"));
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(PATH, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return start([...flags, join(folder, "bindings", "setup", "main.mjs"), ...args], {
    env: { HOME: folder, POSENC_TOOLCHAIN: toolchain, PATH, ...env },
    ...options,
  });
}
