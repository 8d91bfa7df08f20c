import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pageTests, words } from "./browser.mjs";
import { checks, expected } from "./checks.mjs";

// What stands above the checked statements: the overview of all verdicts, the filters and the second seed.

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = pageTests("/some/folder/");
const onPage = ({ hash = "", ...options }, check) =>
  folder.onPage({ ...options, ready: false, hash: `checked.html${hash}` }, async (page) => {
    await page.waitForFunction(() => document.querySelector("article") && !document.querySelector("article:empty"));
    await check(page);
  });

const allComputed = (page) => page.waitForSelector("[data-all][disabled]");
const answered = (page) => page.waitForSelector("[data-second-seed]:not([disabled])");

const idsWith = (verdict) => Object.keys(expected).filter((id) => expected[id] === verdict);
const visibleRows = (page) =>
  page.locator("article").evaluateAll((all) => all.filter((row) => row.checkVisibility()).map(({ id }) => id));
const rowsAre = (page, wanted) =>
  page.waitForFunction(
    (ids) =>
      [...document.querySelectorAll("article")]
        .filter((row) => row.checkVisibility())
        .map(({ id }) => id)
        .join() === ids,
    wanted.join(),
  );
const linkOf = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const linkHas = (page, key, value) =>
  page.waitForFunction(([name, text]) => new URLSearchParams(location.hash.slice(1)).get(name) === text, [key, value]);

async function fits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
}

test("a mark for each statement: empty at first, then with its verdict in sign, words, shape and colour", () =>
  onPage({}, async (page) => {
    assert.equal(await page.locator(".mark").count(), 41);
    assert.equal(await page.getAttribute('.mark:text-is("E5")', "aria-label"), "E5: not computed yet");
    await page.click("[data-all]");
    await allComputed(page);
    const marks = await page.locator(".mark").evaluateAll((all) =>
      all.map((mark) => {
        const { borderRadius, borderStyle, color } = getComputedStyle(mark);
        const sign = getComputedStyle(mark, "::before").content;
        return [mark.textContent.trim(), mark.dataset.mark, color, sign, `${borderRadius} ${borderStyle}`];
      }),
    );
    assert.deepEqual(Object.fromEntries(marks.map(([id, verdict]) => [id, verdict])), expected);
    const different = (part) => new Set(marks.map(part)).size;
    assert.deepEqual([different(([, , , sign]) => sign), different(([, , , , shape]) => shape)], [4, 4]);
    assert.equal(
      different(([, , colour]) => colour),
      2,
    );
    assert.equal(await page.getAttribute('.mark:text-is("A5")', "aria-label"), "A5: does not hold");
  }));

test("a mark leads to its row, again too, and Back leads back", () =>
  onPage({}, async (page) => {
    const atRow = (id) =>
      page.waitForFunction((at) => {
        const { top } = document.getElementById(at).getBoundingClientRect();
        return Math.abs(top) <= 1 && document.activeElement.id === `${at}-title`;
      }, id);
    await page.click('.mark:text-is("C9")');
    await atRow("C9");
    await linkHas(page, "claim", "C9");
    // At once, while the link still names that row.
    await page.evaluate(() => {
      scrollTo({ top: 0, behavior: "instant" });
      [...document.querySelectorAll(".mark")].find(({ textContent }) => textContent.trim() === "C9").click();
    });
    await atRow("C9");
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    // The link names a row as long as the reader is there; Back leads to where the mark was pressed.
    await page.waitForFunction(() => !location.hash.includes("claim"));
    await page.click('.mark:text-is("B3")');
    await atRow("B3");
    await page.goBack();
    await page.waitForFunction(() => scrollY < 5);
  }));

test("statements are chosen by verdict and by post, and the link keeps the choice", () =>
  onPage({}, async (page) => {
    const choose = (row, value) => page.locator(`input[name="row-${row}"][value="${value}"]`).check({ force: true });
    await choose("verdictShown", "refuted");
    await rowsAre(page, idsWith("refuted"));
    assert.equal(await page.locator(".mark").count(), idsWith("refuted").length);
    assert.match(await words(page.locator(".shown")), /^9 of 41/);
    await choose("postShown", "C");
    const both = idsWith("refuted").filter((id) => id.startsWith("C"));
    await rowsAre(page, both);
    await linkHas(page, "post", "C");
    assert.deepEqual(await linkOf(page), { verdict: "refuted", post: "C" });
    await page.reload();
    await rowsAre(page, both);
    // Posts without such a statement are not named either.
    assert.deepEqual(
      await page
        .locator("main h2")
        .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.id)),
      ["post-C"],
    );
    const toFigure = await page.locator("#C9 .tools a").getAttribute("href");
    assert.doesNotMatch(toFigure, /verdict|post=/);
    await choose("verdictShown", "all");
    await choose("postShown", "all");
    await rowsAre(page, (await checks()).claimIds);
    assert.equal(await words(page.locator(".shown")), "");
  }));

test("a verdict that no statement of a post has leaves no row, and is said", () =>
  onPage({ hash: "#verdict=illustrative&post=B" }, async (page) => {
    await allComputed(page);
    assert.deepEqual(await visibleRows(page), []);
    assert.match(await words(page.locator(".shown")), /^0 of 41/);
  }));

test("the same questions are put to a second seed, and to a third; rows keep their own", async () => {
  const { claims } = await checks();
  const seeded = Object.values(claims).filter((claim) => claim.seeded).length;
  await onPage({}, async (page) => {
    for (const seed of [2, 3]) {
      assert.match(await words(page.locator("[data-second-seed]")), new RegExp(`seed ${seed}$`));
      await page.click("[data-second-seed]");
      await answered(page);
      assert.match(
        await words(page.locator(".second-seed")),
        new RegExp(`^With seed ${seed}, ${seeded} of the ${seeded} verdicts .* stay the same\\.$`),
      );
    }
    assert.match(await words(page.locator("#C7 [data-again]")), /seed 1/);
    assert.equal((await linkOf(page)).trials, undefined);
  });
});

test("another language changes what rows say, and keeps their verdicts", () =>
  onPage({}, async (page) => {
    await page.waitForSelector("#A1 .verdict");
    await page.click('[data-choice="zh"]');
    await page.waitForFunction(() => /正弦编码表/.test(document.querySelector("#A1 h3").textContent));
    assert.equal(await page.getAttribute("#A1 .verdict", "data-verdict"), "holds");
    assert.match(await words(page.locator("#A1 .quotation")), /^该矩阵的维度为/);
  }));

for (const locale of ["en-GB", "zh-CN"])
  for (const dark of [false, true])
    test(`axe finds nothing among the checked: ${locale}, ${dark ? "dark" : "light"}`, () =>
      onPage({ locale, dark, width: dark ? 360 : 1280 }, async (page) => {
        await page.waitForSelector("article button");
        await page.click("[data-all]");
        await allComputed(page);
        await page.click("[data-second-seed]");
        await answered(page);
        await fits(page);
        await page.evaluate(`${axe};0`);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, nodes[0].failureSummary]),
          [],
        );
      }));
