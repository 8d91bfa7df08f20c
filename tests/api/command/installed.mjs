// The command as a user gets it: packed, installed into a new project, and run there.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { root } from "../../../bindings/setup/paths.mjs";
import { sampled } from "../diagnosis/rotations.mjs";

const isWindows = process.platform === "win32";
const npm = isWindows ? "npm.cmd" : "npm";

/** A project that has posenc; the folder is there while tests run. */
export const project = mkdtempSync(join(tmpdir(), "posenc-command-"));

before(() => {
  const run = (args, cwd) => execFileSync(npm, args, { cwd, encoding: "utf8", stdio: "pipe", shell: isWindows });
  const [packed] = JSON.parse(run(["pack", "--json", "--ignore-scripts", "--pack-destination", project], root));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  run(["install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`], project);
});

after(() => rmSync(project, { recursive: true, force: true }));

export const inProject = (file) => join(project, file);
export const write = (name, content) => writeFileSync(inProject(name), content);

export const config = {
  model_type: "llama",
  hidden_size: 128,
  num_attention_heads: 2,
  num_hidden_layers: 2,
  rope_theta: 500000,
};

/** Vectors of one of its heads, before and after the rotation. */
export const positions = [0, 1, 2, 3, 5, 8, 13, 21];
export const plan = { dim: 64, layout: "half", base: 500000 };
export const right = sampled(positions, plan);

/** Runs `posenc` in the project. */
export function posenc(...args) {
  const program = inProject(join("node_modules", ".bin", isWindows ? "posenc.cmd" : "posenc"));
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project, encoding: "utf8", shell: isWindows });
  return { status, out: stdout, error: stderr };
}

/** Its exit code where whoever reads its output has stopped before it begins. */
export function unread(...args) {
  const program = inProject(join("node_modules", ".bin", "posenc"));
  const script = '"$0" "$@" | true; exit "$PIPESTATUS"';
  return spawnSync("bash", ["-c", script, program, ...args], { cwd: project, stdio: ["ignore", "ignore", "ignore"] })
    .status;
}

/** Runs `posenc` with this on standard input; its output is text, or with the encoding "buffer" bytes. */
export function withInput(input, ...given) {
  const [{ encoding }, ...args] = typeof given[0] === "string" ? [{ encoding: "utf8" }, ...given] : given;
  const program = inProject(join("node_modules", ".bin", isWindows ? "posenc.cmd" : "posenc"));
  const options = { cwd: project, input, encoding, shell: isWindows, maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { status, out: stdout, error: stderr };
}

/** Runs a line of bash in the project, where `posenc` is on the path. */
export function script(line) {
  const path = `${inProject(join("node_modules", ".bin"))}:${process.env.PATH}`;
  const options = { cwd: project, encoding: "utf8", env: { ...process.env, PATH: path }, maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], options);
  return { status, out: stdout, error: stderr };
}

/** Runs it on a terminal, without whose program tests of one are skipped. */
export const onTerminal = (line) => script(`script -qec '${line}' /dev/null </dev/null`);
export const hasTerminal = () => !isWindows && script("script --version").status === 0;

/** Parses what it prints as JSON. */
export const jsonOf = (...args) => JSON.parse(posenc(...args, "--json").out);
