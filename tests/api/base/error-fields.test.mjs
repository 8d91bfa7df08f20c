import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";

const pe = await load();

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
    {
      code: "whole_from_to",
      argument: "dim",
      value: 0,
      shown: "0",
      expected: "a whole number from 1 to 16777216",
      parameters: { least: 1, most: 16777216 },
    },
  ],
  "a name that the core does not know": [
    () => pe.rotary({ dim: 4, layout: "halves" }),
    {
      code: "one_of",
      argument: "layout",
      value: "halves",
      shown: '"halves"',
      expected: 'one of "half", "interleaved", "deinterleaved"',
      parameters: { names: '"half", "interleaved", "deinterleaved"' },
    },
  ],
  "a sentence with a note": [
    () => pe.sinusoidal({ dim: 8, length: 1, shift: 1 }),
    {
      code: "exactly",
      argument: "shift",
      value: 1,
      shown: "1",
      expected: '0, for an exponent other than "half"',
      parameters: { value: 0 },
    },
  ],
  "a value of another type": [
    () => pe.sinusoidal({ dim: "8", length: 1 }),
    { code: "number", argument: "dim", value: "8", shown: '"8"', expected: "a number", parameters: {} },
  ],
  "what is missing has no value": [
    () => pe.frequencies({ dim: 8, scaling: { type: "dynamic", factor: 2, originalLength: 8 } }),
    {
      code: "length_for_rule",
      argument: "length",
      value: undefined,
      shown: "none",
      expected: "the number of positions, on which dynamic NTK depends",
      parameters: { rule: "dynamic NTK" },
    },
  ],
  "a shape": [
    () => pe.hubConfig([]),
    {
      code: "config",
      argument: "config",
      value: [],
      shown: "[]",
      expected: "the object parsed from a config.json",
      parameters: {},
    },
  ],
};

for (const [what, [call, fields]] of Object.entries(cases))
  test(`the fields of an error: ${what}`, () => assert.deepEqual(fieldsOf(call), fields));

test("an option that there is not is named, with those that there are", () => {
  const { code, argument, parameters } = fieldsOf(() => pe.frequencies({ dims: 8 }));
  assert.deepEqual([code, argument], ["option", "frequencies.dims"]);
  assert.match(parameters.names, /^dim, base/);
});

test("more than fits into memory has the code memory", () => {
  assert.equal(fieldsOf(() => pe.buffer(2 ** 40)).code, "memory");
});
