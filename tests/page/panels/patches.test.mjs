import { expect, openSettings, redrawn, test } from "../fixtures.mjs";
import { near, value } from "./numbers.mjs";

// Rotation by rows and columns of an image, against the formulas in doubles.

test.use({ view: { ready: "patches" } });

/** Mean cosine over the planes, half of which rotate with the rows and half with the columns. */
function axial(dy, dx, pairs, base) {
  let sum = 0;
  for (let i = 0; i < pairs; i++) sum += Math.cos(dy * base ** (-i / pairs)) + Math.cos(dx * base ** (-i / pairs));
  return sum / (2 * pairs);
}

test("similarity of a clicked patch with one that is pointed at", async ({ page }) => {
  near(await value(page, "[data-similarity]"), axial(-2, 2, 8, 100));
  const cells = page.locator(".patch-grid .patch");
  await cells.first().scrollIntoViewIfNeeded();
  await cells.nth(2 * 12 + 9).click();
  await cells.nth(10 * 12 + 1).hover();
  await redrawn(page);
  near(await value(page, "[data-similarity]"), axial(8, -8, 8, 100));
  expect(await value(page, "[data-patch-drift]")).toBeLessThan(1e-6);
  await page.locator("#patches .pick").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await redrawn(page);
  near(await value(page, "[data-similarity]"), axial(7, -7, 8, 100));
  await page.keyboard.press("Enter");
  await redrawn(page);
  near(await value(page, "[data-similarity]"), 1);
  await expect(page.locator("#row-patchX")).toHaveValue("2");
});

test("mixed rotation depends on differences alone, but not symmetrically", async ({ open }) => {
  const page = await open("#patches=mixed&y=4&px=4&y2=6&x2=1");
  const there = await value(page, "[data-similarity]");
  expect(await value(page, "[data-patch-drift]")).toBeLessThan(1e-6);
  // Mirrored: the same for axial rotation, not for directions of their own.
  await openSettings(page, "patches");
  await page.fill("#row-overX", "7");
  await redrawn(page);
  expect(Math.abs((await value(page, "[data-similarity]")) - there)).toBeGreaterThan(1e-3);
  // 180 degrees about the chosen patch: a cosine is the same.
  await page.fill("#row-overY", "2");
  await redrawn(page);
  near(await value(page, "[data-similarity]"), there);
});

test("patches let the image below them show, and the fall-off is in numbers", async ({ page }) => {
  const boxes = await page.evaluate(() => {
    const box = (part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    };
    const cells = [...document.querySelectorAll(".patch-grid .patch")];
    return {
      scene: box(document.querySelector(".patch-grid .scene")),
      cells: box(cells[0].parentElement),
      opacities: new Set(cells.map((cell) => getComputedStyle(cell).fillOpacity)).size,
      opacity: Number(getComputedStyle(cells[0]).fillOpacity),
      isAbove: Boolean(
        cells[0].compareDocumentPosition(document.querySelector(".patch-grid .scene-outlines")) &
          Node.DOCUMENT_POSITION_FOLLOWING,
      ),
    };
  });
  for (const at of [0, 1, 2, 3])
    expect(Math.abs(boxes.scene[at] - boxes.cells[at]), JSON.stringify(boxes)).toBeLessThanOrEqual(2);
  expect(boxes.opacities).toBe(1);
  expect(boxes.opacity > 0.3 && boxes.opacity < 0.9).toBeTruthy();
  expect(boxes.isAbove).toBeTruthy();
  // From (5, 5): the next column, and the corner that is farthest away.
  for (const [name, dy, dx] of [
    ["near", 0, 1],
    ["far", 6, 6],
  ])
    near(await value(page, `[data-fall-off="${name}"]`), axial(dy, dx, 8, 100));
});
