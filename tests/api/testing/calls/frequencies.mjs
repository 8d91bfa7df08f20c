const scaled = (pe, more) => () => pe.rotary({ dim: 4, layout: "half", ...more });

export const makers = {
  frequencies: (pe) => (more) => pe.frequencies({ dim: 6, ...more }),
  packedPositions: (pe) => (more) => pe.packedPositions([0, 3, 5], more),
  maskPositions: (pe) => (more) => pe.maskPositions({ data: [0, 1, 1], shape: [3] }, more),
};

/** Rules of scaling, which the rotary takes too. */
export const others = {
  "rotary yarn": (pe) =>
    scaled(pe, { scaling: { type: "yarn", factor: 4, originalLength: 64, betaFast: 32, truncate: true } }),
  "rotary longrope": (pe) =>
    scaled(pe, {
      length: 100,
      scaling: { type: "longrope", factor: 2, originalLength: 64, shortFactor: [1, 2], longFactor: [3, 4] },
    }),
  "rotary given": (pe) => scaled(pe, { scaling: { type: "given", frequencies: [1, 0.5] } }),
  "rotary dynamic": (pe) =>
    scaled(pe, { exponentDim: 8, length: 90, scaling: { type: "dynamic", factor: 2, originalLength: 50 } }),
};
