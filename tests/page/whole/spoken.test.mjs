import { expect, test, unfold } from "../fixtures.mjs";
import { everything } from "../panels/states.mjs";

// Screen readers are given names of sliders, boxes and players, and the values beside them.

/** Sliders whose spoken value is not the number and the unit beside them, or a word where that number is 0. */
const misspoken = (page) =>
  page.locator('main input[type="range"]').evaluateAll((all) =>
    all
      .map((range) => {
        const control = range.closest(".control");
        const box = control.querySelector('input[type="number"]');
        const unit = control.querySelector(".unit")?.textContent.trim() ?? "";
        const said = range.getAttribute("aria-valuetext") ?? "";
        const text = said.slice(0, said.length - unit.length);
        const number = Number(text.replaceAll("−", "-").replaceAll(/[\s,]/g, ""));
        const isWord = box.valueAsNumber === 0 && /^\p{L}+$/u.test(said);
        const isNumber = said.endsWith(unit) && Math.abs(number - box.valueAsNumber) <= 1e-4 * Math.abs(number);
        return isWord || isNumber ? "" : `${range.getAttribute("aria-label")}: “${said}” for ${box.value} ${unit}`;
      })
      .filter(Boolean),
  );

const CONTROLS =
  "main :is(button, input, select, textarea, [role=slider], [role=application], [role=group], [role=radiogroup], summary)";

/** Controls without a name. */
const nameless = (page) =>
  page.locator(CONTROLS).evaluateAll((all) =>
    all
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        const by = control.getAttribute("aria-labelledby")?.split(" ") ?? [];
        const named = by.map((id) => document.getElementById(id)?.textContent ?? "").join("");
        const labels = [...(control.labels ?? [])].map(({ textContent }) => textContent).join("");
        return !(control.getAttribute("aria-label") || named || labels || control.textContent).trim();
      })
      .map((control) => control.outerHTML.slice(0, 100)),
  );

for (const [lang, what, state] of [
  ["en", "as the page opens", {}],
  ["zh", "as the page opens @all", {}],
  ["en", "with every choice changed @all", everything],
  ["zh", "with every choice changed", everything],
])
  test(`every slider has the value beside it, and every control a name: ${lang}, ${what}`, async ({ open }) => {
    const page = await open(`#${new URLSearchParams({ ...state, lang, an: "4096" })}`);
    await unfold(page);
    expect(await page.locator('main input[type="range"]').count()).toBeGreaterThan(25);
    await expect.poll(() => misspoken(page)).toEqual([]);
    await expect.poll(() => nameless(page)).toEqual([]);
    // Sliders in drawings name their value, which is never a bare number.
    const texts = await page
      .locator('main [role="slider"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-valuetext") ?? ""));
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(text).toMatch(/^(?=.*\d)(?![−-]?[\d.]+$)/s);
  });
