// pe.fixtures: what is in the files, and that right ports pass the pasted test while each known mistake fails by name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fromNpy } from "posenc/npy";
import { load } from "posenc/tools";
import { isNamed, pasted, rightRows, rows } from "./fixture-margins.mjs";
import { plans, rightPort } from "./fixture-plans.mjs";

const pe = await load();
const fileOf = ({ files }, name) => files.find((file) => file.name === name).data;

/** Interleaved sections differ in two pairs of low frequencies, which roundings hide. */
const hidden = "Qwen3-VL, sections, bfloat16";

test("ports that are right pass, in each arithmetic that is", async () => {
  for (const row of await rightRows())
    assert.deepEqual(row.problems, [], `${row.plan}, ${row.rounding}, ${row.arithmetic}`);
});

test("each known mistake fails under its own name", async () => {
  const all = await rows();
  for (const row of all) {
    const what = `${row.plan}, ${row.mistake}, ${row.dtype}: ${row.problems.join("\n")}`;
    if (what.startsWith(hidden)) continue;
    assert.ok(row.isTold, what);
    assert.ok(isNamed(row), what);
  }
  assert.ok(new Set(all.map(({ mistake }) => mistake)).size >= 34);
});

test("an unknown mistake is reported without a name", async () => {
  const options = plans["Llama 2"];
  const problems = await pasted(pe.fixtures(options).files);
  const right = rightPort(options);
  for (const changes of [{ negative: true, exchanged: true, offset: 7 }, { factor: 1.003 }, { factor: Number.NaN }]) {
    const found = problems({ ...right, ...changes }, "float32");
    assert.equal(found.length, 2);
    for (const text of found)
      assert.match(text, /none of the mistakes known here; token \d+, dimension \d+ is .* tolerances off$/);
  }
});

test("outputs are those of rotary, and the arrays have them all", () => {
  for (const [name, options] of Object.entries(plans)) {
    if (options.mrope) continue;
    const made = pe.fixtures(options);
    const [section] = made.json.sections;
    const [positions] = section.positions;
    const { others, inverse, firstDim = 0, ...plan } = options;
    const { dim } = plan;
    const count = plan.rotaryDim ?? dim;
    const x = Float32Array.from(positions.flatMap(() => section.input));
    const slice = firstDim === 0 ? plan : { ...plan, dim: count, rotaryDim: count };
    const rotary = pe.rotary(slice);
    rotary.apply(x, {
      shape: [positions.length, dim],
      positions,
      inverse: inverse ?? false,
      ...(firstDim ? { firstDim } : {}),
    });
    rotary.delete();
    const output = fromNpy(fileOf(made, "all.output.npy"));
    assert.deepEqual(output.shape, [positions.length, dim]);
    for (let i = 0; i < x.length; ++i) assert.ok(Math.abs(output.data[i] - x[i]) < 1e-5, `${name}, ${i}`);
    section.indices.forEach((index, i) => {
      assert.ok(Math.abs(section.outputs[i] - x[index]) <= section.tolerances.float32[Math.floor(index / dim)], name);
    });
    assert.deepEqual([...fromNpy(fileOf(made, "all.positions.npy")).data], positions);
    assert.deepEqual([...fromNpy(fileOf(made, "all.input.npy")).data.subarray(0, dim)], section.input);
    assert.deepEqual(JSON.parse(fileOf(made, "fixtures.json")), made.json);
  }
});

test("the file is small, its positions few and below the length, its inputs whole", () => {
  for (const [name, options] of Object.entries(plans)) {
    const made = pe.fixtures(options);
    assert.ok(fileOf(made, "fixtures.json").length <= 16384, `${name}: ${fileOf(made, "fixtures.json").length} bytes`);
    for (const { positions, input, undetected } of made.json.sections) {
      assert.ok(positions[0].length <= 8);
      for (const axis of positions)
        for (const p of axis) assert.ok(Number.isInteger(p) && p >= 0 && p < options.length);
      for (const value of input) assert.ok(Number.isInteger(value) && Math.abs(value) <= 8 && value !== 0);
      // A cache in 16 bits is right in these types.
      assert.ok(
        undetected.every((name) => name.startsWith("cosines-")),
        String(undetected),
      );
    }
  }
});

const gemma = {
  ...{ model_type: "gemma3_text", head_dim: 256, num_hidden_layers: 12, hidden_size: 2560, num_attention_heads: 8 },
  ...{ rope_theta: 1e6, rope_local_base_freq: 10000, sliding_window: 1024, max_position_embeddings: 131072 },
  ...{ rope_scaling: { factor: 8, rope_type: "linear" }, sliding_window_pattern: 6 },
};

test("a model has a section for each kind of layer that rotates", () => {
  const { json, files } = pe.fixtures(pe.model(gemma));
  assert.deepEqual(
    json.sections.map(({ name, layers, plan }) => [name, layers, plan.base]),
    [
      ["full_attention", "5, 11", 1e6],
      ["sliding_attention", "0-4, 6-10", 10000],
    ],
  );
  for (const { mistakes } of json.sections) assert.ok(mistakes.some(({ names }) => names.includes("other-layers")));
  assert.equal(json.model, "gemma3_text");
  assert.equal(files.filter(({ name }) => name.endsWith(".npy")).length, 6);
  const deepseek = pe.fixtures(
    pe.model({
      ...{
        model_type: "deepseek_v3",
        hidden_size: 7168,
        num_attention_heads: 128,
        num_hidden_layers: 4,
        rope_theta: 10000,
      },
      ...{ qk_rope_head_dim: 64, qk_nope_head_dim: 128, v_head_dim: 128, max_position_embeddings: 4096 },
    }),
  );
  assert.deepEqual(deepseek.json.sections[0].dims, { first: 128, count: 64, dim: 192 });
});

test("sentences are in the language asked for, those of the mistakes alone", () => {
  const { json } = pe.fixtures(plans["Llama 2"], { language: "zh" });
  const names = new Set(json.sections.flatMap(({ mistakes }) => mistakes.flatMap((each) => each.names)));
  assert.deepEqual(new Set(Object.keys(json.meanings)), names);
  assert.match(json.meanings.layout, /\p{Script=Han}/u);
  assert.ok(!names.has("factor-missing") && !names.has("first-dim"));
});

test("what cannot be meant is refused", () => {
  const wrong = [
    [() => pe.fixtures(pe.model({ model_type: "bert" })), TypeError, /bert/],
    [() => pe.fixtures({ dim: 64 }), RangeError, /layout/],
    [() => pe.fixtures({ dim: 2048, layout: "half" }), RangeError, /dim: 2048, expected a whole number from 2 to 1024/],
    [() => pe.fixtures({ dim: 64, layout: "half" }, { length: 1 }), RangeError, /length: 1/],
    [() => pe.fixtures({ dim: 64, layout: "half" }, { lenght: 1 }), TypeError, /lenght/],
    [() => pe.fixtures({ dim: 64, layout: "half" }, { language: "fr" }), RangeError, /language/],
    [() => pe.fixtures({ type: "alibi" }), TypeError, /model/],
    [() => pe.fixtures(undefined), TypeError, /model/],
    [() => pe.fixtures({ dim: 64, layout: "half", firstDim: 2 }), RangeError, /firstDim/],
  ];
  for (const [call, type, message] of wrong)
    assert.throws(call, (error) => error instanceof type && message.test(error.message));
});

test("a plan of few dimensions and few positions has what can be detected", () => {
  for (const [dim, length] of [
    [2, 2],
    [4, 3],
    [8, 16],
  ]) {
    const { json } = pe.fixtures({ dim, layout: "interleaved" }, { length });
    assert.ok(json.sections[0].mistakes.length > 0);
    assert.ok(json.sections[0].positions[0].length >= 1);
  }
});
