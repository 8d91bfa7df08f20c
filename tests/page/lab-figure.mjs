import { readFileSync } from "node:fs";
import { words } from "./browser.mjs";

/** What the tests of the figure of trainings share. */

export const stored = JSON.parse(readFileSync(new URL("../../web/src/training/results.json", import.meta.url), "utf8"));

/** Runs a check on the page at this figure; `steps` is "full" or "short". */
export const labTests =
  ({ onPage }) =>
  (hash, check, { steps, ...options } = {}) =>
    onPage({ hash, ready: "lab", ...options }, async (page) => {
      if (steps) await page.locator(`#lab [name="row-labSteps"][value="${steps}"]`).check({ force: true });
      await check(page);
    });

export const status = (page) => words(page.locator("#lab [data-lab-status]"));
export const says = (page, what) =>
  page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector("#lab [data-lab-status]").textContent),
    what.source,
  );

/** Waits until so many trainings are over. */
export const over = (page, count = 1) =>
  page.waitForFunction(
    (all) =>
      [...document.querySelectorAll("#lab [data-run]")].filter(({ dataset }) => /done|failed/.test(dataset.status))
        .length === all,
    count,
    // As long as they take on a busy machine.
    { timeout: 600_000 },
  );

export const play = (page) => page.click('#lab [data-lab="play"]');

/** What is told of each test, by name. */
export const numbers = (page, task = "text") =>
  page
    .locator(`#lab .lab-readout[data-task="${task}"] li`)
    .evaluateAll((all) =>
      Object.fromEntries(all.map((each) => [each.dataset.test, each.querySelector("output").textContent])),
    );
