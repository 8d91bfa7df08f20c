import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "../../bindings/setup/atomic.mjs";
import { withLock } from "../../bindings/setup/lock.mjs";
import { clone, command, scratch } from "./scratch.mjs";

const LOCK_FILE = { packages: { "node_modules/a": { integrity: "sha512-a" } } };

const appears = async (file) => {
  while (!existsSync(file)) await sleep(20);
};

test("a second command waits for the first and makes anew what that left half-way", { timeout: 120_000 }, async (t) => {
  const folder = clone(t, { "package-lock.json": LOCK_FILE, record: LOCK_FILE });
  const hangs = "trap 'kill $!; : > stopped; exit 1' TERM; echo half a package > node_modules; /bin/sleep 60 & wait";
  const first = command(folder, ["build"], { npm: hangs });
  await appears(join(folder, "node_modules"));
  const installs = "/bin/mkdir node_modules && /bin/mv record node_modules/.package-lock.json";
  const second = command(folder, ["build"], { npm: installs });
  await second.said(`Waiting for process ${first.child.pid}, which is at work in this folder`);
  first.child.kill("SIGINT");
  assert.equal((await first.ended).code, 130);
  await appears(join(folder, "stopped"));
  assert.match((await second.ended).output, /\[1\/3\] node-packages: 1 installed/);
});

test("one at a time works under a lock, and an error lets go of it", async (t) => {
  const lock = scratch(t);
  let working = 0;
  const work = async () => {
    assert.equal(++working, 1);
    await sleep(50);
    working -= 1;
    throw new Error("broken");
  };
  for (const { reason } of await Promise.allSettled([1, 2, 3].map(() => withLock(lock, work))))
    assert.equal(reason?.message, "broken");
});

test("a folder is there as a whole or not at all", async (t) => {
  const folder = scratch(t);
  const target = join(folder, "target");
  mkdirSync(`${target}.part`);
  writeFileSync(join(`${target}.part`, "of a killed run"), "");
  await makeFolder(target, (part) => {
    writeFileSync(join(part, "whole"), "");
    assert.ok(!existsSync(target));
  });
  await assert.rejects(() => makeFolder(target, () => Promise.reject(new Error("ENOSPC"))), /ENOSPC/);
  assert.deepEqual(readdirSync(folder), ["target"]);
  assert.deepEqual(readdirSync(target), ["whole"]);
});
