import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { inBothThemes, pageTests, savedText, settled, words } from "./browser.mjs";
import { everything, panels } from "./every-panel.mjs";
import { serveFiles } from "./static-server.mjs";

// Figures in frames of other pages: `index.html?embed=FIGURE`, and the code that a button gives.

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { open, onPage } = pageTests("/some/folder/");

const line = "footer a";

/** Opens a figure as frames do, by itself. */
const onFrame = (id, hash, options, check) =>
  onPage({ ...options, hash: `?embed=${id}${hash}`, ready: false }, async (page) => {
    await page.waitForSelector(line);
    await settled(page);
    await check(page);
  });

/** Opens the code of a figure's frame, by keys, and gives it as it is copied. */
async function copiedFrame(page, id) {
  await page.focus(`#${id} [data-tool="embed"]`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`#${id}-frame`);
  assert.equal(await page.getAttribute(`#${id} [data-tool="embed"]`, "aria-expanded"), "true");
  await page.focus(`[data-copy="${id}-frame"]`);
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (button) => /Copied|已复制/.test(document.querySelector(button).textContent),
    `[data-copy="${id}-frame"]`,
  );
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Another server's page with this in it. */
const elsewhere = (body) =>
  serveFiles(tmpdir(), {
    instead: new Map([["index.html", `<!doctype html><html lang="en"><title>A post</title><h1>A post</h1>${body}`]]),
  });

/** What a figure says of its numbers, once all of it is there: parts of some are fetched by themselves. */
const said = async (page, id) => ({
  caption: await words(page.locator(`#${id}-caption`)),
  outputs: await page
    .locator(`#${id} output`)
    .first()
    .waitFor({ state: "attached" })
    .then(() => page.locator(`#${id} output`).allTextContents()),
  title: await words(page.locator(`#${id}-title`)),
});

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };
for (const [id, hash, locale] of [
  ["rope", "#angles=-5,0.5,180&shift=33&theme=dark", "en-GB"],
  ["heatmap", "#n=60&d=16&p=5&k=3&colours=RdBu&lang=en", "zh-CN"],
  ["sum", "#text=One+%22two%22+%26+three&source=own&ws=2&p=1&theme=light", "zh-CN"],
])
  test(`the code copied below a figure shows it in a page of another origin, as it is: ${id}`, async () => {
    const { page, context, trouble } = await open({ ...clipboard, hash, locale, ready: id });
    const code = await copiedFrame(page, id);
    assert.deepEqual(trouble, []);
    const here = await said(page, id);
    assert.ok(here.caption.length > 20, here.caption);
    const look = (there) =>
      there.evaluate(() => {
        const { lang, dataset } = document.documentElement;
        return { lang, theme: dataset.theme, ground: getComputedStyle(document.body).backgroundColor };
      });
    const looks = await look(page);
    const other = await elsewhere(code);
    try {
      // Whoever reads that page may have another language.
      const reader = await open({ locale: "fr-FR", ready: false });
      await reader.page.goto(other.address);
      const shown = reader.page.frameLocator("iframe");
      await shown.locator(line).waitFor();
      const frame = reader.page.frames()[1];
      assert.notEqual(new URL(frame.url()).origin, new URL(other.address).origin);
      assert.deepEqual(await said(frame, id), here);
      assert.deepEqual(await look(frame), looks);
      assert.equal(await reader.page.locator("iframe").getAttribute("title"), here.title);
      // The line below it leads to the page, at the same state.
      const [whole] = await Promise.all([reader.context.waitForEvent("page"), shown.locator(line).click()]);
      await whole.waitForSelector(`#${id} .tools`);
      assert.match(new URL(whole.url()).hash, new RegExp(`\\bat=${id}\\b`));
      assert.equal(new URL(whole.url()).search, "");
      assert.deepEqual(await said(whole, id), here);
      assert.deepEqual(
        reader.trouble.filter((what) => !what.endsWith(`left the origin: ${other.address}`) && !/favicon/.test(what)),
        [],
      );
      await reader.context.close();
    } finally {
      await context.close();
      await other.stop();
    }
  });

test("the code holds what the figure uses and nothing else that the reader has set or written", () =>
  onPage({ ...clipboard, hash: `#${new URLSearchParams(everything)}`, ready: "rope" }, async (page) => {
    const code = await copiedFrame(page, "rope");
    const address = new URL(code.match(/src="([^"]*)"/)[1].replaceAll("&amp;", "&"));
    const { lang, theme, colours, p, text } = everything;
    assert.deepEqual(Object.fromEntries(new URLSearchParams(address.hash.slice(1))), {
      lang,
      theme,
      colours,
      p,
      text,
      ...panels.rope.link,
    });
    // It follows the figure.
    await page.locator('#rope [data-handle="Q0′"]').press("ArrowLeft");
    await page.waitForFunction(() => /angles=-4%2C/.test(document.querySelector("#rope-frame").textContent));
  }));

for (const id of Object.keys(panels))
  test(`alone in a frame, with the page's numbers, no wider than 320 px, in both languages: ${id}`, async () => {
    const { lang, ...state } = everything;
    const hash = `#${new URLSearchParams(state)}`;
    let numbers;
    await onPage({ hash, ready: id }, async (page) => {
      numbers = await savedText(page, id, "csv");
    });
    for (const language of ["en", "zh"])
      await onFrame(id, `${hash}&lang=${language}`, { width: 320, height: 800 }, async (page) => {
        if (language === "en") assert.equal(await savedText(page, id, "csv"), numbers);
        assert.equal(await page.evaluate(() => document.documentElement.lang.slice(0, 2)), language);
        assert.equal(await page.locator("section").count(), 1);
        assert.deepEqual(await page.locator("nav, header, aside, .chapter-title").count(), 0);
        assert.equal(await page.locator("figure ~ .prose").isVisible(), false);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} px too wide`);
      });
  });

test("what is done in a frame adds nothing to the history of its page, and is kept in its link", async () => {
  const { page, context } = await open({ ready: false });
  const other = await elsewhere(`<iframe src="${page.url()}?embed=rope" width="900" height="900"></iframe>`);
  try {
    await page.goto(other.address);
    await page.frameLocator("iframe").locator(line).waitFor();
    const frame = page.frames()[1];
    const before = await page.evaluate(() => history.length);
    for (const shift of ["30", "20"]) {
      await frame.fill("#row-shift", shift);
      await frame.waitForFunction(
        (wanted) => new URLSearchParams(location.hash.slice(1)).get("shift") === wanted,
        shift,
      );
    }
    assert.equal(await page.evaluate(() => history.length), before);
    assert.match(await frame.getAttribute(line, "href"), /#.*\bat=rope\b.*\bshift=20\b/);
    // The same, not in a frame, is a step.
    await page.goto(frame.url());
    await page.waitForSelector(line);
    const alone = await page.evaluate(() => history.length);
    await page.fill("#row-shift", "10");
    await page.waitForFunction((length) => history.length > length, alone);
  } finally {
    await context.close();
    await other.stop();
  }
});

test("a figure that is not there is told in both languages, with a way to those that are", () =>
  onPage({ hash: "?embed=constructor", ready: false, width: 320 }, async (page) => {
    await page.waitForSelector('[role="alert"]');
    const told = page.locator('main [role="alert"]');
    assert.equal(await told.count(), 2);
    assert.match(await words(told.nth(0)), /There is no figure “constructor”/);
    assert.match(await words(told.nth(1)), /没有名为“constructor”的图/);
    const address = await told.nth(0).locator("a").getAttribute("href");
    assert.equal(new URL(address, page.url()).search, "");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  }));

/** What axe finds, in short; within `part` if that is given. */
async function faults(page, part) {
  await page.evaluate(`${axe};0`);
  const { violations } = await page.evaluate(
    (include) => window.axe.run(include ? { include: [include] } : document, { resultTypes: ["violations"] }),
    part,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}

for (const language of ["en", "zh"])
  test(`axe finds nothing in a frame, nor in its code: ${language}`, async () => {
    for (const id of ["rope", "nothing"])
      await onPage({ hash: `?embed=${id}#lang=${language}`, ready: false, width: 360 }, async (page) => {
        await page.waitForSelector(`${line}, [role="alert"] a`);
        await inBothThemes(page, async (theme) => assert.deepEqual(await faults(page), [], `${id} ${theme}`));
      });
    await onPage({ hash: `#lang=${language}`, width: 360, ready: "rope" }, async (page) => {
      await page.click('#rope [data-tool="embed"]');
      await page.waitForSelector("#rope-frame");
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
      await inBothThemes(page, async (theme) => assert.deepEqual(await faults(page, ".frame-code"), [], theme));
    });
  });
