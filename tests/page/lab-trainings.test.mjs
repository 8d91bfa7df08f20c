import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, still, words } from "./browser.mjs";
import { labTests, numbers, over, play, says } from "./lab-figure.mjs";

// Trainings in the tab: when they rest, how they end, and texts of the reader's own.

const tests = pageTests("/some/folder/");
const onLab = labTests(tests);

/** A training of some seconds. */
const LONG = "#lt=text&le=none";

const steps = async (page) =>
  Number((await words(page.locator("#lab [data-run] td").last())).match(/step (\d+)/)?.[1] ?? 0);
const begun = (page) =>
  page.waitForFunction(() => /step \d/.test(document.querySelector("#lab [data-run]")?.textContent ?? ""));

/** The same once there have been others, whose rows stand until it begins. */
async function playAgain(page) {
  await play(page);
  await page.waitForFunction(() => document.querySelector('#lab [data-status="running"]'));
}

test("a wide screen with many processors gets all steps, and as many trainings at once as fit, at most four", () =>
  onLab(
    "#lt=order",
    async (page) => {
      assert.ok(await page.locator('#lab [name="row-labSteps"][value="full"]').isChecked());
      assert.doesNotMatch(await words(page.locator("#lab .lab-training")), /Small settings/);
      await play(page);
      await page.waitForFunction(
        () => document.querySelectorAll('#lab [data-run][data-status="running"]').length === 4,
      );
      assert.equal(await page.locator('#lab [data-run][data-status="waiting"]').count(), 2);
      await page.click('#lab [data-lab="stop"]');
    },
    {
      route: (page) =>
        page.addInitScript(() => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 16 })),
    },
  ));

/** Holds that no step is made until `goOn` is called, and that the reason is said. */
async function rests(page, reason, goOn) {
  await says(page, reason);
  // What was sent before the pause may still arrive.
  const before = await still(page, () => steps(page));
  await goOn();
  await page.waitForFunction(
    (was) => Number(document.querySelector("#lab [data-run]").textContent.match(/step (\d+)/)?.[1] ?? 1e9) > was,
    before,
  );
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

test("nothing runs unseen: out of sight, in a hidden tab, or when the reader says so", () =>
  onLab(
    LONG,
    async (page) => {
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
      const heard = await still(page, () => page.evaluate(() => window.heard));
      assert.ok(heard > 2, `${heard} messages`);
      await page.evaluate(() => document.getElementById("lab").scrollIntoView({ behavior: "instant" }));
      await page.waitForFunction((before) => window.heard > before, heard);
      const [worker] = page.workers();
      await Promise.all([worker.waitForEvent("close"), page.click('#lab [data-lab="stop"]')]);
      await page.waitForSelector('#lab [data-lab="play"]');
      assert.equal(await page.locator("#lab [data-run]").count(), 0);
    },
    { steps: "full", route: (page) => page.addInitScript(countMessages) },
  ));

test("on a low battery trainings rest until the reader wants them all the same", () =>
  onLab(
    LONG,
    async (page) => {
      await play(page);
      await says(page, /battery is low and not charging/);
      assert.equal(await page.locator("#lab [data-lab='resume']").isEnabled(), true);
      await page.click('#lab [data-lab="resume"]');
      await begun(page);
      await page.click('#lab [data-lab="stop"]');
    },
    {
      steps: "full",
      route: (page) =>
        page.addInitScript(() => {
          const battery = Object.assign(new EventTarget(), { charging: false, level: 0.1 });
          navigator.getBattery = async () => battery;
        }),
    },
  ));

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

for (const [machine, route] of [
  ["", undefined],
  [", on a slow machine, too", lateLocks],
])
  test(`a worker that is killed is told of, and the others go on${machine}`, () =>
    onLab(
      "#lt=order&le=none.RoPE",
      async (page) => {
        await play(page);
        await page.waitForFunction(
          () =>
            [...document.querySelectorAll("#lab [data-run]")].filter((row) => /step \d/.test(row.textContent))
              .length === 2,
        );
        const [worker] = page.workers();
        worker.evaluate(() => self.close()).catch(() => {});
        await over(page, 2);
        const all = await page
          .locator("#lab [data-run]")
          .evaluateAll((rows) => rows.map(({ dataset }) => dataset.status));
        assert.deepEqual(all.sort(), ["done", "failed"]);
        assert.match(await words(page.locator('#lab [data-status="failed"]')), /The worker that trains has ended/);
        await says(page, /1 trainings? done, 1 failed/);
      },
      { steps: "full", route },
    ));

const give = (page, name, text) =>
  page.setInputFiles('#lab [data-lab="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("a text of one letter is told of; one letter again and again, and ten megabytes, are read", () =>
  onLab(
    "#le=none",
    async (page) => {
      await page.click("#lab .lab-text summary");
      await page.fill('#lab [data-lab="text"]', "a");
      await page.locator('#lab [data-lab="text"]').blur();
      await page.waitForFunction(() => /1 characters/.test(document.querySelector("#lab [data-own-text]").textContent));
      await play(page);
      await over(page);
      assert.match(
        await words(page.locator("#lab [data-run]")),
        /Failed: Invalid input: task\.text is 1 characters; expected 330 to/,
      );
      await says(page, /0 trainings done, 1 failed/);

      await give(page, "letters.txt", "a".repeat(3000));
      await page.waitForFunction(() =>
        /letters\.txt, 3000 /.test(document.querySelector("#lab [data-own-text]").textContent),
      );
      await playAgain(page);
      await over(page);
      assert.match(await words(page.locator("#lab [data-run]")), /0\.000.*nothing stored to compare/);
      assert.equal((await numbers(page)).none, "1.0");

      const sentence = "All work and no play makes a dull text, over and over again. ";
      await give(page, "ten.txt", sentence.repeat(Math.ceil(1e7 / sentence.length)));
      await page.waitForFunction(() =>
        /ten\.txt, 10\d{6} /.test(document.querySelector("#lab [data-own-text]").textContent),
      );
      await playAgain(page);
      await over(page);
      assert.equal(await page.getAttribute("#lab [data-run]", "data-status"), "done");
      await page.click('#lab [data-lab="ours"]');
      await page.waitForFunction(() => /Opticks/.test(document.querySelector("#lab [data-own-text]").textContent));
    },
    { steps: "short" },
  ));

test("without the library's file the reader is told so", async () => {
  const { page, context } = await tests.open({
    hash: "#lt=order&le=none",
    ready: "lab",
    route: (target) => target.route(/assets\/library-/, (route) => route.abort()),
  });
  await play(page);
  await over(page);
  assert.match(await words(page.locator("#lab [data-run]")), /Failed: /);
  await context.close();
});
