const shape = [2, 3, 4];

export const objects = {
  rotary: (pe) => pe.rotary({ dim: 4, layout: "half" }),
  xpos: (pe) => pe.xpos({ dim: 4, layout: "half", centre: 2 }),
};

export const handles = {
  step: (pe) => objects.rotary(pe).step(pe.buffer(24), { shape, seqAxis: 0 }),
};

export const makers = {
  "rotary.cache":
    (pe, inputs, rope = objects.rotary(pe)) =>
    (more) =>
      rope.cache({ positions: inputs.numbers(3), ...more }),
  "rotary.cache bfloat16":
    (pe, _, rope = objects.rotary(pe)) =>
    (more) =>
      rope.cache({ length: 3, dtype: "bfloat16", ...more }),
  rotaryCache:
    (pe, inputs, rotary = objects.rotary(pe)) =>
    (more) =>
      pe.rotaryCache({ rotary, form: "huggingface", positions: inputs.numbers(3), ...more }),
  "rotaryCache ggml":
    (pe, _, rotary = objects.rotary(pe)) =>
    (more) =>
      pe.rotaryCache({ rotary, form: "ggml", length: 3, ...more }),
  "rotaryCache float16":
    (pe, _, rotary = objects.rotary(pe)) =>
    (more) =>
      pe.rotaryCache({ rotary, form: "onnx", length: 3, dtype: "float16", ...more }),
  rotaryMatrix:
    (pe, _, rotary = objects.rotary(pe)) =>
    (more) =>
      pe.rotaryMatrix({ rotary, position: 3, ...more }),
  fope: (pe, inputs) => (more) =>
    pe.fope({ dim: 4, cosines: inputs.tensor(2, 1, 2), sines: inputs.tensor(2, 1, 2), length: 3, ...more }),
  convertLayout: (pe, inputs) => (more) =>
    pe.convertLayout(inputs.tensor(4, 8), { dim: 4, from: "interleaved", to: "half", axis: -1, ...more }),
  rotaryDifference:
    (pe, inputs, a = objects.rotary(pe), b = pe.rotary({ dim: 4, layout: "half", base: 500 })) =>
    (more) =>
      pe.rotaryDifference({ a, b, distances: inputs.numbers(3), ...more }),
  "xpos.scales":
    (pe, inputs, xpos = objects.xpos(pe)) =>
    (more) =>
      xpos.scales({ positions: inputs.numbers(3), ...more }),
};

export const others = {
  rotary: (pe) => () => pe.rotary({ dim: 8, layout: "half", rotaryDim: 4, base: 500, precision: "float32" }),
  certify: (pe) => (more) =>
    pe.certify({ dim: 8, base: 500 }, { length: 64, arithmetic: "ggml", dtype: "float16", ...more }),
  xpos: (pe) => () => pe.xpos({ dim: 4, layout: "half", centre: 2, scaleBase: 64 }),
  "rotary.apply of a tensor":
    (pe, inputs, rope = objects.rotary(pe)) =>
    () =>
      rope.apply(inputs.tensor(...shape), { seqAxis: 0, positions: inputs.numbers(2) }),
  rotateAgain:
    (pe, inputs, from = objects.rotary(pe), to = pe.rotary({ dim: 4, layout: "half", base: 500 })) =>
    (more) =>
      pe.rotateAgain(inputs.numbers(24), { shape, from, to, offset: 3, seqAxis: 1, ...more }),
  rotateWithCache: (pe, inputs) => (more) =>
    pe.rotateWithCache(inputs.numbers(24), {
      shape,
      layout: "half",
      form: "onnx",
      cos: inputs.tensor(3, 2),
      sin: inputs.tensor(3, 2),
      seqAxis: 1,
      ...more,
    }),
  "rotateWithCache ggml": (pe, inputs) => (more) =>
    pe.rotateWithCache(inputs.numbers(24), {
      shape,
      layout: "half",
      form: "ggml",
      cosSin: inputs.tensor(3, 4),
      positions: [2, 0],
      seqAxis: 0,
      ...more,
    }),
  shiftRotated:
    (pe, inputs, rotary = objects.rotary(pe)) =>
    (more) =>
      pe.shiftRotated(inputs.numbers(24), { shape, rotary, by: 5, seqAxis: 1, ...more }),
  "shiftRotated by a list":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    () =>
      pe.shiftRotated(inputs.numbers(24), { shape, seqAxis: 0, rotary, by: [1, -2] }),
  "rotary.apply":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    (more) =>
      rotary.apply(inputs.numbers(24), { shape, seqAxis: 0, offset: 3, inverse: true, ...more }),
  "rotary.apply float16":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    (more) =>
      rotary.apply(inputs.halves(2, 3, 4).data, { shape, seqAxis: 0, dtype: "float16", positions: [1, -2], ...more }),
  "rotary.apply batch":
    (pe, inputs, rotary = objects.rotary(pe)) =>
    (more) =>
      rotary.apply(inputs.numbers(24), {
        shape,
        batchAxis: 0,
        seqAxis: 1,
        dimAxis: 2,
        positions: { data: [0, 1, 2, 3, 4, 5], shape: [2, 3] },
        ...more,
      }),
  "rotary.step":
    (pe, _, rotary = objects.rotary(pe), x = pe.buffer(24)) =>
    (more) =>
      rotary.step(x, { shape, seqAxis: 0, inverse: false, ...more }),
  "step.apply":
    (pe, _, step = handles.step(pe)) =>
    () =>
      step.apply(5),
  "xpos.apply":
    (pe, inputs, xpos = objects.xpos(pe)) =>
    (more) =>
      xpos.apply(inputs.numbers(24), { shape, seqAxis: 1, side: "key", offset: 1, ...more }),
};

export const refusals = {
  "rotary.cache":
    (pe, _, rope = objects.rotary(pe)) =>
    (more) =>
      rope.cache({ positions: [1, Number.NaN, 2], ...more }),
};
