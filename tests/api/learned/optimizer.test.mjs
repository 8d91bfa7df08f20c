import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range, tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("training a table: its gradient, a step of each optimiser, and a smaller loss", () => {
  const target = tensor([6, 4], 9);
  for (const optimiser of ["sgd", "adam"]) {
    const table = pe.learnedTable({ length: 6, dim: 4, seed: 7 });
    const [buffer, firstMoment, secondMoment] = range(3).map(() => new Float32Array(24));
    let loss = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= 60; ++step) {
      const seen = pe.lookupRows(table, { length: 6 });
      const difference = { data: seen.data.map((value, i) => value - target.data[i]), shape: [6, 4] };
      loss = difference.data.reduce((sum, value) => sum + value * value, 0);
      const { data: gradient } = pe.rowsGradient(difference, { rows: 6 });
      if (optimiser === "sgd") pe.sgdStep(table.data, { gradient, lr: 0.2, momentum: 0.5, buffer, step });
      else pe.adamStep(table.data, { gradient, lr: 0.1, step, firstMoment, secondMoment });
    }
    assert.ok(loss < 1e-2, `${optimiser}: ${loss}`);
  }
});

test("sgd: momentum, dampening, weight decay and nesterov, by the formula", () => {
  for (const options of [
    { lr: 0.1 },
    { lr: 0.1, weightDecay: 0.2 },
    { lr: 0.1, momentum: 0.9, dampening: 0.3, weightDecay: 0.01 },
    { lr: 0.1, momentum: 0.9, nesterov: true },
  ]) {
    const { lr, momentum = 0, dampening = 0, weightDecay = 0, nesterov = false } = options;
    const parameters = pseudoRandom(10, 1);
    const buffer = momentum === 0 ? undefined : new Float32Array(10);
    let [p, b] = [[...parameters], new Array(10).fill(0)];
    for (let step = 1; step <= 5; ++step) {
      const gradient = pseudoRandom(10, step);
      const g = p.map((value, i) => gradient[i] + weightDecay * value);
      b = b.map((value, i) => (step === 1 ? g[i] : momentum * value + (1 - dampening) * g[i]));
      p = p.map((value, i) => value - lr * (nesterov ? g[i] + momentum * b[i] : momentum === 0 ? g[i] : b[i]));
      assert.equal(pe.sgdStep(parameters, { ...options, gradient, buffer, step }), parameters);
      assertClose(parameters, p, 1e-6);
      if (buffer) assertClose(buffer, b, 1e-6);
    }
  }
});

test("adam: means of squares that are negative are refused, and nothing is changed", () => {
  const [parameters, gradient, firstMoment] = [1, 2, 3].map((value) => new Float32Array(3).fill(value));
  for (const wrong of [-1, -1e-40]) {
    const secondMoment = Float32Array.of(0, 1, wrong);
    assert.throws(() => pe.adamStep(parameters, { gradient, lr: 0.1, step: 1, firstMoment, secondMoment }), {
      name: "RangeError",
      message: /^secondMoment\[2\]: -.*, expected a number >= 0$/,
    });
  }
  assert.deepEqual([...parameters, ...firstMoment], [1, 1, 1, 3, 3, 3]);
});

test("adam and adamw, by the formula", () => {
  for (const options of [
    { lr: 0.1 },
    { lr: 0.1, weightDecay: 0.3, decay: "coupled", betas: [0.8, 0.95], eps: 1e-3 },
    { lr: 0.1, weightDecay: 0.3, decay: "decoupled", betas: [0, 0.9] },
  ]) {
    const { lr, weightDecay = 0, decay, betas: [b1, b2] = [0.9, 0.999], eps = 1e-8 } = options;
    const parameters = pseudoRandom(10, 1);
    const [firstMoment, secondMoment] = [new Float32Array(10), new Float32Array(10)];
    let [p, m, v] = [[...parameters], new Array(10).fill(0), new Array(10).fill(0)];
    for (let step = 1; step <= 5; ++step) {
      const gradient = pseudoRandom(10, step);
      const g = p.map((value, i) => gradient[i] + (decay === "coupled" ? weightDecay * value : 0));
      m = m.map((value, i) => b1 * value + (1 - b1) * g[i]);
      v = v.map((value, i) => b2 * value + (1 - b2) * g[i] ** 2);
      p = p.map((value, i) => {
        const root = Math.sqrt(v[i]) / Math.sqrt(1 - b2 ** step);
        return (
          value * (decay === "decoupled" ? 1 - lr * weightDecay : 1) - (lr / (1 - b1 ** step)) * (m[i] / (root + eps))
        );
      });
      assert.equal(pe.adamStep(parameters, { ...options, gradient, firstMoment, secondMoment, step }), parameters);
      assertClose(parameters, p, 2e-6);
      assertClose(firstMoment, m, 1e-6);
      assertClose(secondMoment, v, 1e-6);
    }
  }
});

const step = { gradient: new Float32Array(4), lr: 0.1, step: 1 };
const moments = { firstMoment: new Float32Array(4), secondMoment: new Float32Array(4) };

testWrongCalls([
  [() => pe.sgdStep(new Float32Array(3), step), RangeError, "gradient: 4, expected 3 values"],
  [() => pe.adamStep(new Float32Array(4), { ...step, ...moments, betas: [0.9] }), RangeError, "betas: [0.9], expected"],
  [
    () => pe.adamStep(new Float32Array(4), { ...step, ...moments, betas: [0.9, 1] }),
    RangeError,
    "betas[1]: 1, expected",
  ],
]);

test("nothing has changed when a step throws", () => {
  const parameters = Float32Array.of(1, 2, 3, 4);
  const state = { firstMoment: new Float32Array(4), secondMoment: new Float32Array(4) };
  assert.throws(() => pe.adamStep(parameters, { ...step, ...state, gradient: parameters, eps: -1 }), RangeError);
  assert.throws(() => pe.sgdStep(parameters, { ...step, gradient: parameters, momentum: -1 }), RangeError);
  assert.deepEqual([...parameters], [1, 2, 3, 4]);
  assert.deepEqual(state, { firstMoment: new Float32Array(4), secondMoment: new Float32Array(4) });
});

test("the arrays that a step writes do not overlap; the gradient may be the parameters", () => {
  const memory = new Float32Array(8).fill(1);
  const [parameters, state] = [memory.subarray(0, 4), memory.subarray(3, 7)];
  const secondMoment = new Float32Array(4);
  const overlap = (name, other) => ({
    name: "RangeError",
    message: `${name}: [object Float32Array], expected memory that does not overlap ${other}`,
  });
  assert.throws(
    () => pe.sgdStep(parameters, { ...step, momentum: 0.5, buffer: state }),
    overlap("buffer", "parameters"),
  );
  assert.throws(
    () => pe.adamStep(parameters, { ...step, firstMoment: state, secondMoment }),
    overlap("firstMoment", "parameters"),
  );
  assert.throws(
    () => pe.adamStep(parameters, { ...step, firstMoment: secondMoment, secondMoment }),
    overlap("secondMoment", "firstMoment"),
  );
  assert.deepEqual([...memory], Array(8).fill(1));
  pe.sgdStep(parameters, { lr: 0.5, gradient: parameters });
  assert.deepEqual([...parameters], Array(4).fill(0.5));
});
