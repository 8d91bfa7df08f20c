import assert from "node:assert/strict";
import { test } from "node:test";
import { clone, run } from "./scratch.mjs";

// The stamps are in the clone.
const STEP = `
  import assert from "node:assert/strict";
  import { renameSync, rmSync, writeFileSync } from "node:fs";
  import { runSteps } from "./bindings/setup/steps.mjs";
  let version = 1;
  const step = { name: "step", title: "step", inputs: ["src", "absent"], outputs: () => ["made"], isTest: true };
  const work = () => writeFileSync("made", "");
  const expect = async (expected, name, { run = work, again = false } = {}) => {
    const steps = [{ ...step, facts: () => ({ version }), run }];
    const [{ state }] = await runSteps(steps, { out: { write() {} }, keepGoing: true, again });
    assert.equal(state, expected, name);
  };
  const EDITS = {
    "nothing is made yet": () => {},
    "a new file": () => writeFileSync("src/inner/b", "2"),
    "other contents": () => writeFileSync("src/inner/b", "3"),
    "another name": () => renameSync("src/a", "src/c"),
    "a file less": () => rmSync("src/c"),
    "a file that was absent": () => writeFileSync("absent", ""),
    "another fact": () => { version = 2; },
    "its output is gone": () => rmSync("made"),
  };
  for (const [name, edit] of Object.entries(EDITS)) {
    edit();
    await expect("ok", name);
    await expect("up to date", name);
  }
  writeFileSync("src/inner/b", "3");
  await expect("up to date", "another time, the same contents");
  await expect("ok", "asked for again", { again: true });
  version = 3;
  await expect("failed", "an error", { run: () => Promise.reject(new Error("failed")) });
  await expect("ok", "after a failure");`;

test("a step is done once, and again when an input or output changed, it failed, or it is asked for", async (t) => {
  const { code, output } = await run(clone(t, { "src/a": 1, "src/inner/x": 1 }), STEP).ended;
  assert.equal(code, 0, output);
});
