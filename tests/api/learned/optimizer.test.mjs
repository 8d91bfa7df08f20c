import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { assertClose, pseudoRandom, range, tensor } from "../testing/reference.mjs";
import { fractions, isStored, testWrongCalls } from "../testing/testing.mjs";

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

test("sgd: each option reaches the step", () => {
  const [gradient, was] = [pseudoRandom(10, 1), pseudoRandom(10, 2)];
  for (const nesterov of [false, true]) {
    const [parameters, buffer] = [pseudoRandom(10, 3), was.slice()];
    const given = { gradient, lr: 0.1, momentum: 0.9, weightDecay: 0.2, buffer, step: 2 };
    const dampening = nesterov ? 0 : 0.3;
    const g = parameters.map((value, i) => gradient[i] + 0.2 * value);
    const b = was.map((value, i) => 0.9 * value + (1 - dampening) * g[i]);
    const wanted = parameters.map((value, i) => value - 0.1 * (nesterov ? g[i] + 0.9 * b[i] : b[i]));
    const more = nesterov ? { nesterov } : { dampening };
    assert.equal(pe.sgdStep(parameters, { ...given, ...more }), parameters);
    assertClose(parameters, wanted, 1e-6);
    assertClose(buffer, b, 1e-6);
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

test("adamw: the bits that are stored", () => {
  const { data } = fractions([100], 14);
  const given = { lr: 0.01, weightDecay: 0.1, decay: "decoupled" };
  const moments = { firstMoment: new Float32Array(100), secondMoment: new Float32Array(100) };
  for (let step = 1; step <= 5; ++step)
    assert.equal(pe.adamStep(data, { ...given, ...moments, gradient: fractions([100], 20 + step).data, step }), data);
  assert.ok(isStored("adamw", [{ data }]));
});

test("adam: each option reaches the step", () => {
  const [parameters, gradient] = [pseudoRandom(10, 1), pseudoRandom(10, 2)];
  const [firstMoment, secondMoment] = [new Float32Array(10), new Float32Array(10)];
  const g = parameters.map((value, i) => gradient[i] + 0.3 * value);
  const wanted = parameters.map((value, i) => value - (0.1 * g[i]) / (Math.abs(g[i]) + 1e-3));
  const given = { lr: 0.1, weightDecay: 0.3, decay: "coupled", betas: [0.8, 0.95], eps: 1e-3, step: 1 };
  pe.adamStep(parameters, { ...given, gradient, firstMoment, secondMoment });
  assertClose(parameters, wanted, 2e-6);
  assertClose(
    firstMoment,
    g.map((value) => 0.2 * value),
    1e-6,
  );
  assertClose(
    secondMoment,
    g.map((value) => 0.05 * value ** 2),
    1e-6,
  );
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
