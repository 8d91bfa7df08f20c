// The cells of the guide's page about notebooks have to show these numbers, by the formula.

import assert from "node:assert/strict";
import { assertClose, range, sinusoid } from "../testing/reference.mjs";

/** The cell of Deno's kernel: a rectangle for each value, red above 0 and blue below. */
export function checkSvg(svg) {
  const rectangles = [...svg.matchAll(/<rect x="(\d+)" y="(\d+)" .*? fill="rgb\((.*?), (.*?), (.*?)\)"/g)];
  const table = sinusoid(range(64), 32);
  assert.equal(rectangles.length, table.length);
  for (const [i, [, x, y, ...colour]] of rectangles.entries()) {
    assert.deepEqual([Number(x), Number(y)], [i % 32, Math.floor(i / 32)]);
    const expected = [Math.min(1, 1 + table[i]), 1 - Math.abs(table[i]), Math.min(1, 1 - table[i])];
    assertClose(
      colour.map(Number),
      expected.map((part) => 255 * part),
      1e-4,
    );
  }
}

/** The cell of JupyterLite: a sine, in lines of text. */
export function checkBars(lines) {
  assert.deepEqual(
    lines.map((line) => line.length - 1),
    range(8).map((position) => Math.round(20 * (Math.sin(position) + 1))),
  );
}
