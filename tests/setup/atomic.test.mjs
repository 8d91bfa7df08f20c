import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder, writeWhole } from "../../bindings/setup/atomic.mjs";
import { run, scratch } from "./scratch.mjs";

const HALF_WAY = `
  const { makeFolder } = await setup("atomic.mjs");
  const { writeFileSync } = await import("node:fs");
  await makeFolder("target", (part) => {
    writeFileSync(part + "/of the killed run", "1");
    console.log("half-way");
    return new Promise((done) => setTimeout(done, 60000));
  });`;

test("a run killed half-way leaves no target, and the next one makes all of it anew", async (t) => {
  const cwd = scratch(t);
  const { child, said, ended } = run(HALF_WAY, { cwd });
  await said("half-way");
  child.kill("SIGKILL");
  await ended;
  const target = join(cwd, "target");
  assert.ok(!existsSync(target));
  await makeFolder(target, (part) => writeFileSync(join(part, "whole"), ""));
  assert.deepEqual(readdirSync(cwd), ["target"]);
  assert.deepEqual(readdirSync(target), ["whole"]);
});

test("a failure leaves nothing behind", async (t) => {
  const cwd = scratch(t);
  const full = new Error("ENOSPC: no space left on device");
  await assert.rejects(
    makeFolder(join(cwd, "target"), () => Promise.reject(full)),
    full,
  );
  assert.deepEqual(readdirSync(cwd), []);
});

test("a file is replaced as a whole", (t) => {
  const file = join(scratch(t), "folder", "file");
  writeWhole(file, "one");
  writeWhole(file, "two");
  assert.equal(readFileSync(file, "utf8"), "two");
  assert.deepEqual(readdirSync(join(file, "..")), ["file"]);
});
