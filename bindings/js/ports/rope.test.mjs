// Whether a port rotates queries and keys as the model does.
//
// fixtures.json, beside this file, says what is right, and what each known mistake would make of it. Fill in rotate() and
// run "node --test rope.test.mjs". What fails is named.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const fixtures = JSON.parse(readFileSync(new URL("./fixtures.json", import.meta.url), "utf8"));

// The types that the port is tested in, by the names of fixtures.json; float16 may be tested as bfloat16 is.
const dtypes = ["float32"];

// =====================================================================================================================
// Call the port here. q and k are Float32Arrays [heads, tokens, dim] of whole heads, fixtures.heads of them, whose values
// the dtype holds; positions are an array [axes][tokens], of one axis in most models. section.name and section.layers say which layers are meant,
// section.dims which dimensions rotate. Return both, rotated, as arrays.
function rotate(section, q, k, positions, dtype) {
  throw new Error("call the port in rotate()", { cause: [section, q, k, positions, dtype] });
}
// =====================================================================================================================

/** By how much a mistake moves which outputs. */
function movesOf({ outputs, rotated }, { times, at, moves }) {
  if (times === undefined) return { at, moves };
  const all = outputs.slice(0, rotated);
  return { at: all.map((_, i) => i), moves: all.map((y) => y * (times - 1)) };
}

const sum = (list, of) => list.reduce((all, each, i) => all + of(each, i), 0);

/** Describes what is wrong with outputs [tokens, dim]; undefined if nothing is. */
function problem(section, values, dtype) {
  const { dims, indices, outputs } = section;
  const errors = indices.map((index, i) => values[index] - outputs[i]);
  const sizes = errors.map((e, i) => Math.abs(e) / section.tolerances[dtype][Math.floor(indices[i] / dims.dim)]);
  const worst = sizes.reduce((most, size, i) => (size <= sizes[most] || Number.isNaN(sizes[most]) ? most : i), 0);
  let passes = sizes[worst] <= 1;
  let best;
  let left = fixtures.namedResidual;
  for (const mistake of section.mistakes) {
    const { at, moves } = movesOf(section, mistake);
    const squares = sum(moves, (m) => m * m);
    const score = sum(moves, (m, i) => errors[at[i]] * m) / squares;
    const tolerance = mistake[dtype] === undefined ? fixtures.scoreTolerance : mistake[dtype];
    passes &&= tolerance === null || Math.abs(score) <= tolerance;
    const residual = sum(moves, (m, i) => (errors[at[i]] - m) ** 2) / squares;
    if (residual <= left) [best, left] = [mistake, residual];
  }
  if (passes) return undefined;
  const [token, dimension] = [Math.floor(indices[worst] / dims.dim), indices[worst] % dims.dim];
  const found = best
    ? best.names.map((name) => `${name} (${fixtures.meanings[name]})`).join(" or ")
    : "none of the mistakes known here";
  const is = `${values[indices[worst]]} in place of ${outputs[worst]}`;
  const size = sizes[worst].toPrecision(3);
  return `${found}; token ${token}, dimension ${dimension} is ${is}, ${size} tolerances off`;
}

/** Describes what is wrong in each section. */
export function problems(dtype) {
  const found = [];
  for (const section of fixtures.sections) {
    const { input, positions } = section;
    const heads = Array.from({ length: fixtures.heads });
    const repeated = (times) =>
      Float32Array.from(heads.flatMap(() => positions[0].flatMap(() => input.map((x) => x * times))));
    const { q, k } = rotate(section, repeated(1), repeated(fixtures.keys), positions, dtype);
    for (const [side, rotated, times] of [
      ["queries", q, 1],
      ["keys", k, fixtures.keys],
    ]) {
      const values = Array.from(rotated, (x) => x / times);
      const size = values.length / fixtures.heads;
      // All heads are alike. The last comes first: the first head's index, 0, looks like no rotation.
      const wrong = heads
        .map((_, head) => problem(section, values.slice(head * size, (head + 1) * size), dtype))
        .findLast((each) => each !== undefined);
      if (wrong !== undefined) found.push(`${section.name}, ${side}, ${dtype}: ${wrong}`);
    }
  }
  return found;
}

for (const dtype of dtypes) {
  test(`queries and keys are rotated as the model does, ${dtype}`, () => {
    assert.deepEqual(problems(dtype), []);
  });
}
