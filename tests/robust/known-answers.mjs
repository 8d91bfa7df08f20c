// Whether the library still works: a few numbers, computed here from the formulas.
import assert from "node:assert/strict";

export function knownAnswers(pe) {
  const rope = pe.rotary({ dim: 4, layout: "half" });
  return {
    check() {
      const table = pe.sinusoidal({ length: 3, dim: 4, offset: 5 });
      assert.deepEqual(table.shape, [3, 4]);
      const wanted = (row, dimension) =>
        (dimension % 2 === 0 ? Math.sin : Math.cos)((5 + row) * 1e4 ** (-(dimension - (dimension % 2)) / 4));
      table.data.forEach((value, i) => {
        assert.ok(Math.abs(value - wanted(Math.floor(i / 4), i % 4)) < 1e-6, `sinusoidal[${i}]: ${value}`);
      });
      const x = rope.apply(Float32Array.of(1, 2, 3, 4), { shape: [1, 4], offset: 7 });
      [7, 0.07].forEach((angle, i) => {
        const [a, b] = [i + 1, i + 3];
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        assert.ok(Math.abs(x[i] - (a * cos - b * sin)) < 1e-5, `rotary[${i}]: ${x[i]}`);
        assert.ok(Math.abs(x[i + 2] - (b * cos + a * sin)) < 1e-5, `rotary[${i + 2}]: ${x[i + 2]}`);
      });
      const { data } = pe.alibi({ heads: 2, queries: 1, keys: 3, queryOffset: 2 });
      assert.deepEqual([...data], [-2 / 16, -1 / 16, 0, -2 / 256, -1 / 256, 0].map(Math.fround));
    },
  };
}
