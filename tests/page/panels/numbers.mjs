import { expect, redrawn, scrollTo, words } from "../fixtures.mjs";

/** Tests of figures share this: numbers as the page writes them, as JavaScript has them. */

export const number = (text) => Number(text.replaceAll("−", "-").replace("°", ""));

/** All numbers that elements have as their values: more digits than they show. */
export const exact = (page, selector) =>
  page.locator(`${selector} data`).evaluateAll((all) => all.map((each) => Number(each.value)));

export async function value(page, selector) {
  const text = await words(page.locator(selector));
  const [known] = await exact(page, selector);
  return known ?? number(text);
}

/** A matrix by its rows. */
export const rows = (data, width) =>
  Array.from({ length: data.length / width }, (_, row) => Array.from(data.slice(row * width, (row + 1) * width)));

/** A number differs from another by so much at most. */
export const near = (actual, expected, most = 2e-6) =>
  expect(Math.abs(actual - expected), `${actual}, expected ${expected}`).toBeLessThanOrEqual(most);

/** A number differs from another by such a part of it at most. */
export const nearRatio = (actual, expected, most = 6e-6) =>
  expect(Math.abs(actual / expected - 1), `${actual}, expected ${expected}`).toBeLessThanOrEqual(most);

/** Each of these selectors has its number. */
export async function shows(page, expected, check = near) {
  for (const [selector, wanted] of Object.entries(expected)) check(await value(page, selector), wanted);
}

/** Presses keys one after another, on the drawing with this selector. */
export async function press(page, selector, ...keys) {
  await page.locator(selector).focus();
  for (const key of keys) await page.keyboard.press(key);
  await redrawn(page);
}

/** Drags a handle to a part of a drawing's width and height. */
export async function drag(page, handle, drawing, [across, down]) {
  await page.locator(drawing).scrollIntoViewIfNeeded();
  const box = await page.locator(drawing).boundingBox();
  const knob = await page.locator(handle).boundingBox();
  await page.mouse.move(knob.x + knob.width / 2, knob.y + knob.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * across, box.y + box.height * down, { steps: 4 });
  await page.mouse.up();
  await redrawn(page);
}

/** Calls `check` with 0 while a figure is in English, and with 1 while it is in Chinese. */
export async function inBothLanguages(page, panel, check) {
  for (const [at, lang] of ["en", "zh"].entries()) {
    await page.click(`[data-choice="${lang}"]`);
    await expect(page.locator("html")).toHaveAttribute("lang", new RegExp(`^${lang}`));
    // What is out of sight is drawn when it comes.
    await scrollTo(page, panel);
    await redrawn(page);
    await check(at);
  }
}

/**
 * Numbers and controls of a figure have their names in both languages, "English | 中文". A name belongs to a row of the state,
 * to a number by its data attribute, "[data-drift]", or to an element by a selector that begins with ".".
 */
export async function named(page, panel, names) {
  const placeOf = (key) => {
    if (key.startsWith(".")) return `#${panel} ${key}`;
    if (key.startsWith("[")) return `#${panel} :is(div:has(${key}) > dt, tr${key} > th, tr:has(${key}) > th, g${key})`;
    return `#${panel} label[for="row-${key}"]`;
  };
  await inBothLanguages(page, panel, async (at) => {
    for (const [key, name] of Object.entries(names))
      await expect(page.locator(placeOf(key)).first(), key).toContainText(name.split(" | ")[at], { timeout: 20_000 });
  });
}
