import { tooWide } from "../fits.mjs";
import { axeFaults, expect, inBothThemes, link, test, words } from "../fixtures.mjs";

// Slides: a figure a screen, and all questions on the last.

const slide = (page) => page.evaluate(() => document.querySelector(".slide")?.id);
const focused = (page) => page.evaluate(() => document.activeElement.id);

test("the button begins with the figure in sight; keys lead on, and Escape back to the page", async ({ open }) => {
  const fetched = [];
  const route = (target) => target.on("request", (request) => fetched.push(request.url()));
  const page = await open({ hash: "#at=derive", ready: "derive", route });
  expect(fetched.filter((url) => /slides|questions/.test(url))).toEqual([]);
  await page.click('[data-tool="slides"]');
  // The link of this state is written before another one is followed.
  await expect.poll(() => link(page)).toMatchObject({ slide: "problem" });
  await page.goto(`${page.url().replace(/#.*/, "")}#slide=derive&by=rotate`);
  await expect.poll(() => focused(page)).toBe("derive-title");
  for (const [key, id] of Object.entries({
    ArrowRight: "pairs",
    PageDown: "rope",
    ArrowLeft: "pairs",
    PageUp: "derive",
  })) {
    await page.keyboard.press(key);
    await expect.poll(() => slide(page)).toBe(id);
    await expect.poll(() => focused(page)).toBe(`${id}-title`);
    await expect.poll(() => link(page)).toMatchObject({ slide: id, by: "rotate" });
  }
  // A slider's keys are its own.
  await page.locator("#derive .range").first().press("ArrowRight");
  await expect.poll(() => link(page)).toMatchObject({ m: "6" });
  expect(await slide(page)).toBe("derive");
  for (const hidden of ["#header h1", "#pairs-title", "#derive .tools [data-tool=menu]"])
    await expect(page.locator(hidden)).toBeHidden();
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("derive-title");
  await expect(page.locator("#derive-title")).toBeInViewport();
  expect(await link(page)).not.toHaveProperty("slide");
});

test("a figure is larger than on the page, as a pointer finds it, and fits", async ({ open }) => {
  const page = await open({ hash: "#slide=waves", ready: "#waves.slide", width: 1920, height: 1080 });
  const zoom = () => page.evaluate(() => Number(getComputedStyle(document.querySelector(".slide figure")).zoom));
  await expect.poll(zoom).toBeGreaterThan(1.1);
  await expect.poll(() => page.evaluate(() => document.querySelector(".slide").scrollHeight)).toBeLessThan(1080);
  const cells = await page.locator("#waves .cells").boundingBox();
  await page.mouse.move(cells.x + (cells.width * 30.5) / 64, cells.y + (cells.height * 10.5) / 16);
  await expect.poll(() => link(page)).toMatchObject({ p: "30", pair: "10" });
});

for (const [locale, figure] of Object.entries({ "en-GB": "choose", "zh-CN": "questions" }))
  test(`axe finds nothing, and nothing is cut on a phone: ${locale}`, async ({ open }) => {
    const page = await open({ locale, hash: `#slide=${figure}`, ready: `#${figure}.slide .panel-title`, width: 390 });
    await expect.poll(() => focused(page)).toBe(`${figure}-title`);
    expect(await tooWide(page)).toEqual([]);
    await inBothThemes(page, async (theme) => expect(await axeFaults(page), theme).toEqual([]));
  });

test("all questions have the answers and reasons that their figures give", async ({ open }) => {
  const page = await open();
  const asked = {};
  for (const figure of await page.locator("section:has(.guess)").all()) {
    const id = await figure.getAttribute("id");
    await figure.locator('[data-guess="-"]').click();
    await expect(figure.locator(".verdict")).not.toHaveText("");
    asked[id] = [await words(figure.locator(".guess > p").first()), await words(figure.locator(".verdict"))];
  }
  expect(Object.keys(asked)).toHaveLength(7);
  await page.click("footer a[href*='slide=questions']");
  await page.click("[data-all-answers]");
  const all = await page.locator(".all-questions > li").all();
  expect(all).toHaveLength(7);
  for (const [at, [id, [prompt, why]]] of Object.entries(asked).entries()) {
    expect(await words(all[at].locator("strong").first())).toBe(prompt);
    await expect(all[at].locator("details p")).toRead(/^[a-d]: /);
    expect((await words(all[at].locator("details p"))).endsWith(why), why).toBe(true);
    await expect(all[at].locator(`a[href*="at=${id}"]`)).toHaveCount(1);
  }
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("#problem")).toBeHidden();
  await expect(all[0].locator("details p")).toBeVisible();
  await page.emulateMedia({ media: null });
  await all[3].locator("a").click();
  await expect.poll(() => slide(page)).toBe(undefined);
});
