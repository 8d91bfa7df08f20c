// Learned positions, 1 M values: look-up and its gradient, optimisers, tables of another size, biases read from tables.

import { ids, masks, numbers, positive, room, zeros } from "../inputs.mjs";
import * as plain from "../javascript/learned.mjs";
import { row } from "../row.mjs";

const floats = (...shape) => room(Float32Array, ...shape);
const [TOKENS, ROWS, DIM] = [4096, 2048, 256];
const VALUES = TOKENS * DIM;
/** What is bound by memory has another bar, too. */
const copied = { must: 1.5, or: ["memory.copy", 0.7], limits: ["memory.copy"], values: VALUES };
const rows = floats(TOKENS, DIM);

const tables = [
  row({
    name: "learnedTable",
    inputs: {},
    out: { y: rows },
    library:
      (pe) =>
      (_, { y }) =>
        pe.learnedTable({ length: TOKENS, dim: DIM, seed: 1, out: y.data }),
    script: (_, { y }) => plain.normal(y, 0.02),
    same({ y: mine }, { y: theirs }) {
      const deviation = (values) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);
      if (Math.abs(deviation(mine) - deviation(theirs)) > 1e-4)
        throw new Error("learnedTable: not as wide in JavaScript");
    },
  }),
  row({
    ...copied,
    name: "lookupRows",
    inputs: { table: numbers(ROWS, DIM), ids: ids(ROWS, TOKENS) },
    out: { y: rows },
    library:
      (pe) =>
      (given, { y }) =>
        pe.lookupRows(given.table, { ids: given.ids, out: y.data }),
    script: (arrays, { y }) => plain.lookupRows(arrays, y, DIM),
  }),
  row({
    name: "addRows",
    inputs: { x: numbers(TOKENS, DIM), table: numbers(ROWS, DIM), ids: ids(ROWS, TOKENS) },
    out: { y: rows },
    library:
      (pe) =>
      (given, { y }) =>
        pe.addRows(given.x, given.table, { ids: given.ids, out: y.data }),
    script: (arrays, { y }) => plain.addRows(arrays, y, DIM),
  }),
  row({
    ...copied,
    name: "rowsGradient",
    inputs: { gradient: numbers(TOKENS, DIM), ids: ids(ROWS, TOKENS) },
    out: { y: floats(ROWS, DIM) },
    library:
      (pe) =>
      (given, { y }) =>
        pe.rowsGradient(given.gradient, { ids: given.ids, rows: ROWS, out: y.data }),
    script: (arrays, { y }) => plain.rowsGradient(arrays, y, DIM),
  }),
  row({
    name: "paddedPositions",
    inputs: { mask: masks(1024, 1024) },
    out: { y: room(Int32Array, 1024, 1024) },
    library:
      (pe) =>
      ({ mask }, { y }) =>
        pe.paddedPositions(mask, { paddingIdx: 1, out: y.data }),
    script: ({ mask }, { y }) => plain.paddedPositions(mask, y, 1024, 1),
  }),
];

const HEADS = 16;
const pairs = ids(1024, 256, 256);
const biases = [
  row({
    name: "tableBias",
    inputs: { ids: pairs, table: numbers(1024, HEADS) },
    out: { y: floats(HEADS, 256, 256) },
    library:
      (pe) =>
      (given, { y }) =>
        pe.tableBias({ ...given, out: y.data }),
    script: (arrays, { y }) => plain.tableBias(arrays, y, HEADS),
  }),
  row({
    name: "tableBiasBackward",
    inputs: { ids: pairs, gradient: numbers(HEADS, 256, 256) },
    out: { y: floats(1024, HEADS) },
    library:
      (pe) =>
      (given, { y }) =>
        pe.tableBiasBackward({ ...given, rows: 1024, out: y.data }),
    script: (arrays, { y }) => plain.tableBiasBackward(arrays, y, HEADS),
  }),
];

const changed = { what: "in place, in a buffer", ...copied };
const ADAM = { lr: 1e-3, step: 3, weightDecay: 0.01 };
const SGD = { lr: 1e-3, momentum: 0.9 };
const optimisers = [
  row({
    ...changed,
    name: "adamStep",
    inputs: {
      parameters: numbers(VALUES),
      gradient: numbers(VALUES),
      firstMoment: numbers(VALUES),
      secondMoment: positive(VALUES),
    },
    library: (pe) => (given) =>
      pe.adamStep(given.parameters.data, {
        ...ADAM,
        decay: "decoupled",
        gradient: given.gradient.data,
        firstMoment: given.firstMoment.data,
        secondMoment: given.secondMoment.data,
      }),
    script: (arrays) => plain.adamStep(arrays, ADAM),
  }),
  row({
    ...changed,
    name: "sgdStep",
    inputs: { parameters: numbers(VALUES), gradient: numbers(VALUES), buffer: zeros(VALUES) },
    library: (pe) => (given) =>
      pe.sgdStep(given.parameters.data, {
        ...SGD,
        step: 2,
        gradient: given.gradient.data,
        buffer: given.buffer.data,
      }),
    script: (arrays) => plain.sgdStep(arrays, SGD),
  }),
];

const [GRID, NEW_GRID] = [
  [16, 16],
  [64, 64],
];
const AXES = [
  [64, 64],
  [64, 192],
];
const axes = { first: [AXES[0][0], AXES[1][0]], second: [AXES[0][1], AXES[1][1]] };
const resized = [
  row({
    name: "resizeTable",
    inputs: { table: numbers(1000, DIM) },
    out: { y: rows },
    library:
      (pe) =>
      ({ table }, { y }) =>
        pe.resizeTable(table, { length: TOKENS, out: y.data }),
    script: ({ table }, { y }) => plain.resizeTable(table, y, 1000, TOKENS, DIM),
  }),
  row({
    name: "resizeGrid",
    inputs: { table: numbers(256, DIM) },
    out: { y: rows },
    library:
      (pe) =>
      ({ table }, { y }) =>
        pe.resizeGrid(table, { from: GRID, to: NEW_GRID, out: y.data }),
    script: ({ table }, { y }) => plain.resizeGrid(table, y, GRID, NEW_GRID, DIM),
  }),
  row({
    name: "reformerAxial",
    inputs: { first: numbers(...axes.first), second: numbers(...axes.second) },
    out: { y: rows },
    library:
      (pe) =>
      ({ first, second }, { y }) =>
        pe.reformerAxial({ tables: [first, second], out: y.data }),
    script: (arrays, { y }) => plain.reformerAxial(arrays, y, ...AXES),
  }),
  row({
    name: "reformerAxialGradient",
    inputs: { gradient: numbers(TOKENS, DIM) },
    out: { first: floats(...axes.first), second: floats(...axes.second) },
    library:
      (pe) =>
      ({ gradient }, { first, second }) =>
        pe.reformerAxialGradient(gradient, { shape: AXES[0], dims: AXES[1], out: [first.data, second.data] }),
    script: ({ gradient }, results) => plain.reformerAxialGradient(gradient, results, ...AXES),
  }),
];

export const learned = [...tables, ...biases, ...optimisers, ...resized];
