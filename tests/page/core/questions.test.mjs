import { expect, follow, holding, redrawn, test, words } from "../fixtures.mjs";

// The question of each chapter: its right answer is what the formula gives at the figure's settings.

/** Figure, link, and the right answer there. */
const QUESTIONS = [
  // Without a word every softmax has one term less, which equal vectors do not show.
  ["problem", "", "all"],
  ["problem", "text=ha+ha+ha+ha", "none"],
  // Cosines of a distance are as large before as after.
  ["similarity", "", "same"],
  // Of T5's 16 buckets for a direction 8 are exact; 3 and 4 have their own, 12 and 20 are in 9 and 10, 100 and 120 in 15.
  ["relative", "", "100-120"],
  // The score changes with its sine's factor q × k, unless that is 0 or the angle a multiple of 180°.
  ["score", "", "changes"],
  ["score", "qv=1,0.5&key=2,1", "stays"],
  ["score", "slide=7&deg=90", "stays"],
];

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
  test(`${panel}, ${link || "as it opens"}: right and wrong guesses, in both languages`, async ({ open }) => {
    const page = await open({ hash: `#${link}`, ready: panel, kept: true });
    await page.waitForSelector(`#${panel} .guess`);
    await expect.poll(() => verdict(page, panel)).toBe("");
    const buttons = page.locator(`#${panel} [data-guess]`);
    const all = await buttons.evaluateAll((found) => found.map(({ dataset }) => dataset.guess));
    expect(all, `${expected} is none of ${all}`).toContain(expected);
    for (const [lang, { right, wrong, neither }] of Object.entries(SAYS)) {
      await follow(page, `#${link}&lang=${lang}`);
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
      expect(await page.evaluate(() => location.hash)).toBe(hash);
    }
    await answer(page, panel, expected);
    await page.click(`#${panel} [data-tool="reset"]`);
    await expect(page.locator(`#${panel} .verdict`)).toHaveText("");
  });

test("the verdict on the score has the formula's numbers; by keys the focus stays", async ({ open }) => {
  const page = await open({ hash: "#m=2&to=9&deg=25", ready: "score", kept: true });
  const [[qx, qy], [kx, ky], angle] = [[1.16, -0.6], [1.2, -0.04], (175 * Math.PI) / 180];
  const score = (by) => (qx * kx + qy * ky) * Math.cos(by) - (qx * ky - qy * kx) * Math.sin(by);
  await page.locator('#score [data-guess="-"]').press("Space");
  const status = page.locator("#score .guess [role=status]");
  await expect(status).toRead(/by −175°/);
  await expect(page.locator('#score [data-guess="-"]')).toBeFocused();
  await expect(page.locator("#score .guess")).toHaveAttribute("role", "group");
  const said = (await words(status)).replaceAll("−", "-");
  const numbers = said.match(/-?\d+\.\d+/g).map(Number);
  expect(Math.abs(numbers[0] - score(angle)) < 1e-4 && Math.abs(numbers[1] - score(-angle)) < 1e-4, said).toBeTruthy();
});

test("two words are too few for the first question", async ({ open }) => {
  const page = await open({ hash: "#text=cat+sat", ready: "problem" });
  await page.waitForLoadState("networkidle");
  await expect(page.locator("#problem .asked")).toHaveCount(1);
  await expect(page.locator("#problem .guess")).toHaveCount(0);
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
