// Cases that random ones found: each was called certain, or was refused, and should not have been.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { bfloat16, sampled, values } from "./rotations.mjs";

const pe = await load();
/** The numbers of bfloat16's bits. */
const widened = (bits) => new Float32Array(Uint32Array.from(bits, (bit) => bit << 16).buffer);
const asExpected = ({ verdict, explanations }) => verdict === "certain" && explanations[0].mistakes.length === 0;
const bias = (more) => pe.alibi({ heads: 4, form: "full", future: "keep", ...more });

test("a bias: keys after the query in the last rows alone are not as expected where they should be masked", () => {
  const made = bias({ queries: 5, keys: 5, future: "mask" });
  made.data.fill(0, made.data.length - 5);
  assert.ok(!asExpected(pe.diagnose({ bias: made }, { expected: { type: "alibi", causal: true } })));
});

test("a bias: a row that is another query's is not as expected", () => {
  const made = bias({ queries: 3, keys: 20 });
  made.data.copyWithin(20, 0, 20);
  assert.ok(!asExpected(pe.diagnose({ bias: made }, { expected: { type: "alibi" } })));
});

test("a bias: one masked value among others is likely at most; keys that no query sees are padding", () => {
  const read = (hides) => {
    const made = bias({ queries: 6, keys: 6 });
    for (let at = 0; at < made.data.length; ++at)
      if (hides(Math.floor(at / 6) % 6, at % 6)) made.data[at] = Number.NEGATIVE_INFINITY;
    return pe.diagnose({ bias: made }, { expected: { type: "alibi" } }).verdict;
  };
  assert.equal(
    read((query, key) => query === 4 && key === 2),
    "likely",
  );
  assert.equal(
    read((_, key) => key < 2),
    "certain",
  );
});

test("a bias: -10000, which models add to what is masked, is a mask, also as bfloat16 has it", () => {
  const [heads, n] = [8, 64];
  for (const mask of [-Infinity, -1e9, -65504, -10000, -9984]) {
    const data = Float32Array.from({ length: heads * n * n }, (_, at) => {
      const [head, distance] = [Math.floor(at / n / n), (at % n) - (Math.floor(at / n) % n)];
      return distance > 0 ? mask : 2 ** -(head + 1) * distance;
    });
    const { verdict, explanations } = pe.diagnose(
      { bias: { data, shape: [heads, n, n] } },
      { expected: { type: "alibi", heads, causal: true } },
    );
    assert.deepEqual([verdict, explanations[0].mistakes], ["certain", []], String(mask));
  }
});

test("a bias: one row of a query in front of its keys is not causal", () => {
  const { explanations } = pe.diagnose({ bias: bias({ queries: 1, keys: 6, queryOffset: 0 }), firstQuery: 5 });
  assert.deepEqual([explanations[0].found.firstQuery, explanations[0].found.causal], [0, false]);
});

test("a bias that is right up to a constant of each row says so", () => {
  const made = bias({ queries: 6, keys: 6, future: "mask" });
  // Slopes times the key's position, as BLOOM has them.
  const data = made.data.map((value, at) => value + 4 ** -(1 + Math.floor(at / 36)) * (Math.floor(at / 6) % 6));
  const found = pe.diagnose({ bias: { ...made, data } }, { expected: { type: "alibi", causal: true } });
  assert.deepEqual([found.verdict, found.explanations[0].found.upToRows], ["certain", true], found.text);
  assert.match(found.text, /up to a constant of each row/);
});

test("a table of an odd number of columns: an unusual base is one mistake, and the exponents are stated", () => {
  const made = pe.sinusoidal({ length: 40, dim: 15, base: 1234 });
  const { explanations } = pe.diagnose({ table: made }, { expected: { type: "sinusoidal", dim: 15 } });
  assert.deepEqual(explanations[0].mistakes, ["base"]);
  const { base, exponentDim = 15 } = explanations[0].found.plan;
  assert.ok(Math.abs(base - 1234) < 0.01, `${base}`);
  assert.equal(exponentDim, 15);
});

test("the sign is part of what was found: of tables and of frequencies", () => {
  const table = pe.sinusoidal({ length: 40, dim: 16 });
  for (let at = 0; at < table.data.length; at += 2) table.data[at] *= -1;
  const frequencies = Float64Array.from({ length: 8 }, (_, i) => -(10000 ** (-i / 8)));
  for (const [samples, expected] of [
    [{ table }, { type: "sinusoidal", dim: 16 }],
    [{ frequencies }, { dim: 16 }],
  ]) {
    const { explanations, text } = pe.diagnose(samples, { expected });
    assert.deepEqual(explanations[0].mistakes, ["sign"]);
    assert.equal(explanations[0].found.inverse, true);
    assert.match(text, /negated/);
  }
});

test("two outputs that differ by noise alone: no mistake of one of them is certain", () => {
  const plan = { dim: 64, base: 1e6, layout: "interleaved" };
  for (const tokens of [70, 130])
    for (let seed = 1; seed <= 24; ++seed) {
      const positions = Array.from({ length: tokens }, (_, i) => i);
      const { after } = sampled(positions, plan, { seed });
      const data = widened(bfloat16(after.data));
      const noise = values(data.length, 1000 + seed);
      const a = { data, shape: after.shape, dtype: "bfloat16" };
      const b = { ...a, data: data.map((value, at) => value + 0.005 * noise[at]) };
      const { verdict, explanations, text } = pe.diagnose({ a, b, positions }, { expected: plan });
      assert.ok(verdict !== "certain" || explanations[0].mistakes.length === 0, `seed ${seed}: ${text}`);
    }
});

test("ids of one token are [axes, 1]", () => {
  const segments = [{ text: 1 }];
  const { positions: ids } = pe.mropePositions({ preset: "qwen2-vl", segments });
  assert.deepEqual(ids.shape, [3, 1]);
  assert.doesNotThrow(() => pe.diagnose({ ids, segments }, { expected: { type: "ids", preset: "qwen2-vl" } }));
});
