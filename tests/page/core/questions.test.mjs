import { expect, redrawn, test, words } from "../fixtures.mjs";

// The question of each chapter: its right answer is what the formula gives, in doubles, at the figure's settings.

/** Outputs of self-attention over vectors that are queries, keys and values at once. */
function outputs(vectors) {
  const root = Math.sqrt(vectors[0].length);
  const dot = (a, b) => a.reduce((sum, value, dimension) => sum + value * b[dimension], 0);
  return vectors.map((query) => {
    const weights = vectors.map((key) => Math.exp(dot(query, key) / root));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return query.map((_, dimension) =>
      vectors.reduce((sum, value, at) => sum + (weights[at] / total) * value[dimension], 0),
    );
  });
}

/** How many outputs change when the last of the words is left out: a word's vector is anything that its letters decide. */
function leftOut(sentence) {
  const vectors = sentence
    .toLowerCase()
    .split(" ")
    .map((word) =>
      Array.from({ length: 4 }, (_, dimension) => Math.sin((dimension + 1) * word.charCodeAt(0) * word.length)),
    );
  const [all, fewer] = [outputs(vectors), outputs(vectors.slice(0, -1))];
  const changed = fewer.filter((output, at) =>
    output.some((value, dimension) => Math.abs(value - all[at][dimension]) > 1e-6),
  );
  return changed.length === 0 ? "none" : changed.length === fewer.length ? "all" : "some";
}

/** Which of two products of sinusoidal codes is larger, that with a position before or that with one after. */
function side(dim, base) {
  const product = (distance) =>
    Array.from({ length: dim / 2 }, (_, i) => Math.cos(distance / base ** ((2 * i) / dim))).reduce((a, b) => a + b);
  const apart = product(-3) - product(3);
  return Math.abs(apart) < 1e-9 ? "same" : apart > 0 ? "before" : "after";
}

/** T5's bucket of a key so far before its query, with 32 buckets for both directions, as the paper's code has it. */
function bucket(distance) {
  const exact = 8;
  if (distance < exact) return distance;
  return Math.min(15, exact + Math.floor((Math.log(distance / exact) / Math.log(128 / exact)) * exact));
}
const shared = () =>
  ["3-4", "12-20", "100-120"].filter((pair) => new Set(pair.split("-").map(bucket)).size === 1).join();

/** The score of query and key, and what it is when they have changed places. */
function swapped([qx, qy], [kx, ky], m, n, degrees) {
  const score = (from, to) => {
    const angle = ((to - from) * degrees * Math.PI) / 180;
    return (qx * kx + qy * ky) * Math.cos(angle) - (qx * ky - qy * kx) * Math.sin(angle);
  };
  return { before: score(m, n), after: score(n, m) };
}
function swap(...settings) {
  const { before, after } = swapped(...settings);
  return Math.abs(before - after) < 1e-9 ? "stays" : "changes";
}

/** Figure, link, and the right answer there. */
const QUESTIONS = [
  ["problem", "", leftOut("The cat sat on the mat")],
  ["problem", "text=ha+ha+ha+ha", leftOut("ha ha ha ha")],
  ["similarity", "", side(128, 10000)],
  ["similarity", "sn=20&sd=3&sb=7", side(6, 7)],
  ["relative", "", shared()],
  ["score", "", swap([1.16, -0.6], [1.2, -0.04], 1, 3, 10)],
  ["score", "qv=1,0.5&key=2,1", swap([1, 0.5], [2, 1], 1, 3, 10)],
  ["score", "slide=7&deg=90", swap([1.16, -0.6], [1.2, -0.04], 8, 10, 90)],
];

test("the formulas of this test know more than one answer", () => {
  expect(QUESTIONS.map(([, , right]) => right)).toEqual([
    "all",
    "none",
    "same",
    "same",
    "100-120",
    "changes",
    "stays",
    "stays",
  ]);
});

const verdict = (page, panel) => words(page.locator(`#${panel} .guess .verdict`));
/** Presses an answer, waits until it is pressed or no longer, and returns the verdict. */
async function answer(page, panel, guess) {
  const button = page.locator(`#${panel} [data-guess="${guess}"]`);
  const before = await button.getAttribute("aria-pressed");
  await button.click();
  await expect(button).not.toHaveAttribute("aria-pressed", before);
  return verdict(page, panel);
}

const SAYS = {
  en: { right: /^You guessed right\. /, wrong: /^Not quite\. /, neither: /^(?!You guessed right|Not quite)./ },
  zh: { right: /^猜对了。/, wrong: /^没猜中。/, neither: /^(?!猜对了|没猜中)./ },
};

for (const [panel, link, expected] of QUESTIONS)
  test(`${panel}, ${link ? `${link} @all` : "as it opens"}: right and wrong guesses, in both languages`, async ({
    open,
  }) => {
    const page = await open({ hash: `#${link}`, ready: panel });
    await page.waitForSelector(`#${panel} .guess`);
    await expect.poll(() => verdict(page, panel)).toBe("");
    const buttons = page.locator(`#${panel} [data-guess]`);
    const all = await buttons.evaluateAll((found) => found.map(({ dataset }) => dataset.guess));
    expect(all, `${expected} is none of ${all}`).toContain(expected);
    for (const [lang, { right, wrong, neither }] of Object.entries(SAYS)) {
      await page.evaluate((name) => {
        const state = new URLSearchParams(location.hash.slice(1));
        state.set("lang", name);
        location.hash = state;
      }, lang);
      await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${lang}`));
      await redrawn(page);
      const hash = await page.evaluate(() => location.hash);
      for (const guess of all) {
        const said = await answer(page, panel, guess);
        expect(said, guess).toMatch(guess === "-" ? neither : guess === expected ? right : wrong);
        await expect(page.locator(`#${panel} [data-guess][aria-pressed="true"]`)).toHaveCount(1);
      }
      // A second press takes it back.
      expect(await answer(page, panel, "-")).toBe("");
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(hash);
    }
    await answer(page, panel, expected);
    await page.click(`#${panel} [data-tool="reset"]`);
    await expect(page.locator(`#${panel} .verdict`)).toHaveText("");
  });

test("the verdict on the score has the formula's numbers", async ({ open }) => {
  const page = await open({ hash: "#m=2&to=9&deg=25", ready: "score" });
  const { before, after } = swapped([1.16, -0.6], [1.2, -0.04], 2, 9, 25);
  const said = (await answer(page, "score", "-")).replaceAll("−", "-");
  const numbers = said.match(/-?\d+\.\d+/g).map(Number);
  expect(Math.abs(numbers[0] - before) < 1e-4 && Math.abs(numbers[1] - after) < 1e-4, said).toBeTruthy();
  expect(said).toMatch(/by -175°/);
});

test("by keys: the focus stays on the answer, and the verdict is a status", async ({ open }) => {
  const page = await open({ ready: "similarity" });
  const status = await page.locator("#similarity .guess [role=status]").elementHandle();
  await page.locator('#similarity [data-guess="same"]').focus();
  await page.keyboard.press("Space");
  await page.waitForFunction((said) => said.textContent.trim() !== "", status);
  await expect.poll(() => page.evaluate(() => document.activeElement.dataset.guess)).toBe("same");
  await expect(page.locator("#similarity .guess")).toHaveAttribute("role", "group");
});

test("two words are too few for the first question", async ({ open }) => {
  const page = await open({ hash: "#text=cat+sat", ready: "problem" });
  await page.waitForLoadState("networkidle");
  await redrawn(page);
  await expect(page.locator("#problem .guess")).toHaveCount(0);
  await expect(page.locator("#problem .asked")).toHaveCount(1);
});

for (const lang of ["en", "zh"])
  for (const width of [320, 360, 600, 1280])
    test(`the first question comes later, and nothing moves: ${width} px, ${lang} @all`, async ({ open }) => {
      let arrive;
      const arrived = new Promise((done) => {
        arrive = done;
      });
      const route = (target) =>
        target.route(/assets\/question-[\w-]+\.js$/, (answered) => arrived.then(() => answered.continue()));
      const page = await open({ hash: `#lang=${lang}`, ready: false, width, height: 1200, route });
      await page.waitForSelector("#problem .asked");
      await expect(page.locator("#problem figcaption")).not.toHaveText("");
      const top = () => page.locator("#problem figcaption").evaluate((it) => it.offsetTop);
      const before = await top();
      arrive();
      await page.waitForSelector("#problem .guess");
      await redrawn(page);
      await expect.poll(top).toBe(before);
    });
