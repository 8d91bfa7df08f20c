import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { assertClose, inverseFrequency, pseudoRandom, range, rotate } from "../testing/reference.mjs";

const pe = await load();
const plain = (dim, base) => range(dim / 2).map((i) => inverseFrequency(i, dim, base));

/** Each relative to its exact value. */
function assertFrequencies(options, expected, attentionFactor = 1) {
  const { data, shape, attentionFactor: factor } = pe.frequencies(options);
  assert.deepEqual(shape, [expected.length]);
  assert.ok(Math.abs(factor - attentionFactor) < 1e-14, `${factor}`);
  assertClose(
    data.map((value, i) => (expected[i] === 0 ? value : value / expected[i] - 1)),
    expected.map(() => 0),
    1e-13,
  );
}

test("without a rule, and by default", () => {
  assertFrequencies({ dim: 64 }, plain(64));
  assertFrequencies({ dim: 64, base: 500, scaling: { type: "default" } }, plain(64, 500));
});

test("linear", () => {
  assertFrequencies(
    { dim: 64, scaling: { type: "linear", factor: 4 } },
    plain(64).map((inv) => inv / 4),
  );
});

test("NTK, static and dynamic", () => {
  assertFrequencies({ dim: 64, scaling: { type: "ntk", factor: 4 } }, plain(64, 10000 * 4 ** (64 / 62)));
  const scaling = { type: "dynamic", factor: 2, originalLength: 2048 };
  assertFrequencies({ dim: 64, scaling, length: 100 }, plain(64));
  assertFrequencies({ dim: 64, scaling, length: 8192 }, plain(64, 10000 * 7 ** (64 / 62)));
});

function yarn(dim, base, { factor, originalLength, betaFast = 32, betaSlow = 1, truncate = true }) {
  const index = (turns) => (dim * Math.log(originalLength / (turns * 2 * Math.PI))) / (2 * Math.log(base));
  const low = Math.max(truncate ? Math.floor(index(betaFast)) : index(betaFast), 0);
  const high = Math.min(truncate ? Math.ceil(index(betaSlow)) : index(betaSlow), dim - 1);
  return plain(dim, base).map((inv, i) => {
    const ramp = Math.min(Math.max((i - low) / (high - low), 0), 1);
    return (inv / factor) * ramp + inv * (1 - ramp);
  });
}

test("YaRN", () => {
  const deepseek = { factor: 40, originalLength: 4096, mscale: 1, mscaleAllDim: 1 };
  assertFrequencies({ dim: 64, scaling: { type: "yarn", ...deepseek } }, yarn(64, 10000, deepseek), 1);
  const gptOss = { factor: 32, originalLength: 4096, truncate: false };
  assertFrequencies(
    { dim: 64, base: 150000, scaling: { type: "yarn", ...gptOss } },
    yarn(64, 150000, gptOss),
    0.1 * Math.log(32) + 1,
  );
});

test("LongRoPE switches at its original length", () => {
  const shortFactor = range(32).map((i) => 1 + i / 64);
  const longFactor = Float64Array.from(range(32), (i) => 1 + 2 * i);
  const scaling = { type: "longrope", factor: 32, originalLength: 4096, shortFactor, longFactor };
  const by = (factors) => plain(64).map((inv, i) => inv / factors[i]);
  assertFrequencies({ dim: 64, scaling, length: 4096 }, by(shortFactor), Math.sqrt(17 / 12));
  assertFrequencies({ dim: 64, scaling, length: 4097 }, by(longFactor), Math.sqrt(17 / 12));
});

test("Llama 3", () => {
  const expected = plain(128, 500000).map((inv) => {
    const turns = (8192 * inv) / (2 * Math.PI);
    if (turns >= 4) return inv;
    if (turns <= 1) return inv / 8;
    const s = (turns - 1) / 3;
    return inv * ((1 - s) / 8 + s);
  });
  const scaling = { type: "llama3", factor: 8, originalLength: 8192 };
  assertFrequencies({ dim: 128, base: 500000, scaling }, expected);
});

test("proportional, given, and another exponent's denominator", () => {
  assertFrequencies(
    { dim: 64, scaling: { type: "proportional", fraction: 0.25 } },
    plain(64).map((inv, i) => (i < 8 ? inv : 0)),
  );
  assertFrequencies(
    { dim: 6, scaling: { type: "given", frequencies: [3, -2, 0.5], attentionFactor: 2 } },
    [3, -2, 0.5],
    2,
  );
  assertFrequencies({ dim: 16, exponentDim: 64 }, plain(64).slice(0, 8));
});

test("rotary takes the same rules, and multiplies by the attention factor", () => {
  const scaling = { type: "yarn", factor: 4, originalLength: 32 };
  const rope = pe.rotary({ dim: 8, layout: "half", scaling });
  const m = 0.1 * Math.log(4) + 1;
  assert.ok(Math.abs(rope.attentionFactor - m) < 1e-15);
  const inv = yarn(8, 10000, scaling);
  const { cos, sin } = rope.cache({ positions: [7] });
  assertClose(
    cos.data,
    inv.map((value) => m * Math.cos(7 * value)),
    2e-7,
  );
  assertClose(
    sin.data,
    inv.map((value) => m * Math.sin(7 * value)),
    2e-7,
  );
  assert.equal(pe.rotary({ dim: 8, layout: "half" }).attentionFactor, 1);
});

test("partial rotation with the whole head's exponent", () => {
  const x = pseudoRandom(16);
  const wanted = [...rotate(x.slice(0, 8), 3, { layout: "half" }), ...x.slice(8)];
  const inv = plain(16).slice(0, 4);
  inv.forEach((value, i) => {
    wanted[i] = x[i] * Math.cos(3 * value) - x[i + 4] * Math.sin(3 * value);
    wanted[i + 4] = x[i] * Math.sin(3 * value) + x[i + 4] * Math.cos(3 * value);
  });
  const rope = pe.rotary({ dim: 16, layout: "half", rotaryDim: 8, exponentDim: 16 });
  assertClose(rope.apply(x, { shape: [1, 16], offset: 3 }), wanted, 5e-7);
});

const refused = [
  [{ scaling: { type: "toString" } }, RangeError, /^scaling.type: "toString"/],
  [{ scaling: { type: "linear", factor: 0 } }, RangeError, /^scaling.factor: 0, expected a number from/],
];

for (const [wrong, type, message] of refused) {
  test(`refused: ${JSON.stringify(wrong)}`, () => {
    const check = (error) => error instanceof type && message.test(error.message);
    assert.throws(() => pe.frequencies({ dim: 8, ...wrong }), check);
    assert.throws(() => pe.rotary({ dim: 8, layout: "half", ...wrong }), check);
  });
}
