// Libraries make frequencies of float32 by steps of their own, which differ in the last bits: none makes another base of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { values } from "./rotations.mjs";

const pe = await load();
const { fround } = Math;

/** Frequency i of a base and a denominator, as code has it. */
const steps = {
  "1 / pow(base, e), e in float32": (base, d) => (i) => fround(1 / fround(base ** fround((2 * i) / d))),
  "1 / pow(base, e), e exact": (base, d) => (i) => fround(1 / fround(base ** ((2 * i) / d))),
  "pow(base, -e), e in float32": (base, d) => (i) => fround(base ** fround((-2 * i) / d)),
  "in double, rounded": (base, d) => (i) => fround(base ** ((-2 * i) / d)),
  "exp(-2i (ln base / d))": (base, d) => (i) => fround(Math.exp(fround(2 * i * fround(-Math.log(base) / d)))),
  "the same, the logarithm in float32": (base, d) => {
    const step = fround(-fround(Math.log(base)) / d);
    return (i) => fround(Math.exp(fround(2 * i * step)));
  },
};

const sampled = {
  "eight, growing": [0, 1, 2, 7, 45, 301, 2003, 12007],
  "the first": Array.from({ length: 40 }, (_, i) => i),
  "from 4000 on": Array.from({ length: 16 }, (_, i) => 4000 + 7 * i),
};

/** Vectors whose first `count` dimensions rotate, every step in float32. */
function rotated(dim, count, frequencies, positions) {
  const before = Float32Array.from(values(positions.length * dim, 7));
  const after = before.slice();
  const pairs = count / 2;
  for (const [t, p] of positions.entries()) {
    for (let i = 0; i < pairs; ++i) {
      const turn = fround(p * frequencies(i));
      const [cos, sin] = [fround(Math.cos(turn)), fround(Math.sin(turn))];
      const [x, y] = [before[t * dim + i], before[t * dim + i + pairs]];
      after[t * dim + i] = fround(x * cos) - fround(y * sin);
      after[t * dim + i + pairs] = fround(x * sin) + fround(y * cos);
    }
  }
  const shape = [positions.length, dim];
  return { before: { data: before, shape }, after: { data: after, shape }, positions };
}

for (const [dim, rotaryDim] of [
  [128, 128],
  [80, 80],
  [64, 48],
  [96, 32],
]) {
  for (const [mistake, denominator] of [
    [undefined, rotaryDim],
    ["exponent-half-minus-one", rotaryDim - 2],
    ["exponent-halved", rotaryDim / 2],
    ["exponent-head-dim", dim],
  ].filter(([name]) => name !== "exponent-head-dim" || dim !== rotaryDim)) {
    test(`${rotaryDim} of ${dim} dimensions, ${mistake ?? "as expected"}: named, however float32 was stepped`, () => {
      let certain = 0;
      const all = [10000, 50000].flatMap((base) =>
        Object.entries(steps).flatMap(([step, of]) =>
          Object.entries(sampled).map(([where, positions]) => [base, step, of, where, positions]),
        ),
      );
      for (const [base, step, of, where, positions] of all) {
        const samples = rotated(dim, rotaryDim, of(base, denominator), positions);
        const expected = { dim, rotaryDim, layout: "half", base };
        const { verdict, explanations, text } = pe.diagnose(samples, { expected });
        const wanted = mistake === undefined ? [] : [mistake];
        assert.deepEqual(explanations[0].mistakes, wanted, `${base}, ${step}, ${where}: ${text}`);
        assert.match(verdict, /^(certain|likely)$/, `${base}, ${step}, ${where}: ${text}`);
        if (verdict === "certain") ++certain;
      }
      assert.ok(certain >= 0.9 * all.length, `${certain} of ${all.length}`);
    });
  }
}

/** Steps that the library does not know: a base or a rule that is a little off fits what they make better. */
const rareSteps = {
  "powers of 2": (base, d) => (i) => fround(2 ** fround(2 * i * fround(-Math.log2(base) / d))),
  "reciprocals of powers of a root": (base, d) => (i) => fround(1 / fround(fround(base ** (2 / d)) ** i)),
  "powers of a root": (base, d) => (i) => fround(fround(base ** (-2 / d)) ** i),
  "products of a root": (base, d) => {
    const root = fround(base ** (-2 / d));
    return (i) => Array.from({ length: i }).reduce((product) => fround(product * root), 1);
  },
};

for (const dim of [64, 96, 128]) {
  for (const [mistake, denominator] of [
    [undefined, dim],
    ["exponent-halved", dim / 2],
  ]) {
    test(`${dim} dimensions, ${mistake ?? "as expected"}: steps that are not known make no other certain`, () => {
      for (const base of [10000, 50000])
        for (const [step, of] of Object.entries(rareSteps))
          for (const positions of [sampled["from 4000 on"], Array.from({ length: 24 }, (_, i) => 100 + 3 * i)]) {
            const samples = rotated(dim, dim, of(base, denominator), positions);
            const { verdict, explanations, text } = pe.diagnose(samples, { expected: { dim, layout: "half", base } });
            const mistakes = explanations[0].mistakes.filter((name) => !name.startsWith("angles-"));
            const isRight = mistakes.join() === (mistake ?? "");
            assert.ok(isRight || verdict !== "certain", `${base}, ${step}, from ${positions[0]} on: ${text}`);
          }
    });
  }
}

test("a base that is nearly round is certain where it was expected", () => {
  for (const base of [10000.02, 49999.96]) {
    const frequencies = steps["1 / pow(base, e), e in float32"](base, 64);
    const samples = rotated(64, 64, frequencies, sampled["from 4000 on"]);
    const { verdict, explanations, text } = pe.diagnose(samples, { expected: { dim: 64, layout: "half", base } });
    assert.deepEqual([verdict, explanations[0].mistakes], ["certain", []], text);
  }
});
