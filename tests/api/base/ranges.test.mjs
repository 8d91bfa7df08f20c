// The core says which numbers an option may be (ranges.json): every function that takes one by this name has that range,
// refuses what is just outside with a RangeError and what is no number with a TypeError, and writes nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "posenc/full";
import { makers } from "../testing/calls/calls.mjs";
import { Inputs } from "../testing/inputs.mjs";

const pe = await load();
const lines = readFileSync(new URL("../../../build/wasm/bindings/ranges.json", import.meta.url), "utf8");
const table = lines
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const names = [...new Set(table.map(({ option }) => option))].filter((name) => !name.includes("["));

/** What a call with one more option throws; undefined where that works, or the function has no such option. */
function refusal(call, option, value) {
  try {
    call({ [option]: value });
  } catch (error) {
    if (error.code !== "option" && error.argument?.split(".").at(-1) === option) return error;
  }
}

let tried = 0;
for (const [name, make] of Object.entries(makers)) {
  for (const option of names) {
    const inputs = new Inputs(pe);
    const call = make(pe, inputs, {});
    const high = refusal(call, option, Number.MAX_VALUE) ?? refusal(call, option, Number.POSITIVE_INFINITY);
    if (!high) continue;
    const candidates = table.filter((range) => range.option === option && range.sentence === high.expected);
    if (candidates.length === 0) continue; // a function's own rule for this call: proven in core
    tried += 1;
    test(`${name}: ${option} is ${high.expected}`, () => {
      const [{ least, most, whole }] = candidates;
      const step = (bound) => (whole ? 1 : Math.max(Number.MIN_VALUE, Math.abs(bound) * 2 ** -52));
      const outside = [Number.NaN, least - step(least), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      if (most < 2 ** 53) outside.push(most + step(most));
      for (const value of outside) {
        const error = refusal(call, option, value);
        assert.ok(error instanceof RangeError, `${option}: ${value}`);
        assert.ok(error.message.includes(`${option}: ${value}`), error.message);
      }
      if (whole) assert.ok(refusal(call, option, least + 0.5) instanceof RangeError);
      assert.ok(refusal(call, option, String(least)) instanceof TypeError);
    });
  }
}

test("most ranges are met by a call of the table", () => {
  assert.ok(tried >= 25, `${tried} options tried`);
});
