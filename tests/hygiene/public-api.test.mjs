// The published types are the stored ones.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { packages } from "./install.mjs";
import { listing, publicApi, stored } from "./public-api.mjs";

const dist = join(packages, "posenc", "dist");
const api = publicApi(dist);

/** The lines that only one of two texts has, marked as a diff does. */
const difference = (before, after) => {
  const [old, now] = [before, after].map((text) => text.split("\n"));
  const lines = (mark, some, others) => some.filter((line) => !others.includes(line)).map((line) => `${mark} ${line}`);
  return [...lines("-", old, now), ...lines("+", now, old)];
};

test("the API is the stored one (after a change that is meant: node tests/hygiene/public-api.mjs)", () => {
  assert.deepEqual(difference(readFileSync(stored, "utf8"), listing(api)), []);
});

test("every type, and every member of an interface, has a comment of its own", () => {
  assert.deepEqual(api.undocumented, []);
});

/** What is called most, by the interface that has it. */
const MOST_USED = {
  "full PosencFull": [
    ..."sinusoidal sinusoidalPlan sinusoidalGrid frequencies rotary buffer add fourier nerf rotaryGrid mrope".split(
      " ",
    ),
    ..."mropePositions hubConfig model rotaryCache rotateWithCache shiftRotated convertLayout packedPositions".split(
      " ",
    ),
    ..."maskPositions convert learnedTable lookupRows alibi t5 splitHeads".split(" "),
  ],
  "full StoredRotary": ["apply", "step", "cache"],
  "full ModelLayer": ["apply"],
  "index Posenc": ["sinusoidal", "rotary", "linear"],
  "tools PosencTools": ["diagnose"],
};

test("what an editor shows of the functions that are used most: shapes or errors, and an example", () => {
  const files = ["full", "index", "tools"].map((entry) => join(dist, `${entry}.d.ts`));
  const program = ts.createProgram(files, { strict: true, skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  for (const [place, members] of Object.entries(MOST_USED)) {
    const [entry, name] = place.split(" ");
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(dist, `${entry}.d.ts`)));
    const owner = checker.getExportsOfModule(module).find((each) => each.name === name);
    const type = checker.getDeclaredTypeOfSymbol(owner);
    for (const member of members) {
      const symbol = type.getProperty(member) ?? assert.fail(`${name} has no ${member}`);
      const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      const examples = symbol.getJsDocTags(checker).filter((tag) => tag.name === "example");
      assert.ok(examples.length > 0, `${name}.${member}: no example`);
      assert.match(text, /Throws|Error|error/, `${name}.${member}`);
      assert.doesNotMatch(text, /As in|inheritDoc/, `${name}.${member}`);
    }
  }
});
