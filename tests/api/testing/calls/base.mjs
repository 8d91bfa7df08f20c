export const handles = {
  buffer: (pe) => pe.buffer(24),
  halfBuffer: (pe) => pe.buffer(24, { dtype: "bfloat16" }),
};

export const makers = {
  convert: (pe, inputs) => (more) => pe.convert(inputs.halves(3, 4), "float32", more),
  "convert to bfloat16": (pe, inputs) => (more) => pe.convert(inputs.tensor(3, 4), "bfloat16", more),
  "convert nothing": (pe, inputs) => (more) => pe.convert(inputs.tensor(3, 4), "float32", more),
};

export const others = {
  buffer: (pe) => () => pe.buffer(7),
  "buffer float16": (pe) => () => pe.buffer(7, { dtype: "float16" }),
};
