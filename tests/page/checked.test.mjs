import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, words } from "./browser.mjs";
import { expected } from "./checks.mjs";

// The page of checked statements: what it shows of each, and that it is a page like the other. What they compute is in
// verdicts.test.mjs.

const folder = pageTests("/some/folder/");
const here = ({ hash = "", ...options }) => ({ ...options, ready: false, hash: `checked.html${hash}` });
const open = (options) => folder.open(here(options));
const onPage = (options, check) => folder.onPage(here(options), check);

/** Scrolls to a statement and waits for what is found. */
async function found(page, id) {
  await page.evaluate((at) => document.getElementById(at).scrollIntoView(), id);
  await page.waitForSelector(`#${id} .verdict`);
  return page.getAttribute(`#${id} .verdict`, "data-verdict");
}

test("every statement of the five posts has its verdict, computed when it is seen", () =>
  onPage({}, async (page) => {
    await page.waitForSelector("article button");
    assert.equal(await page.locator("article").count(), 41);
    assert.equal(await page.locator("#E5 .verdict").count(), 0);
    const verdicts = {};
    for (const id of Object.keys(expected)) verdicts[id] = await found(page, id);
    assert.deepEqual(verdicts, expected);
    assert.equal(
      await words(page.locator(".summary")),
      "All 41: holds 21 holds with a condition 9 illustrative numbers 2 does not hold 9",
    );
  }));

for (const id of ["A1", "C10", "E5"])
  test(`a link to ${id} leads there, however the rows are drawn`, () =>
    onPage({ hash: `#claim=${id}` }, async (page) => {
      await page.waitForFunction(() => document.querySelector("article") && !document.querySelector("article:empty"));
      await page.waitForSelector(`#${id} .verdict`);
      const [top, left] = await page.evaluate((at) => {
        const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
        return [document.getElementById(at).getBoundingClientRect().top, rest];
      }, id);
      // The last rows can't be scrolled to the top.
      assert.ok(top >= -1 && (top <= 1 || left <= 1), `${top} px from the top, ${left} px left to scroll`);
    }));

test("stored trainings: three seeds, told apart from those of the tab", () =>
  onPage({ hash: "#claim=B7" }, async (page) => {
    await page.waitForSelector("#B7 .verdict");
    assert.equal(await page.getAttribute("#B7 [data-trained]", "data-trained"), "stored");
    assert.match(await words(page.locator("#B7 .trained")), /stored results/);
    assert.match(await words(page.locator("#B7 .found")), /3 trainings of each/);
    await page.click('#B7 [data-train="start"]');
    await page.waitForSelector('#B7 [data-train="stop"]');
    assert.match(await words(page.locator("#B7 .trained")), /stored results\. .*0 of 6/);
    await page.click('#B7 [data-train="stop"]');
    await page.waitForSelector('#B7 [data-train="start"]');
    assert.equal(await page.getAttribute("#B7 [data-trained]", "data-trained"), "stored");
  }));

test("trainings of a statement in this tab: the verdict is theirs, and they have the stored bits", () =>
  onPage({ hash: "#claim=E4" }, async (page) => {
    await page.waitForSelector("#E4 .verdict");
    const before = await words(page.locator("#E4 .found"));
    await page.click('#E4 [data-train="start"]');
    await page.waitForSelector('#E4 [data-train="stop"]');
    // As long as they take on a busy machine; one that fails ends it, too.
    await page.waitForSelector('#E4 [data-train="start"]', { timeout: 600_000 });
    assert.match(await words(page.locator("#E4 .trained")), /computed in this tab, with the same bits/);
    await page.waitForSelector('#E4 [data-verdict="conditional"]');
    // The same bits, the same numbers.
    assert.equal(await words(page.locator("#E4 .found")), before);
  }));

/** Nothing is wider than the screen. */
async function fits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
}

/** Looks at every row and gives the link to its figure. */
async function linksOfRows(page) {
  const links = [];
  await page.waitForSelector("article button");
  for (const id of Object.keys(expected)) {
    await found(page, id);
    const row = page.locator(`#${id}`);
    assert.ok((await words(row.locator("h3"))).length > id.length + 5, id);
    assert.ok((await words(row.locator("math"))).length > 0, id);
    assert.ok((await words(row.locator(".quotation :is(q[lang=zh-CN], code)"))).length > 8, id);
    assert.match(await words(row.locator(".quotation cite")), /位置(编码|嵌入)/, id);
    assert.match(await words(row.locator(".found")), /\d/, id);
    assert.equal(await row.locator("[data-again]").count(), 1, id);
    const figures = await row.locator(".tools a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    assert.ok(figures.length > 0, id);
    links.push(...figures.map((href) => [id, href]));
  }
  return links;
}

test("every row has statement, formula, verdict, number and a link that leads to its figure", async () => {
  let links;
  await onPage({ width: 360 }, async (page) => {
    links = await linksOfRows(page);
    await fits(page);
  });
  await folder.onPage({ ready: "heatmap" }, async (page) => {
    for (const [id, href] of links) {
      const { pathname, hash } = new URL(href, "http://localhost/");
      assert.equal(pathname, "/index.html", id);
      const asked = new URLSearchParams(hash.slice(1));
      const panel = asked.get("at");
      assert.ok(await page.locator(`main section#${panel}`).count(), `${id}: no figure ${panel}`);
      await page.evaluate((next) => {
        location.hash = next;
      }, hash);
      await page.waitForSelector(`#${panel} .tools`);
      await page.waitForFunction((at) => document.activeElement.id === `${at}-title`, panel);
      // The page's own links carry its state: what it did not understand would be missing there.
      const kept = await page.locator(`#contents a[href*="at=${panel}"]`).getAttribute("href");
      assert.deepEqual(Object.fromEntries(new URLSearchParams(kept.slice(1))), Object.fromEntries(asked), id);
      assert.equal(await words(page.locator(`#${panel} .problem`)), "", id);
    }
  });
});

test("every row is there in Chinese, and says so in Chinese", () =>
  onPage({ locale: "zh-CN", width: 360 }, async (page) => {
    await linksOfRows(page);
    await fits(page);
    const latin = await page
      .locator("article :is(h3, .verdict, .found, .tools a)")
      .evaluateAll((all) => all.map((one) => one.textContent.trim()).filter((text) => !/\p{Script=Han}/u.test(text)));
    // One statement is a formula.
    assert.deepEqual(latin, ["C9 Q′·K′ = cos(θ_i − θ_j) (Q·K)。"]);
  }));

test("run again takes another seed, a size can be chosen, and both are in the link", () =>
  onPage({}, async (page) => {
    await page.waitForSelector("article button");
    await found(page, "C7");
    const before = await words(page.locator("#C7 .found"));
    await page.locator("#C7 [data-again]").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction((old) => document.querySelector("#C7 .found").textContent.trim() !== old, before);
    assert.match(await words(page.locator("#C7 [data-again]")), /seed 2/);
    await page.selectOption("#C7 select", "100");
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("trials") === "C7:2:100");
    assert.match(await words(page.locator("#C7 .found")), /both 100 positions on/);
    const after = await words(page.locator("#C7 .found"));
    await page.reload();
    await page.waitForSelector("article button");
    await found(page, "C7");
    assert.equal(await words(page.locator("#C7 .found")), after);
  }));

test("a size is called what it is, and says nothing of words that are not there", () =>
  onPage({}, async (page) => {
    await page.waitForSelector("article button");
    const names = { A3: "positions", B1: "position", B4: "dimensions", C6: "words before", C7: "shift", E3: "words" };
    for (const [id, name] of Object.entries(names)) {
      await page.waitForSelector(`#${id} select`);
      const label = await page
        .locator(`#${id} label`)
        .evaluate(({ childNodes }) => [...childNodes].map((node) => (node.nodeType === 3 ? node.data : "")).join(""));
      assert.equal(label.trim(), name, id);
    }
    for (const id of ["C5", "C6"]) {
      await found(page, id);
      assert.doesNotMatch(await words(page.locator(`#${id} .found`)), /words? before/, id);
      await page.selectOption(`#${id} select`, "10");
      await page.waitForFunction(
        (at) => /10 words before/.test(document.querySelector(`#${at} .found`).textContent),
        id,
      );
    }
  }));

test("a size that the link makes up is not taken", () =>
  onPage({ hash: "#trials=A3%3A1%3A7" }, async (page) => {
    await page.waitForSelector("article button");
    await found(page, "A3");
    assert.equal(await page.inputValue("#A3 select"), "2048");
  }));

test("without WebAssembly the reader is told", async () => {
  const { page, context } = await open({
    route: (target) => target.addInitScript("delete window.WebAssembly"),
  });
  await page.waitForSelector('main [role="alert"]');
  assert.match(await words(page.locator('main [role="alert"]')), /did not start/);
  await context.close();
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
  test(`what goes wrong is told in a sentence: ${locale}`, async () => {
    const { page, context } = await open({
      locale,
      route: (target) => target.route(/opticks\.txt/, (route) => route.abort()),
    });
    await page.waitForSelector("article button");
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
    assert.equal(await words(page.locator("#C9 .problem")), says[0]);
    await page.reload();
    await page.waitForSelector("article button");
    await page.evaluate(() => document.getElementById("E4").scrollIntoView());
    await page.click('#E4 [data-train="start"]');
    await page.waitForFunction(
      (wanted) => document.querySelector("#E4 .trained").textContent.includes(wanted),
      says[1],
    );
    await context.close();
  });
