import assert from "node:assert/strict";
import { test } from "node:test";
import { coverageTable } from "../../bindings/setup/coverage.mjs";

test("coverage: the worst file first, all of them last", () => {
  const { text, percent } = coverageTable([
    { file: "src/a.cpp", lines: 10, covered: 10 },
    { file: "src/longer.cpp", lines: 30, covered: 20 },
    { file: "src/empty.hpp", lines: 0, covered: 0 },
  ]);
  assert.equal(percent, 75);
  assert.deepEqual(text.split("\n"), [
    "src/longer.cpp   66.7 %  20 of 30 lines",
    "src/a.cpp       100.0 %  10 of 10 lines",
    "src/empty.hpp   100.0 %  0 of 0 lines",
    "src              75.0 %  30 of 40 lines",
  ]);
});
