import { expect, redrawn, test, words } from "../fixtures.mjs";
import { named, near, number, press, shows } from "./numbers.mjs";

// Rotation by rows and columns of an image, against the formulas in doubles.

test.use({ view: { ready: "patches", kept: true } });

/** The angles of each plane, half of which rotate with the rows and half with the columns, for a difference of patches. */
const axial = (dy, dx) =>
  [dy, dx].flatMap((difference) => Array.from({ length: 8 }, (_, i) => difference * 100 ** (-i / 8)));
const similarity = (angles) => angles.reduce((sum, angle) => sum + Math.cos(angle), 0) / angles.length;

/** The similarity of two patches with these angles between them, and its formula: the first two cosines and the last. */
async function holds(page, angles) {
  await redrawn(page);
  await shows(page, { "[data-similarity]": similarity(angles) });
  const formula = await words(page.locator("#patches .equation"));
  const shown = [...formula.matchAll(/cos \(?([−\d.]+)/g)].map(([, angle]) => number(angle));
  expect(shown).toEqual([angles[0], angles[1], angles.at(-1)].map((angle) => Number(angle.toFixed(3)) || 0));
}

test("similarity of a clicked patch with one that is pointed at, and its fall-off in numbers", async ({ open }) => {
  const page = await open();
  await holds(page, axial(-2, 2));
  // From (5, 5): the next column, and the corner that is farthest away.
  await shows(page, {
    '[data-fall-off="near"]': similarity(axial(0, 1)),
    '[data-fall-off="far"]': similarity(axial(6, 6)),
  });
  const cells = page.locator(".patch-grid .patch");
  await cells.first().scrollIntoViewIfNeeded();
  // The image shows through them.
  const opacity = await cells.first().evaluate((cell) => Number(getComputedStyle(cell).fillOpacity));
  expect(opacity > 0.3 && opacity < 0.9, String(opacity)).toBe(true);
  await expect(page.locator(".patch-grid g:has(> .patch) ~ .scene-outlines")).toHaveCount(1);
  const [image, over] = [page.locator(".patch-grid .scene"), page.locator(".patch-grid g:has(> .patch)")];
  const [below, above] = [await image.boundingBox(), await over.boundingBox()];
  for (const side of ["x", "y", "width", "height"]) near(above[side], below[side], 2);
  await cells.nth(2 * 12 + 9).click();
  await cells.nth(10 * 12 + 1).hover();
  await holds(page, axial(8, -8));
  await press(page, "#patches .pick", "ArrowUp", "ArrowRight");
  await holds(page, axial(7, -7));
  await named(page, "patches", {
    patchRows: "Rows of patches | 图块行数",
    patchColumns: "Columns of patches | 图块列数",
    patchY: "Chosen: row | 选定：行",
    patchX: "Chosen: column | 选定：列",
    overY: "Compared: row | 比较：行",
    overX: "Compared: column | 比较：列",
  });
});
