export const makers = {
  learnedTable: (pe) => (more) => pe.learnedTable({ length: 3, dim: 4, seed: 1, ...more }),
  lookupRows: (pe, inputs) => (more) => pe.lookupRows(inputs.tensor(7, 32), { ids: inputs.ids(7, 2, 3), ...more }),
  addRows: (pe, inputs) => (more) =>
    pe.addRows(inputs.tensor(2, 3, 4), inputs.tensor(7, 4), { ids: inputs.ids(7, 2, 3), ...more }),
  rowsGradient: (pe, inputs) => (more) =>
    pe.rowsGradient(inputs.tensor(2, 3, 4), { ids: inputs.ids(7, 3), rows: 7, seqAxis: 1, ...more }),
  paddedPositions: (pe, inputs) => (more) => pe.paddedPositions(inputs.ids(2, 2, 3), { paddingIdx: 1, ...more }),
  tableBias: (pe, inputs) => (more) => pe.tableBias({ ids: inputs.ids(7, 3, 5), table: inputs.tensor(7, 2), ...more }),
  tableBiasBackward: (pe, inputs) => (more) =>
    pe.tableBiasBackward({ ids: inputs.ids(7, 3, 5), gradient: inputs.tensor(2, 3, 5), rows: 7, ...more }),
  resizeTable: (pe, inputs) => (more) => pe.resizeTable(inputs.tensor(4, 3), { length: 6, ...more }),
  resizeGrid: (pe, inputs) => (more) => pe.resizeGrid(inputs.tensor(6, 3), { from: [2, 3], to: [3, 4], ...more }),
  reformerAxial: (pe, inputs) => (more) =>
    pe.reformerAxial({ tables: [inputs.tensor(2, 3), inputs.tensor(4, 5)], ...more }),
  reformerAxialGradient: (pe, inputs) => (more) =>
    pe.reformerAxialGradient(inputs.tensor(8, 7), { shape: [2, 4], dims: [2, 5], ...more }),
};

export const others = {
  adamStep: (pe, inputs) => (more) =>
    pe.adamStep(inputs.numbers(5), {
      gradient: inputs.numbers(5),
      firstMoment: inputs.numbers(5),
      secondMoment: inputs.numbers(5),
      lr: 0.01,
      betas: [0.9, 0.99],
      step: 3,
      weightDecay: 0.1,
      decay: "decoupled",
      ...more,
    }),
  sgdStep: (pe, inputs) => (more) =>
    pe.sgdStep(inputs.numbers(5), {
      gradient: inputs.numbers(5),
      buffer: inputs.numbers(5),
      lr: 0.01,
      momentum: 0.9,
      nesterov: true,
      step: 2,
      ...more,
    }),
};

export const refusals = {
  lookupRows: (pe, inputs) => (more) => pe.lookupRows(inputs.tensor(4, 32), { ids: [0, 1, 2, 3, 9, 1], ...more }),
  addRows: (pe, inputs) => (more) => pe.addRows(inputs.tensor(2, 3, 4), inputs.tensor(2, 4), { seqAxis: 1, ...more }),
  tableBias: (pe, inputs) => (more) => pe.tableBias({ ids: inputs.ids(7, 3, 5), table: inputs.tensor(5, 2), ...more }),
  paddedPositions: (pe, inputs) => (more) =>
    pe.paddedPositions(inputs.ids(2, 2, 3), { paddingIdx: 1, past: 2 ** 40, ...more }),
};
