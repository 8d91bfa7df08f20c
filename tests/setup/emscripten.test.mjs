import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { emscriptenEnvironment, findEmscripten, makeCache } from "../../bindings/setup/emscripten.mjs";
import { scratch } from "./scratch.mjs";

/** An Emscripten folder as far as the search looks at it. */
function fake(home, version) {
  mkdirSync(join(home, "cmake", "Modules", "Platform"), { recursive: true });
  writeFileSync(join(home, "cmake", "Modules", "Platform", "Emscripten.cmake"), "");
  writeFileSync(join(home, "emscripten-version.txt"), `"${version}"\n`);
  writeFileSync(join(home, "em++"), "#!/bin/sh\n");
  chmodSync(join(home, "em++"), 0o755);
  return home;
}

test("em++ on PATH comes first, as its user configured it, then EMSDK, then the unpacked one", (t) => {
  const folder = scratch(t);
  const [tree, EMSDK, link] = ["tree", "sdk", "bin"].map((name) => join(folder, name));
  const onPath = fake(join(folder, "path"), "4.0.1");
  const sdk = fake(join(EMSDK, "upstream", "emscripten"), "3.1.70");
  const own = fake(join(tree, "usr", "share", "emscripten"), "3.1.69");
  mkdirSync(link);
  symlinkSync(join(onPath, "em++"), join(link, "em++"));
  const find = (PATH, more) => findEmscripten({ env: { PATH, ...more }, tree });
  const path = { home: onPath, version: "4.0.1", unpacked: false };
  for (const PATH of [onPath, link]) assert.deepEqual(find(PATH, { EMSDK }), path);
  assert.deepEqual(Object.keys(emscriptenEnvironment(path)), ["EMSCRIPTEN_ROOT", "PATH"]);
  assert.deepEqual(find("", { EMSDK }), { home: sdk, version: "3.1.70", unpacked: false });
  for (const PATH of ["", own]) assert.deepEqual(find(PATH), { home: own, version: "3.1.69", unpacked: true });
});

test("one that is too old is passed over, and said so", (t) => {
  const folder = scratch(t);
  const said = [];
  const find = (version) =>
    findEmscripten({
      env: { PATH: fake(folder, version) },
      tree: join(folder, "none"),
      say: (text) => said.push(text),
    });
  for (const newer of ["3.1.69", "3.2.0", "4.0.0", "5.0.0-git", "3.1.100"]) assert.ok(find(newer), newer);
  assert.deepEqual(said, []);
  for (const older of ["3.1.6", "3.1.68", "2.9.99", "nonsense"]) assert.equal(find(older), undefined, older);
  assert.equal(said[0], "em++ on PATH is 3.1.6, older than 3.1.69: passed over");
});

test("the unpacked one works for a user who may not write to it: its cache is the clone's", async (t) => {
  const found = findEmscripten();
  if (!found?.unpacked) return t.skip("this machine has an Emscripten of its own");
  const { EM_CACHE, ...environment } = emscriptenEnvironment(found);
  assert.match(EM_CACHE, /build\/emscripten-cache$/);
  const folder = scratch(t);
  const cache = join(folder, "cache");
  await makeCache(found.home, cache);
  writeFileSync(join(folder, "a.cpp"), "int main() {}\n");
  // Where this is root, somebody else runs it, unless they may not even read it.
  const other = { uid: 65534, gid: 65534 };
  const mayRead = process.getuid() === 0 && spawnSync("ls", [found.home], other).status === 0;
  if (mayRead) for (const path of [folder, cache]) chownSync(path, other.uid, other.gid);
  const env = { HOME: folder, ...environment, EM_CACHE: cache };
  const options = { cwd: folder, encoding: "utf8", env, ...(mayRead && other) };
  const { status, stderr } = spawnSync(join(found.home, "em++"), ["a.cpp", "-o", "a.mjs"], options);
  assert.equal(status, 0, stderr);
  assert.ok(readdirSync(cache).includes("symbol_lists"), readdirSync(cache).join());
});
