import { excess, expect, follow, link, redrawn, test, words } from "../fixtures.mjs";
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

test("every statement of the five posts has its verdict, computed when it is seen", async ({ page }) => {
  await expect(page.locator("article")).toHaveCount(43);
  await expect(page.locator("#E5 .verdict")).toHaveCount(0);
  const verdicts = {};
  for (const id of Object.keys(expected)) verdicts[id] = await found(page, id);
  expect(verdicts).toEqual(expected);
  await expect(page.locator(".summary")).toHaveText(
    "All 43: holds 22 holds with a condition 8 holds in part 1 illustrative numbers 2 does not hold 10",
  );
});

test("a link to a statement leads there, however the rows are drawn", async ({ open }) => {
  for (const id of ["A1", "C10", "E5"]) {
    const page = await open(`#claim=${id}`);
    await page.waitForSelector(`#${id} .verdict`);
    // The last rows can't be scrolled to the top.
    const isThere = (at) => {
      const left = document.documentElement.scrollHeight - innerHeight - scrollY;
      return Math.abs(document.getElementById(at).getBoundingClientRect().top) <= 1 || left <= 1;
    };
    expect(await page.evaluate(isThere, id), id).toBe(true);
  }
});

test("stored trainings: three seeds, and not those of the tab", async ({ open }) => {
  const page = await open("#claim=B7");
  await page.waitForSelector("#B7 .verdict");
  await expect(page.locator("#B7 [data-trained]")).toHaveAttribute("data-trained", "stored");
  await expect(page.locator("#B7 .trained")).toRead(/stored results/);
  await expect(page.locator("#B7 .found")).toRead(/3 trainings of each/);
  await page.click('#B7 [data-train="start"]');
  await page.waitForSelector('#B7 [data-train="stop"]');
  await expect(page.locator("#B7 .trained")).toRead(/stored results\. .*0 of 6/);
  await page.click('#B7 [data-train="stop"]');
  await page.waitForSelector('#B7 [data-train="start"]');
  await expect(page.locator("#B7 [data-trained]")).toHaveAttribute("data-trained", "stored");
});

test("trainings of a statement in this tab: the verdict is theirs, and they have the stored bits @all", async ({
  open,
}) => {
  const page = await open("#claim=E4");
  await page.waitForSelector("#E4 .verdict");
  const before = await words(page.locator("#E4 .found"));
  await page.click('#E4 [data-train="start"]');
  await page.waitForSelector('#E4 [data-train="stop"]');
  // As long as they take on a busy machine; one that fails ends it, too.
  await page.waitForSelector('#E4 [data-train="start"]', { timeout: 600_000 });
  await expect(page.locator("#E4 .trained")).toRead(/computed in this tab, with the same bits/);
  await page.waitForSelector('#E4 [data-verdict="conditional"]');
  // Equal bits give equal numbers.
  await expect(page.locator("#E4 .found")).toHaveText(before);
});

/** Looks at every row and gives the link to its figure. */
async function linksOfRows(page) {
  const links = [];
  for (const id of Object.keys(expected)) {
    await found(page, id);
    const row = page.locator(`#${id}`);
    expect((await words(row.locator("h3"))).length, id).toBeGreaterThan(id.length + 5);
    expect((await words(row.locator(".claim-formula"))).length, id).toBeGreaterThan(0);
    expect((await words(row.locator(".quotation :is(q[lang=zh-CN], code)"))).length, id).toBeGreaterThan(8);
    await expect(row.locator(".quotation cite"), id).toRead(/位置(编码|嵌入)/);
    await expect(row.locator(".found"), id).toRead(/\d/);
    await expect(row.locator("[data-again]"), id).toHaveCount(1);
    const figures = await row.locator(".tools a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(figures.length, id).toBeGreaterThan(0);
    links.push(...figures.map((href) => [id, href]));
  }
  return links;
}

test("every row has statement, formula, verdict, number and a link that leads to its figure @all", async ({ open }) => {
  const rows = await open({ width: 360 });
  const links = await linksOfRows(rows);
  expect(await excess(rows)).toBeLessThanOrEqual(0);
  const page = await open({ path: "", ready: "heatmap" });
  for (const [id, href] of links) {
    const { pathname, hash } = new URL(href, "http://localhost/");
    expect(pathname, id).toBe("/index.html");
    const asked = new URLSearchParams(hash.slice(1));
    const panel = asked.get("at");
    expect(await page.locator(`main section#${panel}`).count(), `${id}: no figure ${panel}`).toBeTruthy();
    await follow(page, hash);
    // A figure is fetched when a frame shows that it is near.
    await redrawn(page);
    await page.waitForSelector(`#${panel} .tools`);
    await expect(page.locator(`#${panel}-title`)).toBeFocused();
    // The page's own links carry its state: what it did not understand would be missing there.
    const kept = await page.locator(`#contents a[href*="at=${panel}"]`).getAttribute("href");
    expect(Object.fromEntries(new URLSearchParams(kept.slice(1))), id).toEqual(Object.fromEntries(asked));
    await expect(page.locator(`#${panel} .problem`), id).toHaveText("");
  }
});

test("every row is in Chinese @all", async ({ open }) => {
  const page = await open({ locale: "zh-CN", width: 360 });
  await linksOfRows(page);
  expect(await excess(page)).toBeLessThanOrEqual(0);
  const latin = await page
    .locator("article :is(h3, .verdict, .found, .tools a)")
    .evaluateAll((all) => all.map((one) => one.textContent.trim()).filter((text) => !/\p{Script=Han}/u.test(text)));
  // One statement is a formula.
  expect(latin).toEqual(["C9 Q′·K′ = cos(θ_i − θ_j) (Q·K)。"]);
});

test("run again takes another seed, a size can be chosen, and both are in the link @all", async ({ page }) => {
  await found(page, "C7");
  const before = await words(page.locator("#C7 .found"));
  await page.locator("#C7 [data-again]").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#C7 .found")).not.toHaveText(before);
  await expect(page.locator("#C7 [data-again]")).toRead(/seed 2/);
  await page.selectOption("#C7 select", "100");
  await expect.poll(() => link(page)).toMatchObject({ trials: "C7:2:100" });
  await expect(page.locator("#C7 .found")).toRead(/both 100 positions on/);
  const after = await words(page.locator("#C7 .found"));
  await page.reload();
  await found(page, "C7");
  await expect(page.locator("#C7 .found")).toHaveText(after);
});

test("a size has its name, and words before a sentence are named if there are any", async ({ page }) => {
  const names = { A3: "positions", B1: "position", B4: "dimensions", C6: "words before", C7: "shift", E3: "positions" };
  for (const [id, name] of Object.entries(names)) {
    await page.waitForSelector(`#${id} select`);
    const label = await page
      .locator(`#${id} label`)
      .evaluate(({ childNodes }) => [...childNodes].map((node) => (node.nodeType === 3 ? node.data : "")).join(""));
    expect(label.trim(), id).toBe(name);
  }
  for (const id of ["C5", "C6"]) {
    await found(page, id);
    await expect(page.locator(`#${id} .found`), id).not.toRead(/words? before/);
    await page.selectOption(`#${id} select`, "10");
    await expect(page.locator(`#${id} .found`)).toRead(/10 words before/);
  }
});

test("a size that the link makes up is not taken", async ({ open }) => {
  const page = await open("#trials=A3%3A1%3A7");
  await found(page, "A3");
  await expect(page.locator("#A3 select")).toHaveValue("2048");
});

test("without WebAssembly there is a message", async ({ open }) => {
  const page = await open({
    mayFail: true,
    ready: 'main [role="alert"]',
    route: (target) => target.addInitScript("delete window.WebAssembly"),
  });
  await expect(page.locator('main [role="alert"]')).toRead(/did not start/);
});

for (const [locale, says] of [
  [
    "en-GB",
    [
      "This check could not be run. Invalid input: dim is 7; expected an even number.",
      "The text to train on could not be fetched.",
    ],
  ],
  ["zh-CN", ["这项核对无法运行。 输入无效：dim 的值是 7，应为偶数。", "无法取得训练用的文本。"]],
])
  test(`a failure is a sentence: ${locale} @all`, async ({ open }) => {
    const page = await open({
      mayFail: true,
      locale,
      route: (target) => target.route(/opticks\.txt/, (route) => route.abort()),
    });
    await found(page, "C9");
    await page.evaluate(() => {
      for (const name of ["sin", "cos", "sqrt", "abs"])
        Math[name] = () => {
          const fields = {
            code: "even",
            argument: "dim",
            value: 7,
            shown: "7",
            expected: "an even number",
            parameters: {},
          };
          throw Object.assign(new RangeError("dim: 7, expected an even number"), fields);
        };
    });
    await page.click("#C9 [data-again]");
    await page.waitForSelector('#C9 .problem[role="alert"]');
    await expect(page.locator("#C9 .problem")).toHaveText(says[0]);
    await page.reload();
    await found(page, "E4");
    await page.click('#E4 [data-train="start"]');
    await expect(page.locator("#E4 .trained")).toContainText(says[1]);
  });
