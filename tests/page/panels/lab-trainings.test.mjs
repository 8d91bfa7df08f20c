import { expect, scrollTo, steady, words } from "../fixtures.mjs";
import { over, play, says, test } from "./lab.mjs";

// Trainings in the tab: when they rest, how they end, and texts of the reader's own.

/** A training of some seconds. */
const LONG = "#lt=text&le=none";

const steps = async (page) =>
  Number((await words(page.locator("#lab [data-run] td").last())).match(/step (\d+)/)?.[1] ?? 0);
const begun = (page) => expect(page.locator("#lab [data-run]").first()).toRead(/step \d/);

/** Starts another training, and waits until it has replaced the rows of those before. */
async function playAgain(page) {
  await play(page);
  await page.waitForSelector('#lab [data-status="running"]');
}

test("a wide screen with many processors gets all steps and four trainings at once @all", async ({ lab }) => {
  const page = await lab("#lt=order", {
    route: (page) =>
      page.addInitScript(() => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 16 })),
  });
  await expect(page.locator('#lab [name="row-labSteps"][value="full"]')).toBeChecked();
  await expect(page.locator("#lab .lab-training")).not.toRead(/Small settings/);
  await play(page);
  await expect(page.locator('#lab [data-run][data-status="running"]')).toHaveCount(4);
  await expect(page.locator('#lab [data-run][data-status="waiting"]')).toHaveCount(2);
  await page.click('#lab [data-lab="stop"]');
});

/** Checks that no step is made until `goOn` is called, and that the reason is shown. */
async function rests(page, reason, goOn) {
  await says(page, reason);
  // Results that were sent before the pause may still arrive.
  const before = await steady(page, () => steps(page));
  await goOn();
  await expect.poll(async () => (await steps(page)) || Number.POSITIVE_INFINITY).toBeGreaterThan(before);
}

/** Counts what workers say. */
function countMessages() {
  const Real = Worker;
  window.heard = 0;
  window.Worker = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", () => {
        window.heard++;
      });
    }
  };
}

test("trainings pause out of sight, in a hidden tab, or when the reader wants @all", async ({ lab }) => {
  const page = await lab(LONG, { steps: "full", route: (page) => page.addInitScript(countMessages) });
  await play(page);
  await begun(page);
  await page.click('#lab [data-lab="pause"]');
  await rests(page, /Paused by you/, () => page.click('#lab [data-lab="resume"]'));
  const show = (state) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await show("hidden");
  await rests(page, /tab is hidden/, () => show("visible"));
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  const heard = await steady(page, () => page.evaluate(() => window.heard));
  expect(heard).toBeGreaterThan(2);
  await scrollTo(page, "lab");
  await expect.poll(() => page.evaluate(() => window.heard)).toBeGreaterThan(heard);
  const [worker] = page.workers();
  await Promise.all([worker.waitForEvent("close"), page.click('#lab [data-lab="stop"]')]);
  await page.waitForSelector('#lab [data-lab="play"]');
  await expect(page.locator("#lab [data-run]")).toHaveCount(0);
});

/** Workers get their lock late, as on a slow machine. */
async function lateLocks(page) {
  const late = `{
    const { request } = LockManager.prototype;
    LockManager.prototype.request = async function (...given) {
      await new Promise((go) => setTimeout(go, 1000));
      return request.apply(this, given);
    };
  }`;
  await page.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${late}\n${await response.text()}` });
  });
}

test("a worker that is killed fails, and the others go on, on a slow machine, too @all", async ({ lab }) => {
  const page = await lab("#lt=order&le=none.RoPE", { steps: "full", route: lateLocks });
  await play(page);
  await expect(page.locator("#lab [data-run]").filter({ hasText: /step \d/ })).toHaveCount(2);
  const [worker] = page.workers();
  worker.evaluate(() => self.close()).catch(() => {});
  await over(page, 2);
  const all = await page.locator("#lab [data-run]").evaluateAll((rows) => rows.map(({ dataset }) => dataset.status));
  expect(all.sort()).toEqual(["done", "failed"]);
  await expect(page.locator('#lab [data-status="failed"]')).toRead(/The worker that trains has ended/);
  await says(page, /1 trainings? done, 1 failed/);
});

const give = (page, name, text) =>
  page.setInputFiles('#lab [data-lab="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("a text of one letter is refused; ten megabytes are not @all", async ({ lab }) => {
  const page = await lab("#le=none", { steps: "short" });
  await page.click("#lab .lab-text summary");
  await page.fill('#lab [data-lab="text"]', "a");
  await page.locator('#lab [data-lab="text"]').blur();
  await expect(page.locator("#lab [data-own-text]").first()).toRead(/1 characters/);
  await play(page);
  await over(page);
  await expect(page.locator("#lab [data-run]")).toRead(
    /Failed: Invalid input: task\.text is 1 characters; expected 330 to/,
  );
  await says(page, /0 trainings done, 1 failed/);

  const sentence = "All work and no play makes a dull text, over and over again. ";
  await give(page, "ten.txt", sentence.repeat(Math.ceil(1e7 / sentence.length)));
  await expect(page.locator("#lab [data-own-text]").first()).toRead(/ten\.txt, 10\d{6} /);
  await playAgain(page);
  await over(page);
  await expect(page.locator("#lab [data-run]")).toHaveAttribute("data-status", "done");
  await page.click('#lab [data-lab="ours"]');
  await expect(page.locator("#lab [data-own-text]").first()).toRead(/Opticks/);
});

test("without the library's file a training fails @all", async ({ open }) => {
  const page = await open({
    mayFail: true,
    hash: "#lt=order&le=none",
    ready: "lab",
    route: (target) => target.route(/assets\/library-/, (route) => route.abort()),
  });
  await play(page);
  await over(page);
  await expect(page.locator("#lab [data-run]")).toRead(/Failed: /);
});
