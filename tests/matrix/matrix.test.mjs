// The rows that need no packages but the root's: the whole table is `npm run test:matrix`.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { packTarball } from "../../bindings/setup/node-modules.mjs";
import { launch } from "../page/browser.mjs";
import { rows } from "./rows.mjs";
import { runRow } from "./run-row.mjs";

let tarball;
let browser;
before(async () => {
  [tarball, browser] = await Promise.all([packTarball(), launch()]);
});
after(() => browser?.close());

for (const row of rows.filter(({ fast }) => fast)) {
  test(`${row.name}: ${row.entry ?? "posenc"}`, async () => {
    const { state, why } = await runRow(row, { tarball, browser });
    assert.equal(state, "ok", why);
  });
}
