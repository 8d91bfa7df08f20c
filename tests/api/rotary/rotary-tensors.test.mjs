// Functions that rotate in place take tensors, also those of ONNX Runtime and transformers.js: the shape is theirs, and the bits
// are those of the same call with a shape.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { load } from "posenc/full";

const small = await loadSmall();
const pe = await load();

const values = (count) => Float32Array.from({ length: count }, (_, i) => Math.sin(i + 1));

/** Tensors as other libraries have them: what is read of them are getters of a class. */
class OrtTensor {
  #data;
  #dims;
  constructor(type, data, dims) {
    this.type = type;
    this.#data = data;
    this.#dims = dims;
  }
  get data() {
    return this.#data;
  }
  get dims() {
    return this.#dims;
  }
}

const forms = {
  ours: (data, shape) => ({ data, shape }),
  readonly: (data, shape) => Object.freeze({ data, shape: Object.freeze([...shape]) }),
  ort: (data, shape) => new OrtTensor("float32", data, shape),
  "transformers.js": (data, shape) => ({
    ort_tensor: new OrtTensor("float32", data, shape),
    type: "float32",
    data,
    dims: shape,
  }),
};

const shape = [3, 5, 8];
const rope = pe.rotary({ dim: 8, layout: "half" });
const other = pe.rotary({ dim: 8, layout: "half", base: 500000 });
const model = pe.model({
  model_type: "llama4_text",
  hidden_size: 16,
  head_dim: 8,
  num_attention_heads: 2,
  num_hidden_layers: 2,
  attn_temperature_tuning: true,
  attn_scale: 0.1,
  floor_scale: 2,
  no_rope_layers: [1, 0],
});
const layer = model.layer(0, { layout: "half" });
/** One whose outputs are rotated back. */
const backRotating = pe
  .model({
    model_type: "deepseek_v4",
    hidden_size: 16,
    num_attention_heads: 2,
    head_dim: 8,
    qk_rope_head_dim: 4,
    num_hidden_layers: 2,
    compress_ratios: [0, 0],
  })
  .layer(0);
const { cos, sin } = rope.cache({ length: 5 });

/** Each call that changes x in place, by its name. */
const calls = {
  "small rotary.apply": (x, own) =>
    small.rotary({ dim: 8, layout: "half" }).apply(x, { ...own, offset: 3, inverse: true }),
  "rotary.apply": (x, own) => rope.apply(x, { ...own, positions: [9, 1, 4, 0, 2] }),
  "rotary.apply of a slice": (x, own) => pe.rotary({ dim: 4, layout: "half" }).apply(x, { ...own, firstDim: 4 }),
  "xpos.apply": (x, own) => pe.xpos({ dim: 8, layout: "half", centre: 2 }).apply(x, { ...own, side: "key" }),
  shiftRotated: (x, own) => pe.shiftRotated(x, { ...own, rotary: rope, by: -2 }),
  rotateAgain: (x, own) => pe.rotateAgain(x, { ...own, from: rope, to: other, offset: 7 }),
  rotateWithCache: (x, own) => pe.rotateWithCache(x, { ...own, layout: "half", form: "onnx", cos, sin }),
  queryTemperature: (x, own) => pe.queryTemperature(x, { ...own, slope: 0.1, period: 2 }),
  "mrope.apply": (x, own) =>
    pe.mrope({ dim: 8, layout: "half", sections: [2, 1, 1], order: "chunked" }).apply(x, {
      ...own,
      positions: { data: Int32Array.from({ length: 15 }, (_, i) => i), shape: [3, 5] },
    }),
  "rotaryGrid.apply": (x, own) => {
    const grid = pe.rotaryGrid({ preset: "qwen2-vl", dim: 8 });
    return grid.apply(x, { ...own, points: Float64Array.from({ length: 10 }, (_, i) => i) });
  },
  "layer.applyToOutputs": (x, own) => backRotating.applyToOutputs(x, { ...own, offset: 3 }),
};

for (const [name, call] of Object.entries(calls)) {
  test(`${name} takes tensors and gives them back`, () => {
    const axes = { seqAxis: 1 };
    const wanted = call(values(120), { ...axes, shape });
    assert.ok(wanted instanceof Float32Array);
    for (const [form, made] of Object.entries(forms)) {
      const x = made(values(120), shape);
      assert.equal(call(x, axes), x, form);
      assert.deepEqual(x.data, wanted, form);
    }
    // Memory of the library's is not copied.
    const buffer = (name.startsWith("small") ? small : pe).buffer(120);
    buffer.view.set(values(120));
    call({ data: buffer.view, shape }, axes);
    assert.deepEqual(buffer.view.slice(), wanted);
  });

  test(`${name}: what is wrong with a tensor is named, and nothing is written`, () => {
    const data = values(120);
    for (const [x, own, message] of [
      [
        { data, shape },
        { seqAxis: 1, shape },
        /^TypeError: \w+\.shape: \[3, 5, 8\], expected (one of )?seqAxis|^TypeError: queryTemperature\.shape: .*, expected slope/,
      ],
      [{ data, shape: [3, 5, 9] }, { seqAxis: 1 }, /^RangeError: (x|shape|shape\[2\]): /],
      [{ data, shape: [3, -5, 8] }, { seqAxis: 1 }, /^(Type|Range)Error: x\.shape/],
      [{ data, dims: "3" }, { seqAxis: 1 }, /^(Type|Range)Error: x\.dims/],
      [{ data: [...data], shape }, { seqAxis: 1 }, /^TypeError: x: .*, expected a /],
      [{ shape }, { seqAxis: 1 }, /^TypeError: x: undefined, expected a /],
      [{ data, shape }, { seqAxsi: 1 }, /^TypeError: \w+\.seqAxsi: 1, expected seqAxis /],
      [{ data, shape }, {}, /^RangeError: seqAxis: /],
    ]) {
      assert.throws(
        () => call(x, own),
        (error) => message.test(`${error.name}: ${error.message}`),
        `${message}`,
      );
      assert.deepEqual(data, values(120));
    }
  });
}

test("of two axes a tensor is all that is needed", () => {
  const x = { data: values(40), shape: [5, 8] };
  assert.equal(rope.apply(x, {}), x);
  assert.deepEqual(x.data, rope.apply(values(40), { shape: [5, 8] }));
});

test("layer.apply takes two tensors, keys of another shape", () => {
  const [q, k] = [values(2 * 2 * 5 * 8), values(2 * 5 * 8)];
  const axes = { seqAxis: 1, offset: 2 };
  layer.apply(q, k, { ...axes, shape: [4, 5, 8], keyShape: [2, 5, 8] });
  for (const made of Object.values(forms)) {
    const given = [made(values(160), [4, 5, 8]), made(values(80), [2, 5, 8])];
    const back = layer.apply(...given, axes);
    assert.deepEqual([back.q, back.k], given);
    assert.deepEqual([back.q.data, back.k.data], [q, k]);
  }
  const tensors = [forms.ours(values(160), [4, 5, 8]), forms.ours(values(80), [2, 5, 8])];
  for (const name of ["shape", "keyShape"])
    assert.throws(
      () => layer.apply(...tensors, { ...axes, [name]: [4, 5, 8] }),
      new RegExp(`^TypeError: apply\\.${name}: .*, expected one of seqAxis, dimAxis, batchAxis, offset, positions$`),
    );
  assert.throws(() => layer.apply(tensors[0], values(80), axes), /^TypeError: /);
});

test("values of 16 bits: a tensor names its dtype", () => {
  const floats = { data: values(120), shape };
  for (const dtype of ["float16", "bfloat16"]) {
    const bits = pe.convert(floats, dtype);
    const raw = new Uint16Array(bits.data.buffer, bits.data.byteOffset, 120).slice();
    const wanted = rope.apply(raw.slice(), { shape, seqAxis: 1, dtype });
    const ours = { data: raw.slice(), shape, dtype };
    assert.equal(rope.apply(ours, { seqAxis: 1 }), ours);
    assert.deepEqual(ours.data, wanted);
    assert.equal(rope.apply({ ...ours, data: raw.slice() }, { seqAxis: 1, dtype }).dtype, dtype);
    const another = { seqAxis: 1, dtype: dtype === "float16" ? "bfloat16" : "float16" };
    assert.throws(() => rope.apply(ours, another), new RegExp(`^TypeError: dtype: .*, expected "${dtype}"$`));
    assert.throws(
      () => rope.apply({ data: raw, shape }, { seqAxis: 1 }),
      /^TypeError: dtype: undefined, expected the type/,
    );
    const named = { data: raw.slice(), shape };
    rope.apply(named, { seqAxis: 1, dtype });
    assert.deepEqual(named.data, wanted);
    if (dtype === "bfloat16") continue;
    const ort = new OrtTensor("float16", raw.slice(), shape);
    rope.apply(ort, { seqAxis: 1 });
    assert.deepEqual(ort.data, wanted);
  }
});
