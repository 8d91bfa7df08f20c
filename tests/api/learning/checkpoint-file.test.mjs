// Checkpoints as .safetensors files: what is in them, and which are refused. Tests at several lengths.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arraysOf } from "posenc/files";
import { load } from "posenc/lab";

const lab = await load();

const options = {
  task: { type: "induction", shortest: 3, longest: 6, symbols: 4 },
  encoding: { type: "rope", base: 500 },
  model: { layers: 2, width: 16 },
  optimizer: { steps: 20, batch: 4, warmUp: 5 },
  stretch: 4,
  seed: 3,
};
const training = lab.training(options);
training.step(9);
const file = training.save();

/** The header's object, and the values behind it. */
function parts(bytes) {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  return { header: JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString()), values: bytes.slice(8 + length) };
}

/** The file with another header. */
function withHeader(bytes, change) {
  const { header, values } = parts(bytes);
  const text = Buffer.from(JSON.stringify(change(header)));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
  return Uint8Array.from(Buffer.concat([length, text, values]));
}

test("a file has each parameter by its name, Adam's moments, the step and the options", async () => {
  const { header } = parts(file);
  assert.equal(header.__metadata__.step, "9");
  assert.deepEqual(JSON.parse(header.__metadata__.options), training.options);
  const arrays = await arraysOf(new Blob([file]));
  const made = training.checkpoint();
  assert.equal(arrays.length, 3 * training.parameters.length);
  for (const { name, shape, offset } of training.parameters)
    for (const [prefix, all] of [
      ["", made.values],
      ["first_moments.", made.firstMoments],
      ["second_moments.", made.secondMoments],
    ]) {
      const array = arrays.find((each) => each.name === prefix + name);
      assert.deepEqual([array.dtype, array.shape], ["float32", shape]);
      const { data } = await array.read();
      assert.deepEqual(data, all.slice(offset, offset + shape[0] * shape[1]));
    }
});

test("a file goes back into another training of the same options, at any offset of its buffer", () => {
  const other = lab.training(options);
  const shifted = new Uint8Array(file.length + 3);
  shifted.set(file, 3);
  other.restore(shifted.subarray(3));
  assert.equal(other.steps, 9);
  assert.deepEqual(other.save(), file);
  training.step(4);
  other.step(4);
  assert.deepEqual(other.save(), training.save());
  training.restore(file);
  assert.deepEqual(training.save(), file);
});

test("what a caller does to the lists that it sees changes no file", () => {
  const other = lab.training(options);
  other.parameters.length = 1;
  other.options.seed = 5;
  other.restore(file);
  assert.deepEqual(other.save(), file);
});

test("of a text there is a hash in the file, and another text is refused", () => {
  const text = "The cat sat on the mat. ".repeat(20);
  const ofText = (given) => lab.training({ ...options, task: { type: "text", longest: 6, text: given } });
  const kept = ofText(text).save();
  assert.match(JSON.parse(parts(kept).header.__metadata__.options).task.text, /^480, [0-9a-f]{8}$/);
  ofText(text).restore(kept);
  const other = text.replace("cat sat", "tac sat");
  const message = /^checkpoint\.options\.task\.text: "480, .*, expected "480, .*, as this training has$/;
  assert.throws(() => ofText(other).restore(kept), { name: "RangeError", message });
});

const before = training.save();
const refused = [
  ["nothing", () => new Uint8Array(0), /^checkpoint: 0 bytes, expected a safetensors file/],
  [
    "a header cut",
    () => file.slice(0, 300),
    /^checkpoint: a header of \d+ bytes in a file of 300, expected a safetensors file, not trunc/,
  ],
  ["values cut", () => file.slice(0, -1), /^checkpoint\[\S+\]: truncated: \d+ bytes, expected/],
  ["something else", () => new Uint8Array(100).fill(7), /^checkpoint: a header of/],
  [
    "another's file",
    () => withHeader(file, ({ __metadata__: _, ...rest }) => rest),
    /^checkpoint: no step and options in its metadata/,
  ],
  [
    "options that are none",
    () => withHeader(file, (header) => ({ ...header, __metadata__: { step: "9", options: "{" } })),
    /^checkpoint: options that are no JSON/,
  ],
  [
    "a tensor missing",
    () => withHeader(file, ({ embedding: _, ...rest }) => rest),
    /^checkpoint\[embedding\]: missing, expected a tensor of this name/,
  ],
  [
    "a tensor of another shape",
    () =>
      withHeader(file, (header) => ({
        ...header,
        last_norm: { ...header.last_norm, shape: [...header.last_norm.shape].reverse() },
      })),
    /^checkpoint\[last_norm\]: the shape \[16, 1\], expected float32 of \[1, 16\]/,
  ],
  [
    "a step that there is not",
    () => withHeader(file, (header) => ({ ...header, __metadata__: { ...header.__metadata__, step: "21" } })),
    /^step: 21, expected/,
  ],
  [
    "another model",
    () => lab.training({ ...options, model: { ...options.model, width: 32 } }).save(),
    /^checkpoint\.options\.model\.width: 32, expected 16, as this training has/,
  ],
  [
    "another encoding",
    () => lab.training({ ...options, encoding: { type: "alibi" } }).save(),
    /^checkpoint\.options\.encoding\.type: "alibi", expected "rope"/,
  ],
];
for (const [what, make, message] of refused)
  test(`refused, and nothing changes: ${what}`, () => {
    assert.throws(() => training.restore(make()), { name: "RangeError", message });
    assert.deepEqual(training.save(), before);
  });

test("tests at several lengths are those of each length", () => {
  const each = (lengths, more = () => ({})) =>
    lengths.map((n) => ({ n, ...training.evaluate({ n, sequences: 8, ...more(n / 6) }) }));
  assert.deepEqual(training.stretch({ sequences: 8 }), each([6, 12, 24]));
  assert.deepEqual(training.stretch({ sequences: 8, lengths: [7, 3] }), each([7, 3]));
  assert.deepEqual(training.stretch({ lengths: [] }), []);
  const encoding = { type: "alibi" };
  assert.deepEqual(
    training.stretch({ sequences: 8, encoding }),
    each([6, 12, 24], () => ({ encoding })),
  );
  const scaled = (factor) => ({ type: "rope", base: 500, scaling: { type: "linear", factor } });
  assert.deepEqual(
    training.stretch({ sequences: 8, encoding: scaled }),
    each([6, 12, 24], (factor) => ({ encoding: scaled(factor) })),
  );
  const roles = lab.training({ ...options, task: { type: "roles" } });
  assert.deepEqual(
    roles.stretch({ sequences: 8 }).map(({ n }) => n),
    [3],
  );
  assert.throws(() => training.stretch({ length: 3 }), { name: "TypeError", message: /^stretch\.length: 3, expected/ });
  const cause = new Error("no encoding");
  const failing = () => {
    throw cause;
  };
  const wanted = { name: "TypeError", message: /^encoding: a function that throws at 1, expected/, cause };
  assert.throws(() => training.stretch({ encoding: failing }), wanted);
  assert.throws(() => training.stretch({ lengths: [25] }), { name: "RangeError", message: /^n: 25, expected/ });
  assert.throws(() => training.stretch({ lengths: [-1] }), {
    name: "RangeError",
    message: /^lengths\[0\]: -1, expected/,
  });
});
