import { readFileSync } from "node:fs";
import { test as base, expect } from "../fixtures.mjs";

/** Tests of the lab share this. */

export const stored = JSON.parse(
  readFileSync(new URL("../../../web/src/training/results.json", import.meta.url), "utf8"),
);

export const test = base.extend({
  /** Opens the page at the lab with a link; `steps` is "full" or "short". */
  lab: async ({ open }, use) => {
    await use(async (hash, { steps, ...options } = {}) => {
      const page = await open({ hash, ready: "lab", ...options });
      if (steps) await page.locator(`#lab [name="row-labSteps"][value="${steps}"]`).check({ force: true });
      return page;
    });
  },
});

/** Trainings take this many milliseconds at most on a busy machine. */
const timeout = 600_000;

export const status = (page) => page.locator("#lab [data-lab-status]");
export const says = (page, what) => expect(status(page)).toHaveText(what, { timeout });

/** Waits until so many trainings have ended. */
export const over = (page, count = 1) =>
  expect(page.locator('#lab [data-run]:is([data-status="done"], [data-status="failed"])')).toHaveCount(count, {
    timeout,
  });

export const play = (page) => page.click('#lab [data-lab="play"]');

/** The number shown for each test, by name. */
export const numbers = (page, task = "text") =>
  page
    .locator(`#lab .lab-readout[data-task="${task}"] li`)
    .evaluateAll((all) =>
      Object.fromEntries(all.map((each) => [each.dataset.test, each.querySelector("output").textContent])),
    );
