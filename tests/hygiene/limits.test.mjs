// How large each floor may be. Counted are the files with these endings below a floor's folders, as they are on the disk:
// not from git, so that a tarball counts the same, and a new file before it is added.
//
// A limit only goes down: whoever takes lines out lowers it. Raising one needs a sentence in the commit that says what the
// lines buy. Joined lines are no fewer: characters past the formatters' column (strings and tables that they cannot break)
// have a limit too.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../bindings/setup/paths.mjs";

const ENDINGS = /\.(cpp|hpp|ts|mjs|js|css|html|py)$/;
const COLUMN = 120;

const LIMITS = {
  product: { folders: ["src", "bindings", "web"], lines: 88_497, past: 18_125 },
  web: { folders: ["web"], lines: 21_789, past: 16_256 },
  "set-up": { folders: ["bindings/setup"], lines: 1_484, past: 343 },
  tests: { folders: ["tests"], lines: 54_594, past: 1_615 },
  bench: { folders: ["tests/bench"], lines: 2_272, past: 25 },
  "tests of the set-up": { folders: ["tests/setup"], lines: 496, past: 35 },
};

/** The lines of a folder's files. */
const linesBelow = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : linesBelow(path);
    return ENDINGS.test(entry.name) ? readFileSync(join(root, path), "utf8").replace(/\n$/, "").split("\n") : [];
  });

for (const [floor, { folders, ...limits }] of Object.entries(LIMITS))
  test(`${floor} is within its limits`, (t) => {
    const lines = folders.flatMap(linesBelow);
    const past = lines.reduce((sum, line) => sum + Math.max(0, line.length - COLUMN), 0);
    const counts = { lines: lines.length, past };
    const words = { lines: "lines", past: `characters past column ${COLUMN}` };
    for (const [kind, limit] of Object.entries(limits)) {
      const count = counts[kind];
      const has = `${floor} (${folders.join(", ")}) has ${count} ${words[kind]}`;
      if (count < limit) t.diagnostic(`hint: ${has}, ${limit - count} fewer than its limit, which may go down to that`);
      assert.ok(
        count <= limit,
        `${has}, expected at most ${limit}: ${count - limit} too many. ` +
          "Take out what is not needed, or raise the limit to that in this commit, whose text says what they buy.",
      );
    }
  });
