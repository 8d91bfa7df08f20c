// What posenc/wgsl takes and gives; its shaders are run in tests/interop.

import assert from "node:assert/strict";
import { test } from "node:test";
import { alibiShader, relativeBiasShader, rotaryShader, tableShader } from "posenc/wgsl";
import { load } from "../../../dist/full.js";

const pe = await load();
const plan = pe.rotary({ dim: 8, layout: "half" });
const bindings = (shader) => shader.bindings.map(({ name, type, holds }) => `${name}, ${type}: ${holds}`);

test("a shader says what to bind, and how many groups to start", () => {
  const { bindings: given, workgroups, entryPoint, code } = rotaryShader(plan, { seqAxis: 1 });
  assert.deepEqual(
    given.map(({ name, type, holds }) => `${name}, ${type}: ${holds}`),
    [
      "x, storage: [heads, tokens, 8], float32",
      "positions, read-only-storage: [tokens], uint32",
      "tables, read-only-storage: [rows, 4, 2], float32",
      "sizes, uniform: tokens, heads: 32 bits each",
    ],
  );
  assert.ok(code.includes(`fn ${entryPoint}(`));
  assert.deepEqual(workgroups(100, 3), [19, 1]);
  assert.deepEqual(workgroups(0, 3), [0, 0]);
  // One more than a dimension can have.
  assert.deepEqual(workgroups(65535 * 16 + 1, 1), [65535, 2]);
  const bias = alibiShader({ slopes: pe.alibiSlopes({ heads: 2 }) });
  assert.equal(bindings(bias).at(-1), "sizes, uniform: heads, queries, keys, offset: 32 bits each");
});

test("tables are as few and as small as the length allows, and have the cosines and sines of the plan", () => {
  for (const [length, tables, rows] of [
    [1, undefined, [2]],
    [2048, undefined, [2048]],
    [2049, undefined, [64, 64]],
    [2 ** 22, undefined, [2048, 2048]],
    [2 ** 31, undefined, [2048, 1024, 1024]],
    [2 ** 31, 2, [65536, 32768]],
    [65536, 1, [65536]],
  ]) {
    const { data } = rotaryShader(plan, { seqAxis: 0, length, tables }).bindings[2];
    assert.equal(
      data.length / 8,
      rows.reduce((a, b) => a + b),
    );
    let step = 1;
    let first = 0;
    for (const many of rows) {
      const last = first + many - 1;
      const angle = ((many - 1) * step) / 10;
      assert.ok(Math.abs(data[last * 8 + 2] - Math.cos(angle)) < 2 ** -24 + angle * 2 ** -52);
      assert.ok(Math.abs(data[last * 8 + 3] - Math.sin(angle)) < 2 ** -24 + angle * 2 ** -52);
      first += many;
      step *= many;
    }
  }
});

test("what is wrong is named", () => {
  const deinterleaved = pe.rotary({ dim: 8, layout: "deinterleaved" });
  const grid = pe.rotaryGrid({ dim: 8, preset: "pixtral" });
  const slopes = Float32Array.of(1);
  for (const [call, message] of [
    [() => rotaryShader(plan, {}), "seqAxis: undefined, expected a number"],
    [() => rotaryShader(plan, { seqAxis: 2 }), "seqAxis: 2, expected a whole number from 0 to 1"],
    [() => rotaryShader(plan, { seqAxis: 0, tables: 4 }), "tables: 4, expected a whole number from 1 to 3"],
    [
      () => rotaryShader(plan, { seqAxis: 0, tables: 1 }),
      "length: 2147483648, expected a whole number from 1 to 65536",
    ],
    [() => rotaryShader(plan, { seqAxis: 0, length: 0 }), "length: 0, expected a whole number from 1 to 2147483648"],
    [
      () => rotaryShader(deinterleaved, { seqAxis: 0 }),
      'rotary.layout: "deinterleaved", expected "half" or "interleaved"',
    ],
    [
      () => rotaryShader(grid, { seqAxis: 0 }),
      "rotary: an object, expected what rotary() or mrope() of this entry made",
    ],
    [() => rotaryShader(plan, { seqAxis: 0 }).workgroups(3), "heads: undefined, expected a number"],
    [
      () => rotaryShader(plan, { seqAxis: 0 }).workgroups(2 ** 30, 2),
      "tokens * heads: 8589934592, expected a number from 0 to 4290773056",
    ],
    [() => tableShader({ data: new Float32Array(6), shape: [2, 2] }), "table.shape: [2, 2], expected [rows, dim]"],
    [() => alibiShader({ slopes: [1] }), "slopes: [1], expected an array of float32 slopes"],
    [() => alibiShader({ slopes, distance: "far" }), 'distance: "far", expected one of "symmetric", "linear"'],
    [
      () => relativeBiasShader({ data: new Float32Array(6), shape: [3, 2] }),
      "bias.shape: [3, 2], expected [heads, an odd number]",
    ],
  ])
    assert.throws(call, { message });
});
