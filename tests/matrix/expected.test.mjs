// A row can fail: by a wrong number, an error of the page's, a program that ends with one, a policy that is too strict.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { packTarball } from "../../bindings/setup/node-modules.mjs";
import { launch } from "../page/browser.mjs";
import { wrong } from "./expected.mjs";
import { htmlWith, printing, showing } from "./programs.mjs";
import { runRow } from "./run-row.mjs";
import { summary, table } from "./table.mjs";

// PE(5) of 16 dimensions and (1 … 8) rotated to position 3, from Python's math module.
const RIGHT = {
  row: [
    -0.9589242746631385, 0.28366218546322625, 0.9999465167896046, -0.010342318905209227, 0.479425538604203,
    0.8775825618903728, 0.15745589818234362, 0.9875260199749633, 0.04997916927067833, 0.9987502603949663,
    0.015810729501231077, 0.999875002604145, 0.004999979166692708, 0.9999875000260416, 0.0015811381712764261,
    0.9999987500002604,
  ],
  vector: [
    -1.6955925368997815, 0.13755173828317435, 2.7886815998294927, 3.975982036013484, -4.8088424749423595,
    6.323059348076315, 7.086836736850399, 8.011963982027009,
  ],
};
const changed = (name, dimension, value) => ({ ...RIGHT, [name]: RIGHT[name].with(dimension, value) });

test("a result is compared number by number", () => {
  assert.equal(wrong(RIGHT), undefined);
  assert.match(wrong(changed("row", 3, RIGHT.row[3] + 1e-6)), /^row\[3\]: .*expected -0.0103/);
  assert.match(wrong(changed("vector", 7, RIGHT.vector[7] + 1e-4)), /^vector\[7\]/);
  assert.match(wrong(changed("vector", 0, Number.NaN)), /^vector\[0\]: NaN/);
  assert.match(wrong({ ...RIGHT, row: [] }), /^row: expected 16 numbers/);
  assert.match(wrong({}), /^row: /);
  assert.equal(wrong({ error: "no module" }), "no module");
  assert.match(
    wrong({ trained: "0000000000000000", points: 26 }),
    /^trained: 0000000000000000, expected [0-9a-f]{16}$/,
  );
  assert.match(wrong({ trained: "0000000000000000", points: 25 }), /^points: 25, expected 26$/);
});

let tarball;
let browser;
before(async () => {
  [tarball, browser] = await Promise.all([packTarball(), launch()]);
});
after(() => browser?.close());

const failing = {
  "a program that ends with an error": {
    row: { files: { "fail.mjs": "throw new Error('on purpose')" }, command: ["node", "fail.mjs"], read: "output" },
    why: /ended with code 1.*on purpose/s,
  },
  "a program without a result": {
    row: { files: { "empty.mjs": "" }, command: ["node", "empty.mjs"], read: "output" },
    why: /^0 results, expected 1/,
  },
  "a program that does not end": {
    row: {
      files: { "hang.mjs": "setTimeout(() => {}, 60_000)" },
      command: ["node", "hang.mjs"],
      read: "output",
      seconds: 2,
    },
    why: /^no result within 2 s/,
  },
  "another module of that name": {
    row: {
      files: { "wrong.mjs": printing("./posenc.mjs"), "posenc.mjs": "export const load = () => ({});" },
      command: ["node", "wrong.mjs"],
      read: "output",
    },
    why: /sinusoidal is not a function/,
  },
  "a policy that forbids WebAssembly": {
    row: {
      files: { "forbids.html": htmlWith("forbids.js"), "forbids.js": showing("/node_modules/posenc/dist/index.js") },
      headers: { "Content-Security-Policy": "default-src 'none'; script-src 'self'" },
      read: "page",
      page: "forbids.html",
    },
    why: /Content.Security.Policy/,
  },
};

for (const [name, { row, why }] of Object.entries(failing)) {
  test(`${name} fails`, async () => {
    const outcome = await runRow({ name, project: "failing", ...row }, { tarball, browser });
    assert.equal(outcome.state, "failed");
    assert.match(outcome.why, why);
    assert.equal(summary([outcome]).failed, 1);
    assert.match(table([outcome]), /failed/);
  });
}

test("a row without its program is not run, and says why", async () => {
  const row = { name: "none", files: {}, missing: () => "no such program here" };
  const outcome = await runRow(row, { tarball, browser });
  assert.deepEqual([outcome.state, outcome.why], ["not run", "no such program here"]);
  assert.equal(summary([outcome]).failed, 1);
});
