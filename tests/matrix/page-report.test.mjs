import assert from "node:assert/strict";
import { test } from "node:test";
import { compared } from "./page-report.mjs";

const report = (changes = {}) => ({
  faults: [],
  tables: { waves: "p,sin\r\n1,0.5\r\n2,0.25\r\n" },
  pixels: { "state 0": "2 x 2: abcd" },
  verdicts: { A1: "holds" },
  ...changes,
});

test("two reports of the page that say the same have no differences", () => {
  assert.deepEqual(compared(report(), report()), []);
});

test("whatever differs is named, a table by its first line that does", () => {
  for (const [changes, said] of [
    [{ faults: ["index: link-name"] }, /^index: link-name$/],
    [{ tables: { waves: "p,sin\r\n1,0.5\r\n2,0.26\r\n" } }, /^tables, waves: line 3: 2,0\.26 \| 2,0\.25$/],
    [{ tables: { ...report().tables, more: "1" } }, /^tables, more: line 1: 1 \|/],
    [{ pixels: { "state 0": "2 x 2: abce" } }, /^pixels, state 0: .*abce, in Chromium .*abcd$/],
    [{ verdicts: { A1: "refuted" } }, /^verdicts, A1: refuted, in Chromium holds$/],
  ]) {
    const found = compared(report(changes), report());
    assert.equal(found.length, 1);
    assert.match(found[0], said);
  }
  assert.match(compared(report(), report({ faults: ["index: list"] })).join(), /^in Chromium: index: list$/);
});

test("a report without tables, pixels or verdicts is none", () => {
  const empty = { faults: [], tables: {}, pixels: {}, verdicts: {} };
  assert.deepEqual(compared(empty, empty), ["no tables", "no pixels", "no verdicts"]);
});
