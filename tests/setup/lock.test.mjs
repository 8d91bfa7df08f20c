import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withLock } from "../../bindings/setup/lock.mjs";
import { run, scratch } from "./scratch.mjs";

/** Adds one to a counter in a file, slowly: two at once without a lock would lose a count. */
const COUNT = `
  const { withLock } = await setup("lock.mjs");
  const { readFileSync, writeFileSync } = await import("node:fs");
  for (let i = 0; i < 3; i += 1)
    await withLock(process.cwd() + "/lock", async () => {
      const before = Number(readFileSync("count", "utf8"));
      await new Promise((done) => setTimeout(done, 20));
      writeFileSync("count", String(before + 1));
    });`;

const HOLD = `
  const { withLock } = await setup("lock.mjs");
  await withLock(process.cwd() + "/lock", () => { console.log("held"); return new Promise((done) => setTimeout(done, 60000)); });`;

test("who waits is told for whom, and one at a time goes on when that is killed", async (t) => {
  const cwd = scratch(t);
  const holder = run(HOLD, { cwd });
  await holder.said("held");
  writeFileSync(join(cwd, "count"), "0");
  const counting = [1, 2, 3].map(() => run(COUNT, { cwd }).ended);
  const told = [];
  await withLock(
    join(cwd, "lock"),
    async () => {},
    (pid) => {
      told.push(pid);
      holder.child.kill("SIGKILL");
    },
  );
  assert.deepEqual(told, [String(holder.child.pid)]);
  for (const { code, output } of await Promise.all(counting)) assert.equal(code, 0, output);
  assert.equal(readFileSync(join(cwd, "count"), "utf8"), "9");
});

test("Ctrl-C lets go of the lock, and so does an error", async (t) => {
  const cwd = scratch(t);
  const holder = run(HOLD, { cwd });
  await holder.said("held");
  holder.child.kill("SIGINT");
  await holder.ended;
  const failing = () => Promise.reject(new Error("no"));
  await assert.rejects(withLock(join(cwd, "lock"), failing), /no/);
  assert.equal(await withLock(join(cwd, "lock"), async () => "worked"), "worked");
});
