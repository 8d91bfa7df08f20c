import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sharedLock, withLock } from "../../bindings/setup/lock.mjs";
import { run, scratch } from "./scratch.mjs";

/** Adds one to a counter in a file, slowly: two at once without a lock would lose a count. */
const COUNT = `
  const { withLock } = await setup("lock.mjs");
  const { readFileSync, writeFileSync } = await import("node:fs");
  for (let i = 0; i < 5; i += 1)
    await withLock("lock", async () => {
      const before = Number(readFileSync("count", "utf8"));
      await new Promise((done) => setTimeout(done, 20));
      writeFileSync("count", String(before + 1));
    });`;

const HOLD = `
  const { withLock } = await setup("lock.mjs");
  await withLock("lock", () => { console.log("held"); return new Promise((done) => setTimeout(done, 60000)); });`;

test("processes at once take turns", async (t) => {
  const cwd = scratch(t);
  writeFileSync(join(cwd, "count"), "0");
  const ends = await Promise.all([1, 2, 3].map(() => run(COUNT, { cwd }).ended));
  for (const { code, output } of ends) assert.equal(code, 0, output);
  assert.equal(readFileSync(join(cwd, "count"), "utf8"), "15");
  assert.ok(!existsSync(join(cwd, "lock")));
});

test("who waits is told for whom", async (t) => {
  const cwd = scratch(t);
  const holder = run(HOLD, { cwd });
  await holder.said("held");
  const told = [];
  const waiting = withLock(
    join(cwd, "lock"),
    async () => {},
    (pid) => {
      told.push(pid);
      holder.child.kill("SIGKILL");
    },
  );
  await waiting;
  assert.deepEqual(told, [holder.child.pid]);
  await holder.ended;
});

test("the lock of a killed process is broken, by one of several waiters at a time", async (t) => {
  const cwd = scratch(t);
  const holder = run(HOLD, { cwd });
  await holder.said("held");
  writeFileSync(join(cwd, "count"), "0");
  holder.child.kill("SIGKILL");
  await holder.ended;
  assert.ok(existsSync(join(cwd, "lock")));
  const ends = await Promise.all([1, 2, 3].map(() => run(COUNT, { cwd }).ended));
  for (const { code, output } of ends) assert.equal(code, 0, output);
  assert.equal(readFileSync(join(cwd, "count"), "utf8"), "15");
});

test("a process number used again is not taken for the owner", { skip: process.platform !== "linux" }, async (t) => {
  const lock = join(scratch(t), "lock");
  writeFileSync(lock, JSON.stringify({ pid: process.pid, start: "1", id: "another" }));
  assert.equal(await withLock(lock, async () => "worked"), "worked");
});

test("Ctrl-C lets go of the lock, and so does an error", async (t) => {
  const cwd = scratch(t);
  const holder = run(HOLD, { cwd });
  await holder.said("held");
  holder.child.kill("SIGINT");
  assert.equal((await holder.ended).code, 130);
  assert.ok(!existsSync(join(cwd, "lock")));
  await assert.rejects(
    withLock(join(cwd, "lock"), async () => {
      throw new Error("no");
    }),
    /no/,
  );
  assert.ok(!existsSync(join(cwd, "lock")));
});

test("work of one process shares its lock, and the last lets it go", async (t) => {
  const lock = join(scratch(t), "lock");
  const share = sharedLock(lock);
  const gates = [];
  const work = () => share(() => new Promise((done) => gates.push(done)));
  const [first, second] = [work(), work()];
  while (gates.length < 2) await new Promise((done) => setImmediate(done));
  gates[0]("first");
  assert.equal(await first, "first");
  assert.ok(existsSync(lock), "the second holds it still");
  gates[1]("second");
  assert.equal(await second, "second");
  const waited = [];
  await share(
    async () => assert.ok(existsSync(lock), "taken again"),
    (pid) => waited.push(pid),
  );
  assert.deepEqual(waited, [], "not by waiting for ourselves");
  await assert.rejects(
    share(async () => {
      throw new Error("no");
    }),
    /no/,
  );
  while (existsSync(lock)) await new Promise((done) => setImmediate(done));
});
