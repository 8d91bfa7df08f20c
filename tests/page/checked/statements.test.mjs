import { excess, expect, follow, LOCALES, link, redrawn, test, words } from "../fixtures.mjs";
import { expected } from "./checks.mjs";

// The page of checked statements: what it shows of each, and that it is a page like the other. What they compute is in
// verdicts.test.mjs.

test.use({ view: { path: "checked.html", ready: "article button" } });

/** Scrolls to a statement and waits for what is found. */
async function found(page, id) {
  await page.waitForSelector("article button");
  await page.evaluate((at) => document.getElementById(at).scrollIntoView(), id);
  await page.waitForSelector(`#${id} .verdict`);
  return page.getAttribute(`#${id} .verdict`, "data-verdict");
}

test("a statement in sight has its verdict, a link leads there, and trainings are stored", async ({ open }) => {
  const page = await open("#claim=B7");
  await page.waitForSelector("#B7 .verdict");
  expect(Math.abs(await page.locator("#B7").evaluate((row) => row.getBoundingClientRect().top))).toBeLessThanOrEqual(1);
  await expect(page.locator("#E5 .verdict")).toHaveCount(0);
  await expect(page.locator("#B7 .trained")).toRead(/stored results/);
  await expect(page.locator("#B7 .found")).toRead(/3 trainings of each/);
});

for (const locale of LOCALES)
  test(`every row has its parts, and a link that leads to its figure: ${locale} @all`, async ({ open }) => {
    const page = await open({ locale, width: 360 });
    const figures = await open({ locale, path: "", ready: "waves" });
    const more = await open({ locale, path: "more.html", ready: "lab" });
    for (const [id, verdict] of Object.entries(expected)) {
      expect(await found(page, id), id).toBe(verdict);
      const row = page.locator(`#${id}`);
      const length = async (part) => (await words(row.locator(part))).length;
      expect(await length("h3"), id).toBeGreaterThan(id.length + 5);
      expect(await length(".claim-formula"), id).toBeGreaterThan(0);
      expect(await length(".quotation :is(q[lang=zh-CN], code)"), id).toBeGreaterThan(8);
      await expect(row.locator(".quotation cite"), id).toRead(/位置(编码|嵌入)/);
      await expect(row.locator(".found"), id).toRead(/\d/);
      await expect(row.locator("[data-again]"), id).toHaveCount(1);
      const links = await row.locator(".tools a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      expect(links.length, id).toBeGreaterThan(0);
      for (const href of locale === "en-GB" ? links : []) {
        const { pathname, hash } = new URL(href, "http://localhost/");
        const shown = { "/index.html": figures, "/more.html": more }[pathname];
        const asked = new URLSearchParams(hash.slice(1));
        const panel = asked.get("at");
        await follow(shown, hash);
        // A figure is fetched when a frame shows that it is near.
        await redrawn(shown);
        await shown.waitForSelector(`#${panel} .tools`);
        await expect(shown.locator(`#${panel}-title`)).toBeFocused();
        // The page's own links carry its state: what it did not understand would be missing there.
        const kept = await shown.locator(`#contents a[href*="at=${panel}"]`).getAttribute("href");
        expect(Object.fromEntries(new URLSearchParams(kept.slice(1))), id).toEqual(Object.fromEntries(asked));
        await expect(shown.locator(`#${panel} .problem`), id).toHaveText("");
      }
    }
    expect(await excess(page)).toBeLessThanOrEqual(0);
    if (locale === "en-GB") return;
    const texts = await page.locator("article :is(h3, .verdict, .found, .tools a)").allTextContents();
    const latin = texts.map((text) => text.trim()).filter((text) => !/\p{Script=Han}/u.test(text));
    // One statement is a formula.
    expect(latin).toEqual(["C9 Q′·K′ = cos(θ_i − θ_j) (Q·K)。"]);
  });

test("another seed and a size can be chosen, and both are in the link", async ({ open }) => {
  const page = await open();
  await found(page, "C7");
  const before = await words(page.locator("#C7 .found"));
  await page.locator("#C7 [data-again]").press("Enter");
  await expect(page.locator("#C7 .found")).not.toHaveText(before);
  await expect(page.locator("#C7 [data-again]")).toRead(/seed 2/);
  await page.selectOption("#C7 select", "100");
  await expect.poll(() => link(page)).toMatchObject({ trials: "C7:2:100" });
  await expect(page.locator("#C7 .found")).toRead(/both 100 positions on/);
  const after = await words(page.locator("#C7 .found"));
  await page.reload();
  await found(page, "C7");
  await expect(page.locator("#C7 .found")).toHaveText(after);
  const names = { A3: "positions", B1: "position", B4: "dimensions", C6: "words before", C7: "shift", E3: "positions" };
  for (const [id, name] of Object.entries(names))
    await expect(page.locator(`#${id} label`), id).toRead(new RegExp(`^${name} ?\\d`));
  // Words before a sentence are named if there are any.
  await found(page, "C6");
  await expect(page.locator("#C6 .found")).not.toRead(/words? before/);
  await page.selectOption("#C6 select", "10");
  await expect(page.locator("#C6 .found")).toRead(/10 words before/);
  // A size that the link makes up is not taken.
  await follow(page, "#trials=A3%3A1%3A7");
  await found(page, "A3");
  await expect(page.locator("#A3 select")).toHaveValue("2048");
  // Nor does the link keep it when it is written.
  await page.selectOption("#C6 select", "10");
  await expect.poll(() => link(page)).toEqual({ trials: "A3:1:2048;C6:1:10" });
});

test("a failure is a sentence @all", async ({ open }) => {
  const page = await open({ mayFail: true, locale: "zh-CN" });
  await found(page, "C9");
  await page.evaluate(() => {
    const fields = { code: "even", argument: "dim", value: 7, shown: "7", expected: "an even number", parameters: {} };
    for (const name of ["sin", "cos", "sqrt"])
      Math[name] = () => {
        throw Object.assign(new RangeError("dim: 7, expected an even number"), fields);
      };
  });
  await page.click("#C9 [data-again]");
  await expect(page.locator('#C9 .problem[role="alert"]')).toHaveText(
    "这项核对无法运行。 输入无效：dim 的值是 7，应为偶数。",
  );
});
