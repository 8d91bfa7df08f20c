import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atLeast, emscriptenEnvironment, findEmscripten, makeCache } from "../../bindings/setup/emscripten.mjs";
import { scratch } from "./scratch.mjs";

test("versions are compared as numbers", () => {
  for (const newer of ["3.1.69", "3.1.70", "3.2.0", "4.0.0", "6.0.5", "5.0.0-git", "3.1.100"])
    assert.ok(atLeast(newer, "3.1.69"), newer);
  for (const older of ["3.1.6", "3.1.68", "3.0.99", "2.9.99", "nonsense", ""])
    assert.ok(!atLeast(older, "3.1.69"), older);
});

/** An Emscripten folder as far as the search looks at it. */
function fake(home, version) {
  mkdirSync(join(home, "cmake", "Modules", "Platform"), { recursive: true });
  writeFileSync(join(home, "cmake", "Modules", "Platform", "Emscripten.cmake"), "");
  writeFileSync(join(home, "emscripten-version.txt"), `"${version}"\n`);
  writeFileSync(join(home, "em++"), "#!/bin/sh\n");
  chmodSync(join(home, "em++"), 0o755);
  return home;
}

test("em++ on PATH comes first, then EMSDK, then the unpacked one", (t) => {
  const folder = scratch(t);
  const onPath = fake(join(folder, "path"), "4.0.1");
  const sdk = fake(join(folder, "sdk", "upstream", "emscripten"), "3.1.70");
  const tree = join(folder, "tree");
  const own = fake(join(tree, "usr", "share", "emscripten"), "3.1.69");
  const find = (env) => findEmscripten({ env, tree });
  assert.deepEqual(find({ PATH: onPath, EMSDK: join(folder, "sdk") }), {
    home: onPath,
    version: "4.0.1",
    unpacked: false,
  });
  assert.equal(find({ PATH: "", EMSDK: join(folder, "sdk") }).home, sdk);
  assert.deepEqual(find({ PATH: "" }), { home: own, version: "3.1.69", unpacked: true });
  assert.equal(find({ PATH: own }).unpacked, true, "the unpacked one may be on PATH too");
  assert.equal(findEmscripten({ env: { PATH: "" }, tree: join(folder, "none") }), undefined);
});

test("one that is too old is passed over, and said so; a link leads to the folder behind it", (t) => {
  const folder = scratch(t);
  const old = fake(join(folder, "old"), "3.1.6");
  const home = fake(join(folder, "libexec"), "5.0.0");
  const said = [];
  const find = (PATH) => findEmscripten({ env: { PATH }, tree: join(folder, "none"), say: (text) => said.push(text) });
  assert.equal(find(old), undefined);
  assert.deepEqual(said, ["em++ on PATH is 3.1.6, older than 3.1.69: passed over"]);
  mkdirSync(join(folder, "bin"));
  symlinkSync(join(home, "em++"), join(folder, "bin", "em++"));
  assert.equal(find(join(folder, "bin")).home, home);
});

test("the environment leaves a user's own Emscripten as they configured it", () => {
  const own = emscriptenEnvironment({ home: "/e", unpacked: false }, "/bin");
  assert.deepEqual(Object.keys(own), ["EMSCRIPTEN_ROOT", "PATH"]);
  assert.match(own.PATH, /^\/e:.*node_modules\/\.bin:\/bin$/);
  const unpacked = emscriptenEnvironment({ home: "/e", unpacked: true }, "/bin");
  assert.equal(unpacked.EM_NODE_JS, process.execPath);
});

test("the unpacked one works for a user who may not write to it: its cache is the clone's", async (t) => {
  const found = findEmscripten();
  if (!found?.unpacked) return t.skip("this machine has an Emscripten of its own");
  const { EM_CACHE, ...environment } = emscriptenEnvironment(found);
  assert.match(EM_CACHE, /build\/emscripten-cache$/);
  const folder = scratch(t);
  const cache = join(folder, "cache");
  await makeCache(found.home, cache);
  await makeCache(found.home, cache); // is content
  writeFileSync(join(folder, "a.cpp"), "int main() {}\n");
  // Where this is root, somebody else runs it, unless they may not even read it.
  const other = { uid: 65534, gid: 65534 };
  const mayRead = process.getuid() === 0 && spawnSync("ls", [found.home], other).status === 0;
  if (mayRead) for (const path of [folder, cache]) chownSync(path, other.uid, other.gid);
  const { status, stderr } = spawnSync(join(found.home, "em++"), ["a.cpp", "-o", "a.mjs"], {
    cwd: folder,
    encoding: "utf8",
    env: { HOME: folder, ...environment, EM_CACHE: cache },
    ...(mayRead ? other : {}),
  });
  assert.equal(status, 0, stderr);
  assert.ok(existsSync(join(folder, "a.wasm")));
  assert.ok(readdirSync(cache).includes("symbol_lists"), readdirSync(cache).join());
});
