// Functions that rotate in place take tensors, also those of ONNX Runtime and transformers.js: the shape is theirs, and the bits
// are those of the same call with a shape.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { seedsOf } from "../testing/recorded-calls.mjs";
import { load } from "../testing/whole-library.mjs";

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

/** Calls of the table that change an array of float32 in place, with its shape beside it. */
const inPlace = seedsOf(pe).filter((seed) => {
  const [x, options, ...others] = seed.next().args;
  return x instanceof Float32Array && options?.shape && others.length === 0 && seed.function !== "editKeys";
});

test("there is a call of each function that rotates in place", () => {
  const names = ["rotary", "xpos", "rotaryGrid", "rotaryMixed", "mrope", "model.layer"].map((name) =>
    name === "model.layer" ? `${name}.applyToOutputs` : `${name}.apply`,
  );
  const others = ["queryTemperature", "rotateAgain", "rotateWithCache", "shiftRotated"];
  assert.deepEqual([...new Set(inPlace.map((seed) => seed.function))].sort(), [...names, ...others].sort());
});

for (const seed of inPlace)
  test(`${seed.name} takes tensors and gives them back`, () => {
    const first = seed.next();
    const [x, { shape, ...options }] = first.args;
    const before = x.slice();
    assert.equal(first.call(first.args), x);
    const wanted = x.slice();
    for (const [form, made] of Object.entries(forms)) {
      const tensor = made(before.slice(), shape);
      assert.equal(first.call([tensor, options]), tensor, form);
      assert.deepEqual(tensor.data, wanted, form);
    }
    // Memory of the library's is not copied.
    const buffer = pe.buffer(before.length);
    buffer.view.set(before);
    first.call([{ data: buffer.view, shape }, options]);
    assert.deepEqual(buffer.view.slice(), wanted);
  });

const shape = [3, 5, 8];
const rope = pe.rotary({ dim: 8, layout: "half" });

for (const [name, apply] of [
  ["posenc", small.rotary({ dim: 8, layout: "half" })],
  ["posenc/full", rope],
].map(([name, rotary]) => [name, (x, own) => rotary.apply(x, own)]))
  test(`${name}: what is wrong with a tensor is named, and nothing is written`, () => {
    const data = values(120);
    for (const [x, own, message] of [
      [{ data, shape }, { seqAxis: 1, shape }, /^TypeError: apply\.shape: \[3, 5, 8\], expected (one of )?seqAxis/],
      [{ data, shape: [3, 5, 9] }, { seqAxis: 1 }, /^RangeError: (x|shape|shape\[2\]): /],
      [{ data, shape: [3, -5, 8] }, { seqAxis: 1 }, /^(Type|Range)Error: x\.shape/],
      [{ data, dims: "3" }, { seqAxis: 1 }, /^(Type|Range)Error: x\.dims/],
      [{ data: [...data], shape }, { seqAxis: 1 }, /^TypeError: x: .*, expected a /],
      [{ shape }, { seqAxis: 1 }, /^TypeError: x: undefined, expected a /],
      [{ data, shape }, { seqAxsi: 1 }, /^TypeError: apply\.seqAxsi: 1, expected seqAxis /],
      [{ data, shape }, {}, /^RangeError: seqAxis: /],
    ]) {
      assert.throws(() => apply(x, own), message);
      assert.deepEqual(data, values(120));
    }
  });

test("of two axes a tensor is all that is needed", () => {
  const x = { data: values(40), shape: [5, 8] };
  assert.equal(rope.apply(x, {}), x);
  assert.deepEqual(x.data, rope.apply(values(40), { shape: [5, 8] }));
});

test("layer.apply takes two tensors, keys of another shape", () => {
  const heads = { num_attention_heads: 2, num_hidden_layers: 2, hidden_size: 16, head_dim: 8 };
  const layer = pe.model({ model_type: "llama", ...heads }).layer(0, { layout: "half" });
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
