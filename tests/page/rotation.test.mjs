import assert from "node:assert/strict";
import { test } from "node:test";
import { openSettings, pageTests, savedText, settled, unfold, words } from "./browser.mjs";

// The panels on rotation, held against the formulas in doubles.

const { onPage } = pageTests();

const number = (text) => Number(text.replaceAll("−", "-").replace("°", ""));
const value = async (page, selector) => number(await words(page.locator(selector)));
const vector = async (page, selector) => (await words(page.locator(selector))).match(/(?:−)?[\d.]+/g).map(number);
const close = (actual, expected, tolerance = 2e-6) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`);
const rotate = ([x, y], degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
};
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

async function checkScore(page, q, k, m, n, step = 10) {
  const [rotatedQ, rotatedK] = [rotate(q, m * step), rotate(k, n * step)];
  close(await value(page, "[data-score]"), dot(rotatedQ, rotatedK));
  for (const [name, expected] of [
    ["q", rotatedQ],
    ["k", rotatedK],
  ])
    for (const [at, dimension] of (await vector(page, `[data-rotated="${name}"]`)).entries())
      close(dimension, expected[at]);
  close(await value(page, "[data-shortened]"), dot(q, k) * Math.cos(((n - m) * step * Math.PI) / 180));
}

test("score: the post's angles, and a slide of both positions that changes nothing", () =>
  onPage({ ready: "score", hash: "#at=score" }, async (page) => {
    const [q, k] = [
      [1.16, -0.6],
      [1.2, -0.04],
    ];
    await checkScore(page, q, k, 1, 3);
    const before = await words(page.locator("[data-score]"));
    await page.fill("#row-slide", "17");
    await settled(page);
    await checkScore(page, q, k, 18, 20);
    close(await value(page, "[data-score]"), number(before));
    const drift = await value(page, "[data-score-drift]");
    assert.ok(drift < 1e-6, `drift ${drift}`);
    await unfold(page);
    await openSettings(page, "score");
    await page.fill("#row-keyAt", "9");
    await settled(page);
    await checkScore(page, q, k, 18, 26);
    assert.notEqual(await words(page.locator("[data-score]")), before);
  }));

test("score: arrows are moved by keys and by dragging", () =>
  onPage({ ready: "score", hash: "#at=score&deg=0" }, async (page) => {
    await page.locator('[data-handle="q"]').focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Shift+ArrowLeft");
    await settled(page);
    await checkScore(page, [0.66, -0.55], [1.2, -0.04], 1, 3, 0);
    const drawing = page.locator(".score-plane");
    await drawing.scrollIntoViewIfNeeded();
    const box = await drawing.boundingBox();
    const knob = await page.locator('[data-handle="k"]').boundingBox();
    await page.mouse.move(knob.x + knob.width / 2, knob.y + knob.height / 2);
    await page.mouse.down();
    // The plane reaches from -2 to 2: three quarters across and a quarter down is (1, 1).
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.25, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const [x, y] = await Promise.all(
      [0, 1].map((at) => page.locator("#score .matrix").nth(1).locator("input").nth(at).inputValue()),
    );
    close(Number(x), 1, 0.02);
    close(Number(y), 1, 0.02);
    await checkScore(page, [0.66, -0.55], [Number(x), Number(y)], 1, 3, 0);
    await unfold(page);
    await page.click('[data-tool="post-score"]');
    await settled(page);
    await checkScore(page, [1.16, -0.6], [1.2, -0.04], 1, 3);
  }));

test("score: play slides both, and can be stopped", () =>
  onPage({ ready: "score", hash: "#at=score" }, async (page) => {
    await page.click('#score [data-player="forward"]');
    await settled(page);
    await checkScore(page, [1.16, -0.6], [1.2, -0.04], 2, 4);
    await page.click('#score [data-player="play"]');
    await page.waitForFunction(() => Number(document.querySelector("#row-slide").value) >= 2);
    await page.click('#score [data-player="pause"]');
    const slide = Number(await page.inputValue("#row-slide"));
    await checkScore(page, [1.16, -0.6], [1.2, -0.04], 1 + slide, 3 + slide);
  }));

/** The angle of the wedge between the rotated arrows, in degrees, from where its arc begins and ends. */
async function wedge(page) {
  const [from, to] = await page
    .locator(".score-plane .wedge")
    .evaluate((path) =>
      [...path.getAttribute("d").matchAll(/(-?[\d.]+) (-?[\d.]+)(?=A|Z)/g)].map(([, x, y]) => [Number(x), -Number(y)]),
    );
  return (Math.atan2(from[0] * to[1] - from[1] * to[0], dot(from, to)) * 180) / Math.PI;
}

test("score: the wedge keeps its angle and the trace is level, while a key that moves alone goes up and down", () =>
  onPage({ ready: "score", hash: "#at=score&deg=20" }, async (page) => {
    const between = (a, b) => (Math.atan2(a[0] * b[1] - a[1] * b[0], dot(a, b)) * 180) / Math.PI;
    const expected = between(rotate([1.16, -0.6], 20), rotate([1.2, -0.04], 60));
    const heights = (at) =>
      page
        .locator(`#score-trace .curve-${at} path`)
        .last()
        .evaluate((path) =>
          path
            .getAttribute("d")
            .split(/[ML]/)
            .slice(1)
            .map((point) => Number(point.split(" ")[1])),
        );
    const trace = page.locator("#score-trace");
    for (const slide of [0, 3, 4, 5]) {
      close(await wedge(page), expected, 0.05);
      assert.equal(await page.inputValue("#row-slide"), String(slide));
      if (slide === 0) {
        await page.fill("#row-slide", "2");
        await settled(page);
      }
      await trace.press("ArrowRight");
      await settled(page);
    }
    const [both, alone] = [await heights(0), await heights(1)];
    assert.equal(both.length, 73);
    assert.ok(Math.max(...both) - Math.min(...both) < 0.1, "level");
    assert.ok(Math.max(...alone) - Math.min(...alone) > 100, "not level");
    assert.match(await trace.getAttribute("aria-valuetext"), /^slide 6: score 0\.\d+; with the key alone, /);
    // A slide far away is on the trace, too.
    await page.fill("#row-slide", "9000");
    await settled(page);
    assert.match(await trace.getAttribute("aria-valuetext"), /^slide 9000: /);
    close(await wedge(page), expected, 0.05);
  }));

test("score: it slides by itself once, back to where it began and without a trace in the link", () =>
  onPage({ ready: "score", reducedMotion: "no-preference" }, async (page) => {
    const slide = () => page.inputValue("#row-slide").then(Number);
    await page.waitForFunction(() => Number(document.querySelector("#row-slide").value) > 3);
    await page.waitForFunction(() => document.querySelector("#row-slide").value === "0");
    assert.equal(await page.locator('#score [data-player="play"]').count(), 1);
    await page.waitForTimeout(500);
    assert.equal(await slide(), 0);
    assert.equal(await page.evaluate(() => location.hash.includes("slide")), false);
  }));

test("score: what slides by itself stops at the reader's first move, and never starts with reduced motion", async () => {
  await onPage({ ready: "score", reducedMotion: "no-preference" }, async (page) => {
    await page.waitForFunction(() => Number(document.querySelector("#row-slide").value) > 1);
    await page.locator(".score-plane").click({ position: { x: 9, y: 9 } });
    const stopped = await page.inputValue("#row-slide");
    await page.waitForTimeout(600);
    assert.equal(await page.inputValue("#row-slide"), stopped);
  });
  await onPage({ ready: "score" }, async (page) => {
    await page.waitForTimeout(2500);
    assert.equal(await page.inputValue("#row-slide"), "0");
  });
});

async function checkPair(page, { pair, position, count = 6, dimension = 5, base = 10000 }) {
  const angle = position * base ** (-pair / count);
  close((await value(page, "[data-degrees]")) / ((angle * 180) / Math.PI), 1, 1e-5);
  close(await value(page, '[data-dimension="0"]'), dimension * (Math.cos(angle) - Math.sin(angle)));
  close(await value(page, '[data-dimension="1"]'), dimension * (Math.sin(angle) + Math.cos(angle)));
}

test("pairs: post C's twelve dimensions in six planes, read by keys", () =>
  onPage({ ready: "pairs", hash: "#at=pairs" }, async (page) => {
    assert.equal(await page.locator(".pair-plane").count(), 6);
    assert.equal(await page.locator(".pair-arrow[data-arrow]").count(), 30);
    await checkPair(page, { pair: 1, position: 5 });
    await page.locator("#pairs .pick").focus();
    for (const [key, pair, position] of [
      ["ArrowRight", 2, 5],
      ["ArrowDown", 2, 10],
      ["ArrowDown", 2, 10],
      ["ArrowLeft", 1, 10],
      ["Home", 0, 10],
      ["ArrowUp", 0, 5],
      ["End", 5, 5],
    ]) {
      await page.keyboard.press(key);
      await settled(page);
      await checkPair(page, { pair, position });
    }
    const titles = await page.locator(".pair-title").allTextContents();
    assert.match(titles[5], /10 and 11/);
    await openSettings(page, "pairs");
    await page.locator('#pairs input[value="half"]').check();
    await settled(page);
    assert.match((await page.locator(".pair-title").allTextContents())[5], /5 and 11/);
    await checkPair(page, { pair: 5, position: 5 });
  }));

test("pairs: the position is chosen by a chip that says it", () =>
  onPage({ ready: "pairs", hash: "#at=pairs" }, async (page) => {
    const chips = page.locator("#pairs .position-chips label");
    assert.deepEqual(
      (await chips.allTextContents()).map((text) => Number(text)),
      [0, 1, 2, 5, 10],
    );
    assert.equal(await chips.nth(3).locator("input").isChecked(), true);
    await checkPair(page, { pair: 1, position: 5 });
    await chips.nth(4).click();
    await settled(page);
    await checkPair(page, { pair: 1, position: 10 });
    await page.locator("#pairs .pick").press("ArrowUp");
    await page.locator("#pairs .pick").press("ArrowUp");
    await settled(page);
    assert.equal(await chips.nth(2).locator("input").isChecked(), true);
    await checkPair(page, { pair: 1, position: 2 });
  }));

test("pairs: positions, count, value and base can be edited, and arrows stand where they should", () =>
  onPage({ ready: "pairs", hash: "#at=pairs&rp=8&ones=-2.5&rb=500&at5=0,1,2,1000000,-3" }, async (page) => {
    const expected = { count: 8, dimension: -2.5, base: 500 };
    assert.equal(await page.locator(".pair-plane").count(), 8);
    await checkPair(page, { ...expected, pair: 1, position: 1000000 });
    await openSettings(page, "pairs");
    await page.locator("#pairs .matrix input").nth(3).fill("7.5");
    await settled(page);
    await checkPair(page, { ...expected, pair: 1, position: 7.5 });
    const end = await page
      .locator('[data-arrow="1-3"]')
      .evaluate((line) => [line.x2.baseVal.value, -line.y2.baseVal.value]);
    const angle = 7.5 * 500 ** (-1 / 8) + Math.PI / 4 + Math.PI;
    close(Math.cos(Math.atan2(end[1], end[0]) - angle), 1, 1e-6);
    await page.locator('#pairs [data-tool="post-pairs"]').click();
    await settled(page);
    await checkPair(page, { pair: 1, position: 5 });
  }));

/** Mean cosine over the planes, half of which rotate with the rows and half with the columns. */
function axial(dy, dx, pairs, base) {
  let sum = 0;
  for (let i = 0; i < pairs; i++) sum += Math.cos(dy * base ** (-i / pairs)) + Math.cos(dx * base ** (-i / pairs));
  return sum / (2 * pairs);
}

test("patches: similarity of a clicked patch with one that is pointed at", () =>
  onPage({ ready: "patches", hash: "#at=patches" }, async (page) => {
    close(await value(page, "[data-similarity]"), axial(-2, 2, 8, 100));
    const cells = page.locator(".patch-grid .patch");
    await cells.first().scrollIntoViewIfNeeded();
    await cells.nth(2 * 12 + 9).click();
    await cells.nth(10 * 12 + 1).hover();
    await settled(page);
    close(await value(page, "[data-similarity]"), axial(8, -8, 8, 100));
    assert.ok((await value(page, "[data-patch-drift]")) < 1e-6);
    await page.locator("#patches .pick").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowRight");
    await settled(page);
    close(await value(page, "[data-similarity]"), axial(7, -7, 8, 100));
    await page.keyboard.press("Enter");
    await settled(page);
    close(await value(page, "[data-similarity]"), 1);
    assert.equal(await page.inputValue("#row-patchX"), "2");
  }));

test("patches: mixed rotation breaks the symmetry of the axes and still depends on differences alone", () =>
  onPage({ ready: "patches", hash: "#at=patches&patches=mixed&y=4&px=4&y2=6&x2=1" }, async (page) => {
    const there = await value(page, "[data-similarity]");
    assert.ok((await value(page, "[data-patch-drift]")) < 1e-6);
    // Mirrored: the same for axial rotation, not for directions of their own.
    await openSettings(page, "patches");
    await page.fill("#row-overX", "7");
    await settled(page);
    assert.ok(Math.abs((await value(page, "[data-similarity]")) - there) > 1e-3);
    // 180 degrees about the chosen patch: a cosine is the same.
    await page.fill("#row-overY", "2");
    await settled(page);
    close(await value(page, "[data-similarity]"), there);
  }));

/** M-RoPE's positions by their definition: text counts on in all three, an image shares one time. */
function mrope(before, [down, across], after) {
  const same = (id) => [id, id, id];
  const image = Array.from({ length: down * across }, (_, at) => [
    before,
    before + Math.floor(at / across),
    before + (at % across),
  ]);
  const next = before + Math.max(down, across);
  return [
    ...Array.from({ length: before }, (_, at) => same(at)),
    ...image,
    ...Array.from({ length: after }, (_, at) => same(next + at)),
  ];
}

/** The positions that the steps are drawn at, one line of each axis. */
const drawnIds = (page, most) =>
  page.evaluate((most) => {
    const drawing = document.querySelector(".mrope-drawing");
    return [0, 1, 2].map((axis) => {
      const path = drawing.querySelector(`.steps[data-axis="${axis}"]`).getAttribute("d");
      const heights = [...path.matchAll(/(?:M[\d.]+ |V)([\d.]+)h/g)].map(([, y]) => Number(y));
      const low = Math.max(...heights);
      return heights.map((y) => Math.round(((low - y) * most) / 62));
    });
  }, most);

test("M-RoPE: words and an image in one line, their three positions as steps, and where the text goes on", () =>
  onPage({ ready: "mrope", hash: "#at=mrope&p=1" }, async (page) => {
    for (const [before, image, after] of [
      [3, [3, 4], 3],
      [2, [4, 2], 5],
      [0, [1, 1], 6],
    ]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#p=1&before=${before}&ih=${image[0]}&iw=${image[1]}&after=${after}`);
      await page.waitForFunction(
        (count) => document.querySelector("#mrope [data-tokens]").textContent === count,
        String(before + image[0] * image[1] + after),
      );
      await settled(page);
      const ids = mrope(before, image, after);
      const next = ids.at(-1)[0] + 1;
      const drawn = await drawnIds(page, next - 1);
      for (const axis of [0, 1, 2])
        assert.deepEqual(
          drawn[axis],
          ids.map((id) => id[axis]),
        );
      assert.equal(await value(page, "#mrope [data-next]"), next);
      assert.equal(await value(page, "#mrope [data-rope-delta]"), next - ids.length);
      assert.equal(await page.locator("#mrope .image-token").count(), image[0] * image[1]);
    }
    // The sentence has six words; the numbers are those of the library's table, too.
    const csv = (await savedText(page, "mrope", "csv")).trim().split(/\r?\n/);
    assert.deepEqual(
      csv.slice(1).map((line) => line.split(",").slice(2).map(Number)),
      mrope(0, [1, 1], 6),
    );
  }));

test("M-RoPE: a word chosen in the sentence is chosen in the line, and one in the line in the sentence", () =>
  onPage({ ready: "mrope", hash: "#at=mrope&p=1" }, async (page) => {
    await page.waitForSelector(".sentence-words button");
    const chosen = () => page.locator("#mrope .token-word.chosen").allTextContents();
    assert.deepEqual(await chosen(), ["cat"]);
    assert.match(await words(page.locator("#mrope [data-text-token]")), /“cat”, token 1: t = h = w = 1/);
    await page.click('.sentence-words button:has-text("on")');
    await settled(page);
    assert.deepEqual(await chosen(), ["on"]);
    assert.match(await words(page.locator("#mrope [data-text-token]")), /“on”, token 15: t = h = w = 7/);
    const field = await page.locator("#mrope .token-field").boundingBox();
    await page.mouse.click(field.x + (field.width * 17.5) / 18, field.y + field.height / 2);
    await settled(page);
    assert.deepEqual(await page.locator('#sentence [aria-pressed="true"]').allInnerTexts(), ["mat"]);
    await page.locator('#mrope [data-cell="11"]').click();
    await settled(page);
    assert.match(
      await words(page.locator("#mrope [data-image-token]")),
      /row 2, column 3, token 14: t = 3, h = 5, w = 6/,
    );
    assert.equal(await page.locator("#mrope [data-left]").count(), 0);
  }));

for (const [locale, longer, shorter] of [
  ["en-GB", /^The first 6 words of 8 are here/, /^The sentence has 2 words; a dot/],
  ["zh-CN", /^句子共 8 个词，这里有前 6 个/, /^句子共 2 个词；圆点/],
])
  test(`M-RoPE tells which words have no token, and which tokens no word: ${locale}`, () =>
    onPage({ ready: "mrope", locale, hash: "#at=mrope&text=a+b+c+d+e+f+g+h" }, async (page) => {
      assert.match(await words(page.locator("#mrope [data-left]")), longer);
      await page.evaluate(() => {
        location.hash = "#text=a+b";
      });
      await page.waitForFunction(() => document.querySelectorAll(".token-word")[2]?.textContent === "·");
      assert.match(await words(page.locator("#mrope [data-left]")), shorter);
    }));

test("patches lie over an image that shows through, with its outlines above them, and their fall-off is told", () =>
  onPage({ ready: "patches", hash: "#at=patches" }, async (page) => {
    const boxes = await page.evaluate(() => {
      const box = (part) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      };
      const cells = [...document.querySelectorAll(".patch-grid .patch")];
      return {
        scene: box(document.querySelector(".patch-grid .scene")),
        cells: box(cells[0].parentElement),
        opacities: new Set(cells.map((cell) => getComputedStyle(cell).fillOpacity)).size,
        opacity: Number(getComputedStyle(cells[0]).fillOpacity),
        isAbove: Boolean(
          cells[0].compareDocumentPosition(document.querySelector(".patch-grid .scene-outlines")) &
            Node.DOCUMENT_POSITION_FOLLOWING,
        ),
      };
    });
    for (const at of [0, 1, 2, 3]) assert.ok(Math.abs(boxes.scene[at] - boxes.cells[at]) <= 2, JSON.stringify(boxes));
    assert.equal(boxes.opacities, 1);
    assert.ok(boxes.opacity > 0.3 && boxes.opacity < 0.9);
    assert.ok(boxes.isAbove);
    // From (5, 5): the next column, and the corner that is farthest away.
    for (const [name, dy, dx] of [
      ["near", 0, 1],
      ["far", 6, 6],
    ])
      close(await value(page, `[data-fall-off="${name}"]`), axial(dy, dx, 8, 100));
  }));

test("sliders say none where 0 means none, and the number elsewhere", async () => {
  for (const [locale, none] of [
    ["en-GB", { shift: "none", slide: "none", textBefore: "none", textAfter: "none" }],
    ["zh-CN", { shift: "不转", slide: "不平移", textBefore: "无", textAfter: "无" }],
  ])
    await onPage({ locale, hash: "#before=0&after=0" }, async (page) => {
      for (const [name, word] of Object.entries(none)) {
        const range = page.locator(`.control:has(#row-${name}) [type="range"]`);
        assert.equal(await range.getAttribute("aria-valuetext"), word, name);
        await page.locator(`#row-${name}`).scrollIntoViewIfNeeded();
        await page.fill(`#row-${name}`, "2");
        await settled(page);
        assert.equal(await range.getAttribute("aria-valuetext"), name === "shift" ? "2°" : "2", name);
      }
    });
});
