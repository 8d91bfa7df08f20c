import { tmpdir } from "node:os";
import {
  axeFaults,
  excess,
  expect,
  follow,
  fromMenu,
  inBothThemes,
  link,
  redrawn,
  savedText,
  test,
  words,
} from "../fixtures.mjs";
import { everything, PAGES, panels, panelsOf } from "../panels/states.mjs";

// Figures in frames of other pages: `index.html?embed=FIGURE`, and the code that a button gives.

const line = "footer a";

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** Opens the code of a figure's frame, and gives it as it is copied. */
async function copiedFrame(page, id) {
  await fromMenu(page, id, "embed");
  await page.waitForSelector(`#${id}-frame`);
  await page.locator(`[data-copy="${id}-frame"]`).press("Enter");
  await expect(page.locator(`[data-copy="${id}-frame"]`)).toRead(/Copied|已复制/);
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Another server's page with this in it. */
const elsewhere = (serve, body) => {
  const head =
    '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>A post</title>';
  return serve({ instead: new Map([["index.html", `${head}<h1>A post</h1>${body}`]]) }, tmpdir());
};

/** A figure's title, caption and numbers, once all of it is drawn: parts of some are fetched separately. */
async function said(page, id) {
  await page.locator(`#${id} output`).first().waitFor({ state: "attached" });
  const outputs = await page.locator(`#${id} output`).allTextContents();
  return {
    title: await words(page.locator(`#${id}-title`)),
    caption: await words(page.locator(`#${id}-caption`)),
    outputs,
  };
}

const look = (page) =>
  page.evaluate(() => {
    const { lang, dataset } = document.documentElement;
    return { lang, theme: dataset.theme, ground: getComputedStyle(document.body).backgroundColor };
  });

test("the code copied below a figure shows it in a page of another origin, as it is @all", async ({ open, serve }) => {
  const id = "mix";
  const hash = "#joined=concatenate&mp=12&p=1&theme=dark&lang=en";
  const locale = "zh-CN";
  const page = await open({ ...clipboard, hash, locale, ready: id });
  const code = await copiedFrame(page, id);
  const here = await said(page, id);
  expect(here.caption.length, here.caption).toBeGreaterThan(20);
  const other = await elsewhere(serve, code);
  // Whoever reads that page may have another language.
  const reader = await open({ locale: "fr-FR", ready: false, others: [other.address] });
  await reader.goto(other.address);
  const shown = reader.frameLocator("iframe");
  await shown.locator(line).waitFor();
  const frame = reader.frames()[1];
  expect(new URL(frame.url()).origin).not.toBe(new URL(other.address).origin);
  await expect.poll(() => said(frame, id)).toEqual(here);
  expect(await look(frame)).toEqual(await look(page));
  await expect(reader.locator("iframe")).toHaveAttribute("title", here.title);
  // The line below it leads to the page, at the same state.
  const [whole] = await Promise.all([reader.context().waitForEvent("page"), shown.locator(line).click()]);
  await whole.waitForSelector(`#${id} .tools`);
  expect(new URL(whole.url()).hash).toMatch(new RegExp(`\\bat=${id}\\b`));
  expect(new URL(whole.url()).search).toBe("");
  await expect.poll(() => said(whole, id)).toEqual(here);
});

test("the code holds what the figure uses and nothing else that the reader has set or written", async ({ open }) => {
  const page = await open({ ...clipboard, hash: `#${new URLSearchParams(everything)}`, ready: "rope" });
  const code = await copiedFrame(page, "rope");
  const address = new URL(code.match(/src="([^"]*)"/)[1].replaceAll("&amp;", "&"));
  const { lang, theme, p, text } = everything;
  const expected = { lang, theme, p, text, ...panels.rope.link };
  expect(Object.fromEntries(new URLSearchParams(address.hash.slice(1)))).toEqual(expected);
  // It follows the figure.
  await page.locator('#rope [data-handle="Q0′"]').press("ArrowLeft");
  await expect(page.locator("#rope-frame").first()).toRead(/angles=-4%2C/);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await excess(page)).toBeLessThanOrEqual(0);
  await inBothThemes(page, async (theme) => expect(await axeFaults(page, ".frame-code"), theme).toEqual([]));
});

test("every figure in a frame: the page's numbers, 320 px, both languages @all", async ({ open }) => {
  const { lang: _, ...state } = everything;
  const hash = `#${new URLSearchParams(state)}`;
  const page = await open({ ready: "problem", width: 320 });
  const home = new URL("./", page.url()).href;
  for (const path of PAGES) {
    const whole = await open({ path, hash });
    for (const id of panelsOf(path)) {
      const numbers = await savedText(whole, id, "csv");
      await page.goto(`${home}?embed=${id}${hash}&lang=en`);
      await page.waitForSelector(line);
      await redrawn(page);
      expect(await savedText(page, id, "csv")).toBe(numbers);
      await expect(page.locator("section")).toHaveCount(1);
      await expect(page.locator("nav, header, aside, .chapter-title")).toHaveCount(0);
      await expect(page.locator("figure ~ .prose")).toBeHidden();
      for (const language of ["en", "zh"]) {
        await follow(page, `${hash}&lang=${language}`);
        await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${language}`));
        await redrawn(page);
        expect(await excess(page), `${id}, ${language}`).toBeLessThanOrEqual(0);
        if (id === "rope") await inBothThemes(page, async (theme) => expect(await axeFaults(page), theme).toEqual([]));
      }
    }
  }
});

test("what is done in a frame is no step of its page, and is kept in its link @all", async ({ open, serve }) => {
  const page = await open({ mayFail: true, ready: false });
  const other = await elsewhere(serve, `<iframe src="${page.url()}?embed=rope" width="900" height="900"></iframe>`);
  await page.goto(other.address);
  await page.frameLocator("iframe").locator(line).waitFor();
  const frame = page.frames()[1];
  const before = await page.evaluate(() => history.length);
  await frame.fill("#row-shift", "20");
  await expect.poll(() => link(frame)).toMatchObject({ shift: "20" });
  await expect.poll(() => page.evaluate(() => history.length)).toBe(before);
  await expect(frame.locator(line)).toHaveAttribute("href", /#.*\bat=rope\b.*\bshift=20\b/);
});

test("an unknown figure is answered by the whole page", async ({ open }) => {
  const page = await open({ path: "?embed=constructor", ready: "problem" });
  await expect(page.locator("h1")).toRead(/came first/);
  await expect(page.locator("main section").nth(1)).toBeAttached();
});
