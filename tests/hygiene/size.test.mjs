// An entry that is too large is refused.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratch } from "../setup/scratch.mjs";
import { checkSizes, report, sizesOf } from "./size.mjs";

/** A folder like dist with entries whose strings nothing can compress below these sizes, and comments as large. */
function entries(t, small, full) {
  const folder = scratch(t);
  let state = 1;
  const noise = (size) =>
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    });
  const encoded = (size) => Buffer.from(noise(size)).toString("base64");
  const text = (size) => `// ${encoded(size)}\nexport default "${encoded(size)}";`;
  writeFileSync(join(folder, "index.js"), text(small));
  writeFileSync(join(folder, "full.js"), text(full));
  return folder;
}

test("an entry that is too large is refused, by its size minified and with brotli", (t) => {
  const said = { log: [], error: [] };
  const out = { log: (line) => said.log.push(line), error: (line) => said.error.push(line) };
  const limits = { "index.js": 40_000, "full.js": 132_000 };
  assert.equal(report(checkSizes(entries(t, 30_000, 100_000), limits), out), 0);
  assert.deepEqual(said.error, []);
  assert.equal(report(checkSizes(entries(t, 45_000, 1000), limits), out), 1);
  assert.equal(said.error.length, 1);
  assert.match(said.error[0], /^index\.js: 45\d{3} bytes with brotli, expected at most 40000$/);
  assert.match(said.log.at(-1), /^full\.js +13\d{2} +1\d{3} +1\d{3} /);
  const { raw, gzip, brotli } = sizesOf(Buffer.alloc(5000));
  assert.ok(raw === 5000 && gzip < 100 && brotli < gzip, "zeros compress");
});
