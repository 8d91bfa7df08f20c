export const makers = {
  sinusoidal: (pe, inputs) => (more) => pe.sinusoidal({ positions: inputs.numbers(3), dim: 6, ...more }),
  "sinusoidal bfloat16": (pe, inputs) => (more) =>
    pe.sinusoidal({ positions: inputs.numbers(3), dim: 6, dtype: "bfloat16", ...more }),
  "sinusoidal float16": (pe) => (more) => pe.sinusoidal({ length: 3, dim: 6, dtype: "float16", ...more }),
  shiftMatrix: (pe) => (more) => pe.shiftMatrix({ dim: 4, by: 3, ...more }),
  shift: (pe, inputs) => (more) => pe.shift(inputs.tensor(3, 4), { dim: 4, by: 3, ...more }),
  fourier: (pe, inputs) => (more) =>
    pe.fourier({ points: inputs.numbers(3), weights: inputs.numbers(4), preset: "rff", ...more }),
  nerf: (pe, inputs) => (more) => pe.nerf({ points: inputs.numbers(3), levels: 4, ...more }),
};

export const others = {
  sinusoidalPlan: (pe) => (more) =>
    pe.sinusoidalPlan({ dim: 7, preset: "ggml", order: "interleaved", scale: 2, ...more }),
};

export const refusals = {
  sinusoidal: (pe) => (more) => pe.sinusoidal({ length: 3, dim: 6, base: -1, ...more }),
  "sinusoidal bfloat16": (pe) => (more) =>
    pe.sinusoidal({ positions: [1, 2, Number.NaN], dim: 6, dtype: "bfloat16", ...more }),
  shift: (pe, inputs) => (more) => pe.shift(inputs.tensor(3, 4), { dim: 4, by: Number.NaN, ...more }),
};
