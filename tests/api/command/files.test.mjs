// Files that are wrong, and files that are large: the reader's message (tests/api/files/files.test.mjs has all) with the exit
// code of files, or an answer that says what was read.

import assert from "node:assert/strict";
import { closeSync, ftruncateSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { test } from "node:test";
import { rotated, values } from "../diagnosis/rotations.mjs";
import { npy, npz, safetensors } from "../testing/array-files.mjs";
import { inProject, jsonOf, posenc } from "./installed.mjs";

const table = { data: new Float32Array(6), shape: [3, 2] };
const whole = npy(table);

for (const [file, content, message] of [
  ["short.npy", whole.subarray(0, whole.length - 4), "truncated: 148 bytes, expected 152"],
  ["two.npz", npz({ a: whole, b: whole }), "several arrays: name one of a, b (two.npz:NAME)"],
  ["none.npz", npz({}), "a file without arrays"],
  ["tiny.safetensors", Buffer.of(1, 2), "2 bytes, expected a safetensors file"],
]) {
  test(`${file}: ${message}`, () => {
    writeFileSync(inProject(file), content);
    const { status, error } = posenc("diagnose", "--table", file);
    assert.equal(status, 3, error);
    assert.ok(error.startsWith(`posenc: ${file}: ${message}`), error);
    assert.doesNotMatch(error, /\n +at /);
  });
}

test("a name that an archive does not have is refused with those that it has", () => {
  writeFileSync(inProject("one.npz"), npz({ a: whole }));
  writeFileSync(inProject("one.safetensors"), safetensors({ a: table }));
  assert.match(posenc("diagnose", "--table", "one.npz:b").error, /no array "b", expected one of a/);
  assert.match(posenc("diagnose", "--table", "one.safetensors:b").error, /no array "b", expected one of a/);
  assert.match(posenc("diagnose", "--table", "short.npy:b").error, /expected no name behind a \.npy file/);
});

test("of 1 GiB some tokens and heads are read, where they stand", () => {
  const [tokens, heads, dim] = [4096, 512, 128];
  const bytes = 4 * tokens * heads * dim;
  const start = npy({ data: new Float32Array(0), shape: [tokens, heads, dim] });
  assert.equal(start.length, 128);
  const files = ["large-before.npy", "large-after.npy"].map((name) => {
    const file = openSync(inProject(name), "w");
    writeSync(file, start);
    ftruncateSync(file, start.length + bytes); // no blocks but those that are written
    return file;
  });
  try {
    // Only what will be looked at is there: some tokens, of which some heads.
    const picks = Array.from({ length: 64 }, (_, i) =>
      i < 16 ? i : 16 + Math.floor(((i - 16) * (tokens - 1 - 16)) / 47),
    );
    for (const token of picks) {
      for (let i = 0; i < 8; ++i) {
        const at = start.length + 4 * (token * heads + Math.floor((i * (heads - 1)) / 7)) * dim;
        const x = values(dim, token * 8 + i + 1);
        writeSync(files[0], x, 0, x.byteLength, at);
        writeSync(files[1], rotated(x, [token], { dim }), 0, x.byteLength, at);
      }
    }
    for (const file of files) closeSync(file);
    const args = [
      "large-before.npy",
      "large-after.npy",
      "--positions",
      `0..${tokens - 1}`,
      "--plan",
      '{"dim": 128, "layout": "half"}',
    ];
    const { verdict, explanations, sampled } = jsonOf("diagnose", ...args);
    // Values that were not read may be anything.
    assert.equal(verdict, "likely");
    assert.deepEqual(explanations[0].mistakes, []);
    assert.deepEqual(sampled, { tokens: [64, 4096], heads: [8, 512] });
  } finally {
    for (const name of ["large-before.npy", "large-after.npy"]) rmSync(inProject(name), { force: true });
  }
});
