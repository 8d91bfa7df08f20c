// What errors say: the fields of each, and the names that are meant.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const rope = pe.rotary({ dim: 4, layout: "half" });

// The name that is nearest to a misspelt one, or means the same, comes first.
testWrongCalls([
  [() => pe.sinusoidal({ dim: 8, lenght: 1 }), TypeError, "sinusoidal.lenght: 1, expected length (or one of dim, base"],
  [() => pe.sinusoidal({ dim: 8, theta: 1 }), TypeError, "sinusoidal.theta: 1, expected base (or one of dim"],
  [() => pe.sinusoidal({ dim: 8, "": 1 }), TypeError, "sinusoidal.: 1, expected one of dim, base"],
  [() => pe.rotary({ dim: 8, rotary_dim: 4 }), TypeError, "rotary.rotary_dim: 4, expected rotaryDim (or one of dim"],
  [() => pe.attention({ casual: true }), TypeError, "attention.casual: true, expected causal (or one of"],
  [() => pe.rotary({ dim: 8, layout: "gpt-j" }), RangeError, 'layout: "gpt-j", expected "interleaved" (or one of'],
  [
    () => pe.relativeOffsets({ queries: 1, keys: 2, form: "compat" }),
    RangeError,
    'form: "compat", expected "compact" (or one of "full"',
  ],
]);

/** The fields of what a call throws. */
function fieldsOf(call) {
  try {
    call();
  } catch (error) {
    const { code, argument, value, shown, expected, parameters } = error;
    assert.ok(error.message.startsWith(`${argument}: ${shown}, expected `), error.message);
    assert.ok(error.message.includes(expected), error.message);
    return { code, argument, value, shown, expected, parameters };
  }
  assert.fail("nothing was thrown");
}

const cases = {
  "a number out of the core's range": [
    () => pe.sinusoidal({ dim: 0, length: 1 }),
    ["whole_from_to", "dim", 0, "0", "a whole number from 1 to 16777216", { least: 1, most: 16777216 }],
  ],
  "a name that the core does not know": [
    () => pe.rotary({ dim: 4, layout: "halves" }),
    [
      ...["one_of", "layout", "halves", '"halves"', 'one of "half", "interleaved", "deinterleaved"'],
      { names: '"half", "interleaved", "deinterleaved"' },
    ],
  ],
  "a sentence with a note": [
    () => pe.sinusoidal({ dim: 8, length: 1, shift: 1 }),
    ["exactly", "shift", 1, "1", '0, for an exponent other than "half"', { value: 0 }],
  ],
  "a value of another type": [
    () => pe.sinusoidal({ dim: "8", length: 1 }),
    ["number", "dim", "8", '"8"', "a number", {}],
  ],
  "what is missing has no value": [
    () => pe.frequencies({ dim: 8, scaling: { type: "dynamic", factor: 2, originalLength: 8 } }),
    [
      ...["length_for_rule", "length", undefined, "none"],
      "the number of positions, on which dynamic NTK depends",
      { rule: "dynamic NTK" },
    ],
  ],
};

for (const [what, [call, fields]] of Object.entries(cases))
  test(`the fields of an error: ${what}`, () => assert.deepEqual(Object.values(fieldsOf(call)), fields));

test("the names that there are, and what does not fit into memory, have codes too", () => {
  const { code, argument, parameters } = fieldsOf(() => pe.frequencies({ dims: 8 }));
  assert.deepEqual([code, argument], ["option", "frequencies.dims"]);
  assert.match(parameters.names, /^dim, base/);
  assert.equal(fieldsOf(() => pe.buffer(2 ** 40)).code, "memory");
});

test("after a thousand errors the library still works, and its memory has not grown", () => {
  const large = new Float32Array(4096 * 4);
  for (let i = 0; i < 1000; ++i)
    assert.throws(() => rope.apply(large, { shape: [4096, 1, 4], seqAxis: 0, offset: 1e300 }), RangeError);
  // 64 MB would have leaked above; a gigabyte must still be there.
  assert.equal(pe.sinusoidal({ length: 2 ** 17, dim: 2 ** 10 }).data.length, 2 ** 27);
});
