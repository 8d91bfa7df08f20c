import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ensureFolder, writeWhole } from "../../bindings/setup/atomic.mjs";
import { run, scratch } from "./scratch.mjs";

const HALF_WAY = `
  const { ensureFolder } = await setup("atomic.mjs");
  const { writeFileSync } = await import("node:fs");
  await ensureFolder("target", (part) => {
    writeFileSync(part + "/first", "1");
    console.log("half-way");
    return new Promise((done) => setTimeout(done, 60000));
  });`;

const fill = async (part) => {
  for (const name of ["first", "second"]) writeFileSync(join(part, name), name);
};

test("a run killed half-way leaves no target, and the next one tidies up and completes it", async (t) => {
  const cwd = scratch(t);
  const { child, said, ended } = run(HALF_WAY, { cwd });
  await said("half-way");
  child.kill("SIGKILL");
  await ended;
  assert.deepEqual(readdirSync(cwd), [`target.part-${child.pid}`]);
  assert.equal(await ensureFolder(join(cwd, "target"), fill), true);
  assert.deepEqual(readdirSync(cwd), ["target"]);
  assert.deepEqual(readdirSync(join(cwd, "target")), ["first", "second"]);
});

test("Ctrl-C leaves nothing behind", async (t) => {
  const cwd = scratch(t);
  const { child, said, ended } = run(HALF_WAY, { cwd });
  await said("half-way");
  child.kill("SIGINT");
  await ended;
  assert.deepEqual(readdirSync(cwd), []);
});

test("a failure leaves nothing behind and what is complete is not made again", async (t) => {
  const cwd = scratch(t);
  const target = join(cwd, "target");
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  await assert.rejects(
    ensureFolder(target, () => Promise.reject(full)),
    full,
  );
  assert.deepEqual(readdirSync(cwd), []);
  assert.equal(await ensureFolder(target, fill), true);
  assert.equal(await ensureFolder(target, () => assert.fail("made twice")), false);
});

test("a file is replaced as a whole", (t) => {
  const file = join(scratch(t), "folder", "file");
  writeWhole(file, "one");
  writeWhole(file, "two");
  assert.equal(readFileSync(file, "utf8"), "two");
});
