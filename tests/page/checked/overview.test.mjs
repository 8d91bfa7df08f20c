import { expect, link, test } from "../fixtures.mjs";
import { checks, expected } from "./checks.mjs";

// Above the checked statements are the overview of all verdicts and the filters.

test.use({ view: { path: "checked.html", ready: "main:has(article):not(:has(article:empty))" } });

const allComputed = (page) => page.waitForSelector("[data-all][disabled]");
const idsWith = (verdict) => Object.keys(expected).filter((id) => expected[id] === verdict);
const visibleRows = (page) =>
  page.locator("article").evaluateAll((all) => all.filter((row) => row.checkVisibility()).map(({ id }) => id));
const rowsAre = (page, wanted) => expect.poll(() => visibleRows(page)).toEqual(wanted);

test("a mark for each statement has its verdict in sign, words, shape and colour", async ({ page }) => {
  await expect(page.locator(".mark")).toHaveCount(43);
  await expect(page.locator('.mark:text-is("E5")')).toHaveAttribute("aria-label", "E5: not computed yet");
  await page.click("[data-all]");
  await allComputed(page);
  const marks = await page.locator(".mark").evaluateAll((all) =>
    all.map((mark) => {
      const { borderRadius, borderStyle, color } = getComputedStyle(mark);
      const sign = getComputedStyle(mark, "::before").content;
      return [mark.textContent.trim(), mark.dataset.mark, color, sign, `${borderRadius} ${borderStyle}`];
    }),
  );
  expect(Object.fromEntries(marks)).toEqual(expected);
  // Colour, sign and shape.
  expect([2, 3, 4].map((part) => new Set(marks.map((mark) => mark[part])).size)).toEqual([2, 5, 5]);
  await expect(page.locator('.mark:text-is("A5")')).toHaveAttribute("aria-label", "A5: does not hold");
  await expect(page.locator(".summary")).toHaveText(
    "All 43: holds 23 holds with a condition 6 holds in part 3 illustrative numbers 2 does not hold 9",
  );
  await page.click('[data-choice="zh"]');
  await expect(page.locator("#A1 h3").first()).toRead(/正弦编码表/);
  await expect(page.locator("#A1 .verdict")).toHaveAttribute("data-verdict", "holds");
  await expect(page.locator("#A1 .quotation")).toRead(/^该矩阵的维度为/);
});

test("a mark leads to its row, again too, and Back leads back", async ({ page }) => {
  const atRow = (id) =>
    page.waitForFunction((at) => {
      const { top } = document.getElementById(at).getBoundingClientRect();
      return Math.abs(top) <= 1 && document.activeElement.id === `${at}-title`;
    }, id);
  const mark = page.locator('.mark:text-is("C9")');
  await mark.click();
  await atRow("C9");
  await expect.poll(() => link(page)).toMatchObject({ claim: "C9" });
  // At once, while the link still names that row.
  await mark.evaluate((button) => {
    scrollTo({ top: 0, behavior: "instant" });
    button.click();
  });
  await atRow("C9");
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  // The link names a row as long as the reader is there; Back leads to where the mark was pressed.
  await expect(page).not.toHaveURL(/claim/);
  await page.click('.mark:text-is("B3")');
  await atRow("B3");
  await page.goBack();
  await page.waitForFunction(() => scrollY < 5);
});

test("statements are chosen by verdict and by post, and the link keeps the choice", async ({ page }) => {
  const choose = (row, value) => page.locator(`input[name="row-${row}"][value="${value}"]`).check({ force: true });
  await choose("verdictShown", "refuted");
  await rowsAre(page, idsWith("refuted"));
  await expect(page.locator(".mark")).toHaveCount(idsWith("refuted").length);
  await expect(page.locator(".shown")).toRead(/^9 of 43/);
  await choose("postShown", "C");
  const both = idsWith("refuted").filter((id) => id.startsWith("C"));
  await rowsAre(page, both);
  await expect.poll(() => link(page)).toEqual({ verdict: "refuted", post: "C" });
  await page.reload();
  await rowsAre(page, both);
  // Posts without such a statement are not named either.
  await expect(page.locator("main h2:visible")).toHaveCount(1);
  expect(await page.locator("#C9 .tools a").getAttribute("href")).not.toMatch(/verdict|post=/);
  await choose("verdictShown", "illustrative");
  await choose("postShown", "B");
  await rowsAre(page, []);
  await expect(page.locator(".shown")).toRead(/^0 of 43/);
  await choose("verdictShown", "all");
  await choose("postShown", "all");
  await rowsAre(page, (await checks()).claimIds);
  await expect(page.locator(".shown")).toHaveText("");
});
