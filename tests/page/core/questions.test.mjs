import { expect, follow, holding, link, redrawn, test, words } from "../fixtures.mjs";

// The question of each chapter: its right answer is what the formula gives at the figure's settings.

/** Figures, and the right answer as they open. */
const QUESTIONS = {
  // A mean does not change with the order of what it is of.
  problem: "none",
  // Wavelengths are 2π times 10000^(i/16), then 10^6^(i/16): 4.03 pairs below 64 before, 2.7 then.
  waves: "fewer",
  // Cosines of a distance are as large before as after.
  similarity: "same",
  // Of T5's 16 buckets for a direction 8 are exact; 3 and 4 have their own, 12 and 20 are in 9 and 10, 100 and 120 in 15.
  relative: "100-120",
  // f(q, m) · f(k, n) depends on m - n alone where f is a rotation.
  derive: "rotate",
  // A common turn drops out of q · k, not out of the sum of values.
  rope: "outputs",
  context: "linear",
};

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

for (const [panel, expected] of Object.entries(QUESTIONS))
  test(`${panel}, as it opens: right and wrong guesses, in both languages`, async ({ open }) => {
    const page = await open({ ready: panel, kept: true });
    await page.waitForSelector(`#${panel} .guess`);
    await expect.poll(() => verdict(page, panel)).toBe("");
    const buttons = page.locator(`#${panel} [data-guess]`);
    const all = await buttons.evaluateAll((found) => found.map(({ dataset }) => dataset.guess));
    expect(all, `${expected} is none of ${all}`).toContain(expected);
    for (const [lang, { right, wrong, neither }] of Object.entries(SAYS)) {
      await follow(page, `#lang=${lang}`);
      await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${lang}`));
      await redrawn(page);
      const { moved, ...before } = await link(page);
      for (const guess of all) {
        const said = await answer(page, panel, guess);
        expect(said, guess).toMatch(guess === "-" ? neither : guess === expected ? right : wrong);
        await expect(page.locator(`#${panel} [data-guess][aria-pressed="true"]`)).toHaveCount(1);
      }
      // A second press takes it back.
      expect(await answer(page, panel, "-")).toBe("");
      const { moved: after, ...rest } = await link(page);
      expect(rest).toEqual(before);
      // An answer to the first question makes the exchange that it asks for.
      expect(after ?? moved).toBe(panel === "problem" ? { en: "0.5.2.3.4.1", zh: "2.1.0" }[lang] : undefined);
    }
    await answer(page, panel, expected);
    await page.click(`#${panel} [data-tool="reset"]`);
    await expect(page.locator(`#${panel} .verdict`)).toHaveText("");
  });

test("the first question comes later, and nothing moves @all", async ({ open }) => {
  for (const width of [320, 600, 1280]) {
    const { arrive, route } = holding(/assets\/question-[\w-]+\.js$/);
    const page = await open({ ready: "#problem .asked", width, height: 1200, route });
    const caption = page.locator("#problem figcaption");
    await expect(caption).not.toHaveText("");
    const before = await caption.evaluate((it) => it.offsetTop);
    arrive();
    await page.waitForSelector("#problem .guess");
    await redrawn(page);
    expect(await caption.evaluate((it) => it.offsetTop), `${width} px`).toBe(before);
  }
});
