import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { load } from "posenc";
import { inBothThemes, pageTests, savedText, words } from "./browser.mjs";
import { panels } from "./every-panel.mjs";

// What is made of the figures while the page is built: the story for readers without JavaScript, and what is seen where a
// link to a figure is shared.

const built = fileURLToPath(new URL("../../build/page/", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { open, onPage } = pageTests("/some/folder/");

const PANELS = Object.keys(panels);
const LANGUAGES = ["en", "zh"];
const everyFigure = PANELS.flatMap((panel) => LANGUAGES.map((language) => `${panel}.${language}`));

test("without JavaScript a reader is led to the story: text and pictures of every figure, in both languages", async () => {
  // Its scripts are refused, which counts as trouble.
  const { page, context } = await open({ javaScriptEnabled: false, ready: false, width: 360 });
  await page.waitForURL("**/story.en.html");
  for (const [language, title, text] of [
    ["en", /came first/, /Rotary position embedding/],
    ["zh", /谁先谁后/, /旋转位置编码/],
  ]) {
    if (language === "zh") {
      await page.click('header a[hreflang="zh"]');
      await page.waitForURL("**/story.zh.html");
    }
    assert.match(await words(page.locator("h1")), title);
    assert.match(await words(page.locator("#rope")), text);
    // Instruments are folded away, as on the page with scripts.
    for (const summary of await page.locator("details.more > summary").all()) await summary.click();
    const sections = page.locator("main section");
    assert.deepEqual(await sections.evaluateAll((all) => all.map(({ id }) => id)), PANELS);
    for (const panel of PANELS) {
      const section = page.locator(`#${panel}`);
      const picture = section.locator("figure img");
      await picture.scrollIntoViewIfNeeded();
      const { width, height } = await picture.boundingBox();
      assert.ok(width > 250 && width <= 328 && height > 100, `${panel}: ${width} x ${height}`);
      assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)), panel);
      assert.notEqual(await picture.getAttribute("alt"), "", panel);
      assert.notEqual(await words(section.locator("figcaption")), "", panel);
      assert.ok((await words(section.locator(".prose").first())).length > 20, panel);
      assert.ok((await words(section.locator(".prose").last())).length > 60, panel);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${language}: ${wide} px too wide`);
  }
  await context.close();
});

for (const path of ["story.en.html", "story.zh.html", "figures/patches.en.html", "figures/patches.zh.html"])
  test(`axe finds nothing in both themes: ${path}`, async () => {
    const stay = (page) =>
      page.route("**/forward.js", (route) => route.fulfill({ body: "", contentType: "text/javascript" }));
    await onPage({ hash: path, ready: false, route: stay }, async (page) => {
      for (const summary of await page.locator("main details > summary").all()) await summary.click();
      await page.evaluate(`${axe};0`);
      await inBothThemes(page, async (theme) => {
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(
          violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)),
          [],
          theme,
        );
      });
    });
  });

const still = (name) => readFileSync(`${built}pictures/${name}.svg`, "utf8");

test("every figure has its pictures and its page to share in both languages", () => {
  const expected = {
    pictures: everyFigure.flatMap((name) => [".narrow.svg", ".png", ".svg"].map((kind) => name + kind)),
    figures: ["forward.js", "pages.css", ...everyFigure.map((name) => `${name}.html`)],
  };
  for (const [folder, names] of Object.entries(expected))
    assert.deepEqual(readdirSync(built + folder).sort(), names.sort(), folder);
});

test("still pictures have the style of the page and no number that is none", () => {
  for (const name of everyFigure)
    for (const svg of [still(name), still(`${name}.narrow`)]) {
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/, name);
      assert.match(svg, /<rect [^>]*fill="#fcfbf8"/, `${name}: paper`);
      assert.match(svg, /font-size="1[1-4](?:\.5)?px"/, `${name}: letters`);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity|var\(|light-dark|class=|<!--/, name);
    }
});

test("a still picture's arrows end where the library rotates them", async () => {
  const pe = await load();
  const shape = [3, 2];
  const query = pe.linear(
    { data: Float32Array.of(1, 0.2, 0.3, 1, -0.9, 0.5), shape },
    { data: Float32Array.of(1, 0.8, -0.8, 1), shape: [2, 2] },
  );
  const rope = pe.rotary({ dim: 2, layout: "interleaved" });
  const positions = [10, 20, 30].map((degrees) => (degrees * Math.PI) / 180);
  const rotated = rope.apply(query.data.slice(), { shape, positions });
  rope.delete();
  for (const language of LANGUAGES) {
    const svg = still(`rope.${language}`);
    const unit = Number(svg.match(/<text [^>]*x="([\d.]+)"[^>]*>1\.0<\/text>/)[1]);
    for (const token of [0, 1, 2]) {
      const [, x, y] = svg.match(new RegExp(`data-arrow="Q${token}′".*?x2="(.*?)" y2="(.*?)"`)).map(Number);
      assert.ok(Math.abs(x - unit * rotated[2 * token]) < 0.02, `Q${token}: ${x}`);
      assert.ok(Math.abs(y + unit * rotated[2 * token + 1]) < 0.02, `Q${token}: ${y}`);
    }
  }
});

/** What is drawn in an SVG file: its texts, and the colours and ends of its lines. */
const drawn = (page, source) =>
  page.evaluate((text) => {
    const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
    const colour = document.createElement("canvas").getContext("2d");
    const lines = [...documentElement.querySelectorAll("line")].map((line) => {
      colour.fillStyle = line.getAttribute("stroke");
      return [
        colour.fillStyle,
        ...["x1", "y1", "x2", "y2"].map((end) => Math.round(line.getAttribute(end) ?? 0)),
      ].join();
    });
    return { lines, texts: [...documentElement.querySelectorAll("text")].map(({ textContent }) => textContent.trim()) };
  }, source);

test("a still picture is what the figure draws in a browser", () =>
  onPage({ ready: "rope", width: 1280, hash: "#lang=zh" }, async (page) => {
    assert.deepEqual(await drawn(page, still("rope.zh")), await drawn(page, await savedText(page, "rope", "svg")));
  }));

/** The size of a PNG file, and how many values a hundredth of its bytes have: a blank one has few. */
function pictureOf(path) {
  const file = readFileSync(path);
  assert.equal(file.subarray(1, 4).toString("latin1"), "PNG", path);
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const pixels = inflateSync(Buffer.concat(parts));
  return {
    size: [file.readUInt32BE(16), file.readUInt32BE(20)],
    values: new Set(pixels.filter((_, at) => at % 101 === 0)).size,
  };
}

test("pictures to share are 1200 x 630 and not blank, and differ by language", () => {
  for (const name of PANELS) {
    const files = LANGUAGES.map((language) => `${built}pictures/${name}.${language}.png`);
    for (const file of files) {
      const { size, values } = pictureOf(file);
      assert.deepEqual(size, [1200, 630], file);
      assert.ok(values > 40, `${file}: ${values} values`);
    }
    if (name !== "sum") assert.ok(!readFileSync(files[0]).equals(readFileSync(files[1])), name);
  }
  for (const language of LANGUAGES) assert.deepEqual(pictureOf(`${built}share.${language}.png`).size, [1200, 630]);
});

const told = (html) =>
  Object.fromEntries(
    [...html.matchAll(/<meta property="(.+?)" content="(.+?)"/g)].map(([, key, value]) => [key, value]),
  );

test("the story and the pages to share say what they are, in their language, and their pictures exist", () => {
  const paths = [...LANGUAGES.map((language) => `story.${language}`), ...everyFigure.map((name) => `figures/${name}`)];
  for (const path of paths) {
    const html = readFileSync(`${built}${path}.html`, "utf8");
    const about = told(html);
    const isChinese = path.endsWith("zh");
    assert.match(html, isChinese ? /<html lang="zh-CN"/ : /<html lang="en"/, path);
    assert.equal(about["og:title"], html.match(/<title>(.*?)<\/title>/)[1], path);
    assert.equal(/[\u4e00-\u9fff]/u.test(about["og:description"]), isChinese, about["og:description"]);
    assert.equal(about["og:locale"], isChinese ? "zh_CN" : "en_GB", path);
    assert.ok(existsSync(join(dirname(built + path), about["og:image"])), about["og:image"]);
    assert.equal(JSON.parse(html.match(/ld\+json">(.*?)<\/script>/)[1]).inLanguage, isChinese ? "zh" : "en");
    assert.doesNotMatch(html, /(?:src|href)="(?:\/|https?:)/, path);
    for (const [, address] of html.matchAll(/(?:src|srcset|href)="([^"#]+)[^"]*"/g))
      assert.ok(existsSync(join(dirname(built + path), address)), `${path}: ${address}`);
  }
});

test("a page to share leads to the live figure, in its language and with the state of its own link", () =>
  onPage({ hash: "figures/rope.zh.html#angles=5%2C6%2C7&theme=dark", ready: false }, async (page) => {
    await page.waitForURL("**/index.html#*");
    const link = new URLSearchParams(new URL(page.url()).hash.slice(1));
    assert.deepEqual(Object.fromEntries(link), { at: "rope", lang: "zh", angles: "5,6,7", theme: "dark" });
    await page.waitForSelector("#rope figure > .tools");
    assert.equal(await page.evaluate(() => document.activeElement.id), "rope-title");
    // The way back does not lead to the page that leads on.
    assert.equal(await page.evaluate(() => history.length), 2);
  }));

test("a figure's copied link shows its picture where it is shared, and leads to the figure as it was", () =>
  onPage(
    { hash: "#n=50&lang=zh", ready: "heatmap", permissions: ["clipboard-read", "clipboard-write"] },
    async (page) => {
      await page.click('#heatmap [data-tool="link"]');
      await page.waitForSelector('#heatmap [data-tool="link"]:has-text("已复制")');
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const { pathname, hash } = new URL(copied);
      assert.equal(pathname, "/some/folder/figures/heatmap.zh.html");
      assert.ok(existsSync(join(built, pathname.replace("/some/folder/", ""))));
      assert.equal(new URLSearchParams(hash.slice(1)).get("n"), "50");
      await page.goto(copied);
      await page.waitForURL("**/index.html#*");
      await page.waitForSelector("#heatmap .tools");
      assert.equal(await page.inputValue("#row-length"), "50");
      assert.match(await words(page.locator("#heatmap-title")), /波纹/);
    },
  ));
