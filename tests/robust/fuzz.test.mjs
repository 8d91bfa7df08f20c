import assert from "node:assert/strict";
import { test } from "node:test";
import { Fuzz } from "./fuzz.mjs";

const calls = 30_000;

test(`${calls} random calls end with a right-shaped result or an error, and the library works after each`, async () => {
  const fuzz = await Fuzz.make();
  await fuzz.run({ calls, seed: 1 });
  assert.ok(fuzz.refusals > calls / 10 && fuzz.refusals < (9 * calls) / 10, `${fuzz.refusals} were refused`);
});
