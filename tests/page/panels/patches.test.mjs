import { load } from "../../../dist/full.js";
import { expect, openSettings, redrawn, test, words } from "../fixtures.mjs";
import { named, near, number, value } from "./numbers.mjs";

// Rotation by rows and columns of an image, against the formulas in doubles.

test.use({ view: { ready: "patches", kept: true } });

/** The angles of each plane, half of which rotate with the rows and half with the columns, for a difference of patches. */
const axial = (dy, dx) =>
  [dy, dx].flatMap((difference) => Array.from({ length: 8 }, (_, i) => difference * 100 ** (-i / 8)));
const similarity = (angles) => angles.reduce((sum, angle) => sum + Math.cos(angle), 0) / angles.length;

/** The similarity of two patches with these angles between them, and its formula: the first two cosines and the last. */
async function holds(page, angles) {
  await redrawn(page);
  near(await value(page, "[data-similarity]"), similarity(angles));
  const formula = await words(page.locator("#patches .equation"));
  const shown = [...formula.matchAll(/cos \(?([−\d.]+)/g)].map(([, angle]) => number(angle));
  expect(shown).toEqual([angles[0], angles[1], angles.at(-1)].map((angle) => Number(angle.toFixed(3)) || 0));
}

test("similarity of a clicked patch with one that is pointed at, and its fall-off in numbers", async ({ open }) => {
  const page = await open();
  await holds(page, axial(-2, 2));
  // From (5, 5): the next column, and the corner that is farthest away.
  near(await value(page, '[data-fall-off="near"]'), similarity(axial(0, 1)));
  near(await value(page, '[data-fall-off="far"]'), similarity(axial(6, 6)));
  const cells = page.locator(".patch-grid .patch");
  await cells.first().scrollIntoViewIfNeeded();
  await cells.nth(2 * 12 + 9).click();
  await cells.nth(10 * 12 + 1).hover();
  await holds(page, axial(8, -8));
  expect(await value(page, "[data-patch-drift]")).toBeLessThan(1e-6);
  await page.locator("#patches .pick").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await holds(page, axial(7, -7));
  await page.keyboard.press("Enter");
  await redrawn(page);
  near(await value(page, "[data-similarity]"), 1);
  await expect(page.locator("#row-patchX")).toHaveValue("2");
  await named(page, "patches", {
    "[data-patch-drift]": "Largest change of any score | 得分的最大变化",
    patchRows: "Rows of patches | 图块行数",
    patchColumns: "Columns of patches | 图块列数",
    patchY: "Chosen: row | 选定：行",
    patchX: "Chosen: column | 选定：列",
    overY: "Compared: row | 比较：行",
    overX: "Compared: column | 比较：列",
  });
});

test("mixed rotation has directions of its own: differences alone count, but not symmetrically", async ({ open }) => {
  const page = await open("#patches=mixed&y=4&px=4&y2=6&x2=1");
  const pe = await load();
  const frequencies = pe.mixedFrequencies({ dim: 32, base: 100, seed: 1 });
  const mixed = (dy, dx) => Array.from({ length: 16 }, (_, i) => dx * frequencies[i] + dy * frequencies[16 + i]);
  await holds(page, mixed(2, -3));
  expect(await value(page, "[data-patch-drift]")).toBeLessThan(1e-6);
  const there = await value(page, "[data-similarity]");
  // Mirrored: the same for axial rotation, not for directions of their own.
  await openSettings(page, "patches");
  await page.fill("#row-overX", "7");
  await holds(page, mixed(2, 3));
  expect(Math.abs((await value(page, "[data-similarity]")) - there)).toBeGreaterThan(1e-3);
});

test("patches let the image below them show", async ({ open }) => {
  const page = await open();
  const { boxes, opacities, isAbove } = await page.evaluate(() => {
    const cells = [...document.querySelectorAll(".patch-grid .patch")];
    const box = (part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    };
    const outlines = document.querySelector(".patch-grid .scene-outlines");
    return {
      boxes: [box(document.querySelector(".patch-grid .scene")), box(cells[0].parentElement)],
      opacities: [...new Set(cells.map((cell) => Number(getComputedStyle(cell).fillOpacity)))],
      isAbove: Boolean(cells[0].compareDocumentPosition(outlines) & Node.DOCUMENT_POSITION_FOLLOWING),
    };
  });
  for (const at of [0, 1, 2, 3]) near(boxes[0][at], boxes[1][at], 2);
  expect(opacities.length).toBe(1);
  expect(opacities[0] > 0.3 && opacities[0] < 0.9 && isAbove).toBeTruthy();
});
