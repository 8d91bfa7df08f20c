import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "../../bindings/setup/atomic.mjs";
import { withLock } from "../../bindings/setup/lock.mjs";
import { clone, command, run } from "./scratch.mjs";

const LOCK_FILE = { packages: { "node_modules/a": { integrity: "sha512-a" } } };

const appears = async (file) => {
  while (!existsSync(file)) await sleep(20);
};

test("a second command waits for the first, and makes anew what that left half-way when it was stopped", async (t) => {
  const folder = clone(t, { "package-lock.json": LOCK_FILE, record: LOCK_FILE });
  const hangs = "trap 'kill $!; : > stopped; exit 1' TERM; : > begun; /bin/sleep 60 & wait";
  const first = command(folder, ["build"], { npm: hangs });
  await appears(join(folder, "begun"));
  writeFileSync(join(folder, "node_modules"), "half a package");
  const installs = "/bin/mkdir node_modules && /bin/mv record node_modules/.package-lock.json";
  const second = command(folder, ["build"], { npm: installs });
  await second.said(`Waiting for process ${first.child.pid}, which is at work in this folder`);
  first.child.kill("SIGINT");
  assert.equal((await first.ended).code, 130);
  await appears(join(folder, "stopped"));
  assert.match((await second.ended).output, /\[1\/3\] node-packages: 1 installed/);
});

/** Adds one to a counter in a file, slowly: two at once without a lock would lose a count. */
const COUNT = `
  import { readFileSync, writeFileSync } from "node:fs";
  import { withLock } from "./bindings/setup/lock.mjs";
  for (let i = 0; i < 3; i += 1)
    await withLock(process.cwd() + "/lock", async () => {
      const before = Number(readFileSync("count", "utf8"));
      await new Promise((done) => setTimeout(done, 50));
      writeFileSync("count", String(before + 1));
    });`;

test("one at a time works under a lock, and an error lets go of it", async (t) => {
  const cwd = clone(t, { count: 0 });
  const lock = join(cwd, "lock");
  let counting;
  const failing = withLock(lock, async () => {
    counting = [1, 2, 3].map(() => run(cwd, COUNT).ended);
    await sleep(500); // all three wait
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  for (const { code, output } of await Promise.all(counting)) assert.equal(code, 0, output);
  assert.equal(readFileSync(join(cwd, "count"), "utf8"), "9");
});

const HALF_WAY = `
  import { writeFileSync } from "node:fs";
  import { makeFolder } from "./bindings/setup/atomic.mjs";
  await makeFolder("made/target", (part) => {
    writeFileSync(part + "/of the killed run", "1");
    console.log("half-way");
    return new Promise((done) => setTimeout(done, 60000));
  });`;

test("a folder is there as a whole or not at all, after a kill and after a failure", async (t) => {
  const cwd = clone(t);
  const { child, said, ended } = run(cwd, HALF_WAY);
  await said("half-way");
  child.kill("SIGKILL");
  await ended;
  const target = join(cwd, "made", "target");
  assert.ok(!existsSync(target));
  await makeFolder(target, (part) => writeFileSync(join(part, "whole"), ""));
  assert.deepEqual(readdirSync(target), ["whole"]);
  const full = new Error("ENOSPC: no space left on device");
  await assert.rejects(() => makeFolder(target, () => Promise.reject(full)), full);
  assert.deepEqual(readdirSync(join(cwd, "made")), ["target"]);
});
