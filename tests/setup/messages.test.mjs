// A user reads these when the set-up cannot go on: commands run for real in a folder that holds nothing but the set-up.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { howToInstall } from "../../bindings/setup/debian-packages.mjs";
import { adviceFor } from "../../bindings/setup/failure.mjs";
import { checkPaths, toolchain, which } from "../../bindings/setup/paths.mjs";
import { follow, scratch, setup } from "./scratch.mjs";

const NO_PACKAGES = {
  "package-lock.json": { packages: { "": {} } },
  "node_modules/.package-lock.json": { packages: {} },
};
const ONE_PACKAGE = {
  "package.json": { name: "a", dependencies: { acorn: "8.0.0" } },
  "package-lock.json": {
    name: "a",
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { acorn: "8.0.0" } },
      "node_modules/acorn": { version: "8.0.0", integrity: "sha512-AAAA" },
    },
  },
};

/** Makes a clone of nothing but the set-up and these files. */
function clone(t, files) {
  const folder = scratch(t);
  cpSync(fileURLToPath(setup), join(folder, "bindings", "setup"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

/** Programs that end with these shell lines, in a folder to put on PATH. */
function programs(folder, scripts) {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

const AS_USER = ["--import", "data:text/javascript,process.getuid=()=>1000"];
const AS_ROOT = ["--import", "data:text/javascript,process.getuid=()=>0"];

const command = (folder, env, flags = [], as = {}) =>
  follow(
    spawn(process.execPath, [...flags, join(folder, "bindings", "setup", "main.mjs"), "build"], {
      env: { HOME: folder, POSENC_TOOLCHAIN: toolchain, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...as,
    }),
  ).ended;

test("npm without a network", async (t) => {
  const folder = clone(t, ONE_PACKAGE);
  // Nothing listens on the discard port, so this is a network that refuses.
  const npm = { npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0", npm_config_audit: "false" };
  const { code, output } = await command(folder, { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...npm });
  assert.equal(code, 1);
  assert.match(output, /\[1\/3\] node-packages: failed/);
  assert.match(output, /The network, or the package mirror behind it, did not answer/);
  assert.match(output, /run the same command again/);
  assert.doesNotMatch(output, /at file:|127\.0\.0\.1/, "neither a stack nor an address");
});

test("npm's cache in a home that cannot be written is named", async (t) => {
  const folder = clone(t, ONE_PACKAGE);
  const server = createServer((_, response) => response.end("a package"));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => server.close());
  const registry = `http://127.0.0.1:${server.address().port}/`;
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o555 });
  // Root may write everywhere: where this is root, npm alone runs as somebody else, who owns what else it writes.
  const as = process.getuid() === 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";
  const PATH = `${programs(folder, { npm: `exec ${as} '${which("npm")}' "$@"` })}:${dirname(process.execPath)}:${process.env.PATH}`;
  chmodSync(folder, 0o777);
  const { code, output } = await command(folder, { PATH, HOME: home, npm_config_registry: registry });
  assert.equal(code, 1);
  assert.match(output, /node-packages: failed/);
  assert.ok(output.includes(`${home}/.npm could not be written`), output);
  assert.match(output, /npm_config_cache can name another for/);
});

test("a path that the build's tools do not get on with is refused at once, and others are not", async (t) => {
  const folder = join(scratch(t), "a$b");
  cpSync(fileURLToPath(setup), join(folder, "bindings", "setup"), { recursive: true });
  const { code, output } = await command(folder, { PATH: process.env.PATH });
  assert.equal(code, 1);
  assert.match(output, /a\$b has "\$" in it.*Move it to a path of letters, digits/);
  assert.doesNotMatch(output, /\[1\/|at file:/);
  for (const wrong of ['"', "'", "(", "&", ";", ":", "#", "%", "\\", "`", "\n", "*", "|", "<", "!"])
    assert.throws(() => checkPaths(["/home/me", `/home/a${wrong}b`]), { name: "SetupFailure" }, wrong);
  checkPaths(["/home/Jörg/my projects/位置编码/posenc-0.1+b_2,@=~"]);
});

test("apt without a network", async (t) => {
  const folder = clone(t, NO_PACKAGES);
  const PATH = programs(folder, {
    "apt-get": "echo 'Err:1 http://mirror.invalid/debian Temporary failure resolving' >&2; exit 100",
    "apt-cache": "exit 0",
  });
  const { code, output } = await command(folder, { PATH }, AS_ROOT);
  assert.equal(code, 1);
  assert.match(output, /system-packages: failed/);
  assert.match(output, /The network, or the package mirror behind it, did not answer/);
  assert.doesNotMatch(output, /mirror\.invalid/);
});

test("a package that the archive does not have", async (t) => {
  const folder = clone(t, NO_PACKAGES);
  const install = 'case "$*" in *install*) echo "E: Unable to locate package clang-19"; exit 100;; esac';
  const { code, output } = await command(folder, { PATH: programs(folder, { "apt-get": install }) }, AS_ROOT);
  assert.equal(code, 1);
  assert.match(output, /archive does not have: clang-19\. Install it by hand/);
});

test("somebody who is not root is told the command to type", async (t) => {
  const folder = clone(t, NO_PACKAGES);
  const { code, output } = await command(folder, { PATH: programs(folder, { "apt-get": "exit 0" }) }, AS_USER);
  assert.equal(code, 1);
  assert.match(
    output,
    /Type: sudo apt-get update && sudo apt-get install --no-install-recommends python3 cmake ninja-build/,
  );
});

test("a build folder of another user's and a full disk are told without a stack", async (t) => {
  const folder = clone(t, ONE_PACKAGE);
  const logs = join(folder, "build", "logs");
  mkdirSync(logs, { recursive: true });
  for (const path of [logs, join(folder, "build")]) chmodSync(path, 0o555);
  chmodSync(folder, 0o755);
  const PATH = `${programs(folder, { npm: "echo a line" })}:${process.env.PATH}`;
  const other = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  const foreign = await command(folder, { PATH }, [], other);
  assert.match(foreign.output, /build\S* could not be written\. Check who owns it/);
  for (const path of [join(folder, "build"), logs]) chmodSync(path, 0o755);
  symlinkSync("/dev/full", join(logs, "node-packages.log"));
  const full = await command(folder, { PATH });
  assert.match(full.output, /The disk is full/);
  for (const { code, output } of [foreign, full]) {
    assert.equal(code, 1);
    assert.doesNotMatch(output, /^ +at |Unhandled/m);
  }
});

test("a machine without apt is told what is missing", () => {
  assert.match(howToInstall(["cmake", "g++"], { apt: false }), /^Missing: cmake, g\+\+ .*package manager\.$/);
});

test("an unknown command or option is answered with the known ones", async (t) => {
  const folder = clone(t, NO_PACKAGES);
  const main = join(folder, "bindings", "setup", "main.mjs");
  const { code, output } = await follow(spawn(process.execPath, [main, "biuld"])).ended;
  assert.equal(code, 1);
  assert.match(output, /Commands: start, test, build, lint, format, bench, .*, test-sanitized/);
  const option = await follow(spawn(process.execPath, [main, "test", "--onyl", "api"])).ended;
  assert.equal(option.code, 1);
  assert.match(option.output, /--onyl/);
  assert.doesNotMatch(option.output, /at file:/);
});

test("causes that a user can mend are told from tools' output", () => {
  assert.match(adviceFor("tar: write error: No space left on device\nE: Failed to fetch"), /disk is full/);
  assert.match(adviceFor("npm error code EAI_AGAIN"), /network/);
  assert.match(adviceFor("EACCES: permission denied, mkdir"), /could not be written/);
  assert.match(adviceFor("EACCES: permission denied, mkdir '/opt/tools'"), /^\/opt\/tools could not be written/);
  assert.equal(adviceFor("error: expected ';'"), "");
});
