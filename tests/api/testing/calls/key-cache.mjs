const shape = [3, 2, 4];

const rotary = (pe) => pe.rotary({ dim: 4, layout: "half" });

export const others = {
  "editKeys shift and divide":
    (pe, inputs, rope = rotary(pe)) =>
    (more) =>
      pe.editKeys(inputs.numbers(24), {
        shape,
        seqAxis: 0,
        rotary: rope,
        positions: [4, 5, 6],
        edits: [
          { type: "shift", from: 0, to: 2, by: [5] },
          { type: "divide", from: 1, to: 3, by: 2, plus: 1, list: 0 },
        ],
        ...more,
      }),
  "editKeys move and drop":
    (pe, inputs, rope = rotary(pe)) =>
    () =>
      pe.editKeys(inputs.numbers(32), {
        shape: [4, 2, 4],
        seqAxis: 0,
        dimAxis: 2,
        rotary: rope,
        offset: 7,
        edits: [
          { type: "move", from: 0, to: 1, at: 2, keepPositions: false },
          { type: "drop", from: 1, to: 2, keepPositions: true },
        ],
      }),
  "editKeys insert":
    (pe, inputs, rope = rotary(pe), other = pe.rotary({ dim: 4, layout: "interleaved", base: 500 })) =>
    () =>
      pe.editKeys(inputs.halves(3, 2, 4).data, {
        shape,
        seqAxis: 0,
        dtype: "bfloat16",
        rotary: rope,
        edits: [
          {
            type: "insert",
            at: 1,
            keys: inputs.numbers(8),
            shape: [1, 2, 4],
            seqAxis: 0,
            rotary: other,
            positions: [9],
          },
          { type: "insert", at: 0, count: 1, keepPositions: true },
          { type: "rotate", rotary: other },
          { type: "convert", dtype: "float16" },
        ],
      }),
  "editKeys of lists":
    (pe, inputs, rope = pe.xpos({ dim: 4, layout: "half", centre: 2 })) =>
    () =>
      pe.editKeys(inputs.numbers(24), {
        shape,
        seqAxis: 0,
        batchAxis: 1,
        rotary: rope,
        positions: { data: [0, 1, 2, 4, 5, 6], shape: [2, 3] },
        edits: [{ type: "drop", to: 1, list: 1 }],
      }),
  "editKeys of a slice of heads":
    (pe, inputs, rope = pe.rotary({ dim: 2, layout: "half" })) =>
    () =>
      pe.editKeys(inputs.numbers(24), {
        shape,
        seqAxis: 0,
        rotary: rope,
        firstDim: 1,
        positions: [1, 2],
        edits: [{ type: "shift", by: 3 }],
        out: new Float32Array(16),
      }),
  "editKeys of points":
    (pe, inputs, rope = pe.mrope({ dim: 4, layout: "half", sections: [0, 1, 1], order: "chunked" })) =>
    () =>
      pe.editKeys(inputs.numbers(24), {
        shape,
        seqAxis: 0,
        rotary: rope,
        positions: { data: [1, 2, 1, 2, 3, 4], shape: [3, 2] },
        edits: [{ type: "shift", by: [1, 2, 3] }],
      }),
};
