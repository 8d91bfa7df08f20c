import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled, unfold } from "./browser.mjs";
import { everything } from "./every-panel.mjs";

// What a screen reader says of sliders, boxes and players: names, and values as they stand beside them.

const { onPage } = pageTests();

/** Sliders whose spoken value is not the number and the unit beside them, or a word where that number is 0. */
const misspoken = (page) =>
  page.locator('main input[type="range"]').evaluateAll((all) =>
    all
      .map((range) => {
        const control = range.closest(".control");
        const box = control.querySelector('input[type="number"]');
        const unit = control.querySelector(".unit")?.textContent.trim() ?? "";
        const said = range.getAttribute("aria-valuetext") ?? "";
        const number = Number(
          said
            .slice(0, said.length - unit.length)
            .replaceAll("−", "-")
            .replaceAll(/[\s,]/g, ""),
        );
        const isWord = box.valueAsNumber === 0 && /^\p{L}+$/u.test(said);
        const isNumber = said.endsWith(unit) && Math.abs(number - box.valueAsNumber) <= 1e-4 * Math.abs(number);
        return isWord || isNumber ? "" : `${range.getAttribute("aria-label")}: “${said}” for ${box.value} ${unit}`;
      })
      .filter(Boolean),
  );

/** Controls without a name. */
const nameless = (page) =>
  page
    .locator(
      "main :is(button, input, select, textarea, [role=slider], [role=application], [role=group], [role=radiogroup], summary)",
    )
    .evaluateAll((all) =>
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

for (const lang of ["en", "zh"])
  for (const [what, state] of [
    ["as the page opens", {}],
    ["with every choice changed", everything],
  ])
    test(`every slider says the number beside it, and every control has a name: ${lang}, ${what}`, () =>
      onPage({ hash: `#${new URLSearchParams({ ...state, lang, an: "4096" })}` }, async (page) => {
        await unfold(page);
        assert.ok((await page.locator('main input[type="range"]').count()) > 40);
        assert.deepEqual(await misspoken(page), []);
        assert.deepEqual(await nameless(page), []);
      }));

test("what is slid in drawings says its value with what it is, never a bare number", () =>
  onPage({}, async (page) => {
    const texts = await page
      .locator('main [role="slider"]')
      .evaluateAll((all) => all.map((each) => [each.closest("section").id, each.getAttribute("aria-valuetext")]));
    assert.ok(texts.length > 8);
    for (const [panel, text] of texts) {
      assert.match(text ?? "", /\d/, panel);
      assert.doesNotMatch(text, /^[−-]?[\d.]+$/, panel);
    }
  }));

test("a slider that says another number is detected", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    await page
      .locator("#heatmap .control:has(#row-length) .range")
      .evaluate((range) => range.setAttribute("aria-valuetext", "7"));
    await settled(page);
    assert.equal((await misspoken(page)).length, 1);
  }));
