// A user reads these when the set-up cannot go on: commands run for real in a folder that holds nothing but the set-up.
import assert from "node:assert/strict";
import { chownSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { adviceFor } from "../../bindings/setup/failure.mjs";
import { checkPaths, which } from "../../bindings/setup/paths.mjs";
import { clone, command } from "./scratch.mjs";

const PACKAGES = { "node_modules/acorn": { version: "8.0.0", integrity: "sha512-AAAA" } };
const SELF = { name: "a", dependencies: { acorn: "8.0.0" } };
const FILES = {
  "package.json": SELF,
  "package-lock.json": { name: "a", lockfileVersion: 3, packages: { "": SELF, ...PACKAGES } },
};
const RECORD = { "node_modules/.package-lock.json": { packages: PACKAGES } };

const user = (id) => ({ flags: ["--import", `data:text/javascript,process.getuid=()=>${id}`] });
const npm = `PATH='${dirname(process.execPath)}:${process.env.PATH}' exec '${which("npm")}' "$@"`;
// Nothing listens on the discard port, so this is a network that refuses.
const offline = {
  npm_config_registry: "http://127.0.0.1:9/",
  npm_config_fetch_retries: "0",
  npm_config_audit: "false",
};
const unwritable = "echo 'npm error code EACCES\nnpm error path /home/me/.npm' >&2; exit 243";
const absent = 'case "$*" in *install*) echo "E: Unable to locate package clang-19"; exit 100;; esac';
const NETWORK = /-packages: failed[\s\S]*The network, or .* behind it, did not answer.*run the same command again/;

/** Somebody else than whom `build` belongs to. */
function foreignBuild(folder) {
  mkdirSync(join(folder, "build"), { mode: 0o555 });
  const other = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (other.uid) chownSync(folder, other.uid, other.gid);
  return other;
}

function fullDisk(folder) {
  mkdirSync(join(folder, "build", "logs"), { recursive: true });
  symlinkSync("/dev/full", join(folder, "build", "logs", "node-packages.log"));
}

// Each: the programs there are, what else is special, and what is said. Packages are there unless there is npm.
const ROWS = {
  "npm without a network": [{ npm }, { env: offline }, NETWORK],
  "npm's cache": [{ npm: unwritable }, {}, /\/home\/me\/\.npm could not be written.*npm_config_cache can name another/],
  "apt without a network": [{ "apt-get": "echo Could not connect to 127.0.0.1; exit 100" }, user(0), NETWORK],
  "no such package": [{ "apt-get": absent }, user(0), /archive does not have: clang-19\. Install it by hand/],
  "no administrator": [{ "apt-get": "" }, user(1000), /Type: sudo apt-get update && sudo .* python3 cmake ninja-build/],
  "a machine without apt": [{}, {}, /Missing: python3, cmake, ninja-build.*this machine's package manager\./],
  "another user's build/": [
    { npm: "echo" },
    { prepare: foreignBuild },
    /build\S* could not be written\. Check who owns it/,
  ],
  "a full disk": [{ npm: "echo a line" }, { prepare: fullDisk }, /The disk is full/],
  "an unknown command": [{}, { args: ["biuld"] }, /Commands: start, test, build, lint, format, .*, test-sanitized/],
  "an unknown option": [{}, { args: ["test", "--onyl", "api"] }, /--onyl/],
  "a path that tools misread": [
    {},
    { name: "a$b" },
    /^\s*\S*a\$b has "\$" in it.*Move it to a path of letters, digits/,
  ],
};

for (const [title, [programs, options, said]] of Object.entries(ROWS))
  test(title, async (t) => {
    const { args = ["build"], name, prepare, ...more } = options;
    const folder = clone(t, { ...FILES, ...(programs.npm ? {} : RECORD) }, name);
    const { code, output } = await command(folder, args, programs, { ...more, ...prepare?.(folder) }).ended;
    assert.equal(code, 1);
    assert.match(output, said);
    assert.doesNotMatch(output, /^ +at |at file:|Unhandled|127\.0\.0\.1/m, "neither a stack nor an address");
  });

test("paths with characters that shells take for something else are refused, and others are not", () => {
  for (const wrong of ['"', "'", "(", "&", ";", ":", "#", "%", "\\", "`", "\n", "*", "|", "<", "!"])
    assert.throws(() => checkPaths(["/home/me", `/home/a${wrong}b`]), { name: "SetupFailure" }, wrong);
  checkPaths(["/home/Jörg/my projects/位置编码/posenc-0.1+b_2,@=~"]);
});

test("causes that a user can mend are told from tools' output", () => {
  assert.match(adviceFor("tar: write error: No space left on device\nE: Failed to fetch"), /disk is full/);
  assert.match(adviceFor("EACCES: permission denied, mkdir"), /^A file or folder could not be written/);
  assert.equal(adviceFor("error: expected ';'"), "");
});
