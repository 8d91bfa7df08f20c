// Whatever holds the module's memory releases it by each of the names, once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";

const pe = await load();
const options = { dim: 4, layout: "half" };

/** How each of them is made, and what it refuses to do when it is released. */
const holders = {
  buffer: [() => pe.buffer(4), (buffer) => buffer.view],
  "buffer of float16": [() => pe.buffer(4, { dtype: "float16" }), (buffer) => buffer.view],
  rotary: [() => pe.rotary(options), (rope) => rope.cache({ length: 1 })],
  step: [() => pe.rotary(options).step(pe.buffer(4), { shape: [1, 4] }), (step) => step.apply(0)],
  xpos: [() => pe.xpos({ dim: 4, layout: "half", centre: 0 }), (xpos) => xpos.scales({ length: 1 })],
  rotaryGrid: [
    () => pe.rotaryGrid({ dim: 8, preset: "axial", layout: "half", axes: 2 }),
    (rope) => [rope.cache({ grid: [1, 1] }), rope.points([1, 1])],
  ],
  mrope: [
    () => pe.mrope({ dim: 8, sections: [1, 1, 2], order: "chunked", layout: "half" }),
    (mrope) => mrope.cache({ positions: { data: new Int32Array(3), shape: [3, 1] } }),
  ],
};

const releases = ["delete", "dispose", Symbol.dispose].filter((name) => name !== undefined);

for (const [name, [make, use]] of Object.entries(holders)) {
  test(`${name}: delete, dispose and using`, () => {
    for (const release of releases) {
      const holder = make();
      use(holder);
      assert.equal(typeof holder[release], "function", String(release));
      holder[release]();
      assert.throws(() => use(holder), { name: "TypeError", message: /expected one that is still alive/ });
      holder[release]();
    }
  });
}
