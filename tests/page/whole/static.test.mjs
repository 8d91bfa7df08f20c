import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { load } from "posenc";
import { axeFaults, excess, expect, fromMenu, inBothThemes, savedText, test, words } from "../fixtures.mjs";
import { panels } from "../panels/states.mjs";

// These are made of the figures while the page is built: the story for readers without JavaScript, and what is seen where a
// link to a figure is shared.

const built = fileURLToPath(new URL("../../../build/page/", import.meta.url));

const PANELS = Object.keys(panels);
const LANGUAGES = ["en", "zh"];
const everyFigure = PANELS.flatMap((panel) => LANGUAGES.map((language) => `${panel}.${language}`));

test("without JavaScript a reader is led to the story in both languages @all", async ({ open }) => {
  // Its scripts are refused, which counts as trouble.
  const page = await open({ mayFail: true, javaScriptEnabled: false, ready: false, width: 360 });
  await page.waitForURL("**/story.en.html");
  for (const [language, title, text] of [
    ["en", /came first/, /Rotary position embedding/],
    ["zh", /词的先后/, /旋转位置编码/],
  ]) {
    if (language === "zh") {
      await page.click('header a[hreflang="zh"]');
      await page.waitForURL("**/story.zh.html");
    }
    await expect(page.locator("h1")).toRead(title);
    await expect(page.locator("#score")).toRead(text);
    // Instruments are folded away, as on the page with scripts.
    for (const summary of await page.locator("details.more > summary").all()) await summary.click();
    const sections = page.locator("main section");
    expect(await sections.evaluateAll((all) => all.map(({ id }) => id))).toEqual(PANELS);
    for (const panel of PANELS) {
      const section = page.locator(`#${panel}`);
      const picture = section.locator("figure img");
      await picture.scrollIntoViewIfNeeded();
      const { width, height } = await picture.boundingBox();
      expect(width > 250 && width <= 328 && height > 100, `${panel}: ${width} x ${height}`).toBeTruthy();
      expect(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)), panel).toBeTruthy();
      await expect(picture, panel).not.toHaveAttribute("alt", "");
      await expect(section.locator("figcaption"), panel).not.toHaveText("");
      expect((await words(section.locator(".prose").first())).length, panel).toBeGreaterThan(20);
      expect((await words(section.locator(".prose").last())).length, panel).toBeGreaterThan(60);
    }
    expect(await excess(page)).toBeLessThanOrEqual(0);
  }
});

for (const path of ["story.en.html", "story.zh.html", "figures/patches.en.html", "figures/patches.zh.html"])
  test(`axe finds nothing in both themes: ${path} @all`, async ({ open }) => {
    const stay = (page) =>
      page.route("**/forward.js", (route) => route.fulfill({ body: "", contentType: "text/javascript" }));
    const page = await open({ hash: path, ready: false, route: stay });
    for (const summary of await page.locator("main details > summary").all()) await summary.click();
    await inBothThemes(page, async (theme) => expect(await axeFaults(page), theme).toEqual([]));
  });

const still = (name) => readFileSync(`${built}pictures/${name}.svg`, "utf8");

test("every figure has its pictures and its page to share in both languages", () => {
  const expected = {
    pictures: everyFigure.flatMap((name) => [".narrow.svg", ".png", ".svg"].map((kind) => name + kind)),
    figures: ["forward.js", "pages.css", ...everyFigure.map((name) => `${name}.html`)],
  };
  for (const [folder, names] of Object.entries(expected))
    expect(readdirSync(built + folder).sort(), folder).toEqual(names.sort());
});

test("still pictures have the style of the page and no number that is none", () => {
  for (const name of everyFigure)
    for (const svg of [still(name), still(`${name}.narrow`)]) {
      expect(svg, name).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(svg, `${name}: paper`).toMatch(/<rect [^>]*fill="#fcfbf8"/);
      expect(svg, `${name}: letters`).toMatch(/font-size="1[1-4](?:\.5)?px"/);
      expect(svg, name).not.toMatch(/NaN|undefined|Infinity|var\(|light-dark|class=|<!--/);
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
      expect(Math.abs(x - unit * rotated[2 * token]), `Q${token}: ${x}`).toBeLessThan(0.02);
      expect(Math.abs(y + unit * rotated[2 * token + 1]), `Q${token}: ${y}`).toBeLessThan(0.02);
    }
  }
});

/** Reads what is drawn in an SVG file: its texts, and the colours and ends of its lines. */
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

test("a still picture is what the figure draws in a browser", async ({ open }) => {
  const page = await open({ ready: "rope", width: 1280, hash: "#lang=zh" });
  expect(await drawn(page, still("rope.zh"))).toEqual(await drawn(page, await savedText(page, "rope", "svg")));
});

/** The size of a PNG file, and how many values a hundredth of its bytes have: a blank one has few. */
function pictureOf(path) {
  const file = readFileSync(path);
  expect(file.subarray(1, 4).toString("latin1"), path).toBe("PNG");
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
      expect(size, file).toEqual([1200, 630]);
      expect(values, `${file}: ${values} values`).toBeGreaterThan(40);
    }
    if (name !== "sum") expect(readFileSync(files[0]).equals(readFileSync(files[1])), name).toBeFalsy();
  }
  for (const language of LANGUAGES) expect(pictureOf(`${built}share.${language}.png`).size).toEqual([1200, 630]);
});

const described = (html) =>
  Object.fromEntries(
    [...html.matchAll(/<meta property="(.+?)" content="(.+?)"/g)].map(([, key, value]) => [key, value]),
  );

test("the story and the pages to share say what they are, in their language, and their pictures exist", () => {
  const paths = [...LANGUAGES.map((language) => `story.${language}`), ...everyFigure.map((name) => `figures/${name}`)];
  for (const path of paths) {
    const html = readFileSync(`${built}${path}.html`, "utf8");
    const about = described(html);
    const isChinese = path.endsWith("zh");
    expect(html, path).toMatch(isChinese ? /<html lang="zh-CN"/ : /<html lang="en"/);
    expect(about["og:title"], path).toBe(html.match(/<title>(.*?)<\/title>/)[1]);
    expect(/[\u4e00-\u9fff]/u.test(about["og:description"]), about["og:description"]).toBe(isChinese);
    expect(about["og:locale"], path).toBe(isChinese ? "zh_CN" : "en_GB");
    expect(existsSync(join(dirname(built + path), about["og:image"])), about["og:image"]).toBeTruthy();
    expect(JSON.parse(html.match(/ld\+json">(.*?)<\/script>/)[1]).inLanguage).toBe(isChinese ? "zh" : "en");
    expect(html, path).not.toMatch(/(?:src|href)="(?:\/|https?:)/);
    for (const [, address] of html.matchAll(/(?:src|srcset|href)="([^"#]+)[^"]*"/g))
      expect(existsSync(join(dirname(built + path), address)), `${path}: ${address}`).toBeTruthy();
  }
});

test("a page to share leads to the live figure with its language and state", async ({ open }) => {
  const page = await open({ hash: "figures/rope.zh.html#angles=5%2C6%2C7&theme=dark", ready: false, fresh: true });
  await page.waitForURL("**/index.html#*");
  const link = new URLSearchParams(new URL(page.url()).hash.slice(1));
  expect(Object.fromEntries(link)).toEqual({ at: "rope", lang: "zh", angles: "5,6,7", theme: "dark" });
  await page.waitForSelector("#rope figure > .tools");
  await expect(page.locator("#rope-title")).toBeFocused();
  // The way back does not lead to the page that leads on.
  await expect.poll(() => page.evaluate(() => history.length)).toBe(2);
});

test("a figure's copied link has its picture, and leads to the figure as it was", async ({ open }) => {
  const page = await open({
    hash: "#n=50&lang=zh",
    ready: "heatmap",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await fromMenu(page, "heatmap", "link");
  await page.waitForSelector('#heatmap [data-tool="link"]:has-text("已复制")');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const { pathname, hash } = new URL(copied);
  expect(pathname).toBe("/some/folder/figures/heatmap.zh.html");
  expect(existsSync(join(built, pathname.replace("/some/folder/", "")))).toBeTruthy();
  expect(new URLSearchParams(hash.slice(1)).get("n")).toBe("50");
  await page.goto(copied);
  await page.waitForURL("**/index.html#*");
  await page.waitForSelector("#heatmap .tools");
  await expect(page.locator("#row-length")).toHaveValue("50");
  await expect(page.locator("#heatmap-title")).toRead(/正弦位置编码/);
});
