// Cases of the judge that were wrong once, by their seeds: `npm run judge -- --set both --small --only SEED` shows one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { judgedCase } from "../../judge/main.mjs";

const pe = await load();
const kinds = {
  "an offset far away, or of positions that are not whole": [700275, 912487],
  "another model's base and rule": [700445],
  "positions that are divided in 16 bits": [700535],
  "a pattern beside a rule that looks as if applied twice": [701251],
  "doubles are estimated by their own noise": [701391],
  "tokens that do not tell beside those that do": [911293],
  "slopes from another head on": [911946, 921310],
  "cosines that are coarser than the stated type of a cache": [921081, 922349],
  "frequencies of float16 that are next to 0": [920391, 922247],
  "a pattern beside axes in another order": [920921],
};
for (const [kind, seeds] of Object.entries(kinds))
  test(kind, () => {
    for (const seed of seeds) assert.equal(judgedCase(pe, seed, { small: true, set: "both" }).wrong, null, `${seed}`);
  });
