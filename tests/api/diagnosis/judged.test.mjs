// Cases of the judge that were wrong once, by their seeds: `npm run judge -- --set both --small --only SEED` shows one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { judgedCase } from "../../judge/main.mjs";

const pe = await load();
const kinds = {
  "an offset far away, or of positions that are not whole": [700275, 912487, 911241],
  "positions of several axes, each read by its own pairs": [910063, 1001391],
  "another model's base, rule and factor": [700445, 1000349, 1002175, 2009713, 2202055, 3111555],
  "positions or frequencies that are divided, or stored, in 16 bits": [700535, 700887, 1003335, 1402823],
  "a pattern beside a rule that looks as if applied twice, or of coarse angles": [701251, 921597, 2201897, 2607851],
  "doubles are estimated by their own noise, or by that of float32": [701391, 2005647, 2200787],
  "a modulus of which all positions are multiples": [911899, 1004351],
  "tokens that do not tell beside those that do": [911293],
  "slopes from another head on, and a query that looks like a constant of its row": [911946, 921310, 920326, 1401848],
  "slopes of many heads, seen at one distance, and one position that is another": [2602494, 2005810, 2607647, 2818296],
  "cosines coarser than the stated type of a cache, or next to the middle of two": [921081, 922349, 1200541],
  "angles that may be off by most of a radian, or that a type does not have": [
    1200849, 1200833, 1401837, 2000563, 2201119,
  ],
  "vectors that did not move, of which other pairs are zeros, or that turned slowly": [
    1002903, 2007171, 2816525, 2809773,
  ],
  "a cache at position 0, whose pairs look like copies": [921761, 1001951],
  "dimensions that rotate by one last bit": [920501],
  "lengths and pairs that open angles do not show": [1002367, 1003319],
  "frequencies, and cosines, of float16 that are next to 0": [920391, 922247, 1301049],
  "a pattern beside axes in another order": [920921],
};
for (const [kind, seeds] of Object.entries(kinds))
  test(kind, () => {
    for (const seed of seeds) assert.equal(judgedCase(pe, seed, { small: true, set: "both" }).wrong, null, `${seed}`);
  });
