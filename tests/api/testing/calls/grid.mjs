const segments = [{ text: 2 }, { image: [1, 4, 4] }];

export const objects = {
  rotaryGrid: (pe) => pe.rotaryGrid({ preset: "rope-vit", dim: 8 }),
  rotaryMixed: (pe) => pe.rotaryMixed({ dim: 4, layout: "half", heads: 2, frequencies: [1, 2, 3, 4, 5, 6, 7, 8] }),
  mrope: (pe) => pe.mrope({ dim: 8, layout: "half", sections: [2, 1, 1], order: "chunked" }),
};

export const makers = {
  sinusoidalGrid: (pe) => (more) => pe.sinusoidalGrid({ shape: [2, 3], dim: 8, preset: "mae", ...more }),
  "sinusoidalGrid bfloat16": (pe) => (more) =>
    pe.sinusoidalGrid({ shape: [2, 3], dim: 8, preset: "mae", dtype: "bfloat16", ...more }),
  "rotaryGrid.cache":
    (pe, inputs, rope = objects.rotaryGrid(pe)) =>
    (more) =>
      rope.cache({ points: inputs.numbers(6), ...more }),
  "rotaryGrid.points":
    (pe, _, rope = objects.rotaryGrid(pe)) =>
    (more) =>
      rope.points([2, 3], more),
  "rotaryMixed.cache":
    (pe, _, rope = objects.rotaryMixed(pe)) =>
    (more) =>
      rope.cache({ grid: [2, 3], row: "dims", ...more }),
  "rotaryMixed.points":
    (pe, _, rope = objects.rotaryMixed(pe)) =>
    (more) =>
      rope.points([2, 3], more),
  mixedFrequencies: (pe) => (more) => pe.mixedFrequencies({ dim: 4, heads: 2, seed: 1, ...more }),
  "mrope.cache":
    (pe, inputs, rope = objects.mrope(pe)) =>
    (more) =>
      rope.cache({ positions: inputs.ids(9, 3, 4), ...more }),
  mropePositions: (pe) => (more) => {
    const made = pe.mropePositions({ preset: "qwen2-vl", segments, ...more });
    return made.positions;
  },
};

export const others = {
  rotaryGrid: (pe) => () => pe.rotaryGrid({ preset: "axial", dim: 8, axes: 2, layout: "interleaved", base: 100 }),
  "rotaryGrid wan": (pe) => () => pe.rotaryGrid({ preset: "wan", dim: 12, dims: [4, 4, 4] }),
  "rotaryGrid timm": (pe) => () => pe.rotaryGrid({ preset: "timm", dim: 8, reference: [4, 4] }),
  rotaryMixed: (pe) => () =>
    pe.rotaryMixed({ dim: 4, layout: "half", heads: 2, frequencies: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8) }),
  mrope: (pe) => () => pe.mrope({ dim: 8, layout: "half", base: 1e6, sections: [2, 1, 1], order: "interleaved" }),
  "rotaryGrid.apply":
    (pe, inputs, rope = objects.rotaryGrid(pe)) =>
    (more) =>
      rope.apply(inputs.numbers(48), { shape: [6, 8], grid: [2, 3], ...more }),
  "rotaryMixed.apply":
    (pe, inputs, rope = objects.rotaryMixed(pe)) =>
    (more) =>
      rope.apply(inputs.numbers(24), { shape: [3, 2, 4], seqAxis: 0, points: [1, 2, 3, 4, 5, 6], ...more }),
  "mrope.apply":
    (pe, inputs, rope = objects.mrope(pe)) =>
    (more) =>
      rope.apply(inputs.numbers(16), { shape: [2, 8], positions: inputs.ids(9, 3, 2), ...more }),
  "mropePositions rows": (pe) => (more) =>
    pe.mropePositions({
      preset: "qwen2.5-vl",
      rows: [[{ text: 2 }, { video: [2, 4, 4], secondsPerGrid: 0.5 }], [{ text: 3 }]],
      padding: "right",
      tokensPerSecond: 2,
      ...more,
    }),
};

export const refusals = {
  mropePositions: (pe) => (more) =>
    pe.mropePositions({ preset: "qwen2-vl", segments, paddingPosition: 2 ** 40, ...more }),
};
