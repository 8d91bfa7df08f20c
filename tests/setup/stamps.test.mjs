import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fingerprint } from "../../bindings/setup/stamps.mjs";
import { run, scratch, setup } from "./scratch.mjs";

test("a fingerprint changes with contents, names, facts and missing files, and with nothing else", (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, "src", "inner"), { recursive: true });
  writeFileSync(join(folder, "src", "a"), "1");
  writeFileSync(join(folder, "src", "inner", "b"), "2");
  const now = (facts) => fingerprint(["src", "absent"], facts, folder);
  const seen = [now()];
  assert.equal(now(), seen[0]);
  const change = (name, edit, facts) => {
    edit();
    const value = now(facts);
    assert.ok(!seen.includes(value), name);
    seen.push(value);
  };
  change("contents", () => writeFileSync(join(folder, "src", "inner", "b"), "3"));
  change("a name", () => renameSync(join(folder, "src", "a"), join(folder, "src", "c")));
  change("a new file", () => writeFileSync(join(folder, "absent"), ""));
  change("a file less", () => rmSync(join(folder, "src", "c")));
  change("a fact", () => {}, { version: "3.1.69" });
  writeFileSync(join(folder, "src", "inner", "b"), "3"); // written again: another time, the same contents
  assert.equal(now(), seen[4]);
});

test("a step is done once, again when its inputs or outputs change, and again after a failure", async (t) => {
  const folder = scratch(t);
  // The stamps are in the clone, so a copy of the set-up in a folder of its own is asked.
  const { code: exit, output } = await run(
    `
    const { cpSync, writeFileSync, rmSync } = await import("node:fs");
    const { fileURLToPath, pathToFileURL } = await import("node:url");
    cpSync(fileURLToPath(${JSON.stringify(setup.href)}), "bindings/setup", { recursive: true });
    const { runSteps } = await import(pathToFileURL("bindings/setup/steps.mjs").href);
    const work = async () => writeFileSync("made", "");
    const out = { write: () => {} };
    const ask = async (fact, run = work, again = false) => {
      const step = { name: "step", title: "step", inputs: ["in"], facts: () => fact, outputs: () => ["made"], run };
      const [{ state }] = await runSteps([{ ...step, isTest: true }], { out, keepGoing: true, again });
      return state;
    };
    const answers = [await ask("1"), await ask("1"), await ask("1", work, true), await ask("2")];
    rmSync("made");
    answers.push(await ask("2"), await ask("3", () => Promise.reject(new Error("failed"))), await ask("3"), await ask("3"));
    writeFileSync("in", "changed");
    answers.push(await ask("3"));
    console.log(JSON.stringify(answers));`,
    { cwd: folder },
  ).ended;
  assert.equal(exit, 0, output);
  const upToDate = "up to date";
  assert.deepEqual(JSON.parse(output), ["ok", upToDate, "ok", "ok", "ok", "failed", "ok", upToDate, "ok"]);
});
