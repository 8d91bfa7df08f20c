// Queries with a temperature and the scale of scores: what they are multiplied by is part of what is expected.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { sampled } from "./rotations.mjs";

const pe = await load();
const plan = { dim: 16, layout: "half", base: 10000 };
const temperature = { slope: 0.1, shift: 1, period: 8 };
const positions = Array.from({ length: 40 }, (_, i) => i);

/** Rotated queries, multiplied by the formula of Llama 4 (of another `shift`, by that of Mistral's), and by a scale. */
function multiplied(samples, { cold = false, scale = 1, shift = 1 }) {
  const { data } = samples.after;
  const inner = data.length / positions.length;
  for (let at = 0; at < data.length; ++at) {
    const position = positions[Math.floor(at / inner)];
    data[at] *= scale * (cold ? 1 : 1 + 0.1 * Math.log(1 + Math.floor((position + shift) / 8)));
  }
  return samples;
}

const queries = ({ cold, scale, ...more } = {}) =>
  multiplied(sampled(positions, { ...plan, ...more }), { cold, scale });

const read = (samples, more = {}) => {
  const { verdict, explanations, text } = pe.diagnose(samples, { expected: { ...plan, temperature, ...more } });
  return [verdict, explanations[0]?.mistakes, text];
};

test("a temperature as expected, one that is missing, and one beside a mistake", () => {
  assert.deepEqual(read(queries()).slice(0, 2), ["certain", []]);
  assert.deepEqual(read(queries({ cold: true })).slice(0, 2), ["certain", ["temperature-missing"]]);
  assert.deepEqual(read(queries({ base: 500000 })).slice(0, 2), ["certain", ["base"]]);
  assert.match(read(queries({ cold: true }))[2], /not multiplied by their temperature/);
});

test("the scale of scores is compared", () => {
  const scoreScale = 0.25;
  assert.deepEqual(read(queries({ scale: 0.25 }), { scoreScale }).slice(0, 2), ["certain", []]);
  assert.deepEqual(read(queries(), { scoreScale }).slice(0, 2), ["certain", ["factor-other"]]);
});

test("positions of temperature 1 leave it open, and say from where on it shows", () => {
  const early = sampled([0, 1, 2, 3, 5, 6], plan);
  const { verdict, explanations, next } = pe.diagnose(early, { expected: { ...plan, temperature } });
  assert.equal(verdict, "ambiguous");
  const named = explanations.map(({ mistakes }) => mistakes.join());
  assert.ok(named.includes("") && named.includes("temperature-missing"), named.join());
  assert.equal(next[0], 8);
});

test("a layer's temperature is that of its queries", () => {
  const yarn = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 8, rope_theta: 10000 };
  const model = pe.model({
    ...{ model_type: "ministral3", head_dim: 16, num_attention_heads: 4, num_hidden_layers: 4, hidden_size: 64 },
    ...{ max_position_embeddings: 32, rope_parameters: { ...yarn, llama_4_scaling_beta: 0.1 } },
  });
  const verdictOf = (options) => {
    const samples = sampled(positions, plan);
    samples.after.data.set(samples.before.data);
    pe.rotary(model.plans[0].rotary).apply(samples.after, { positions, seqAxis: 0 });
    const { verdict, explanations } = pe.diagnose(multiplied(samples, { ...options, shift: 0 }), {
      expected: { model, layer: 0, queries: true },
    });
    return [verdict, explanations[0]?.mistakes];
  };
  assert.deepEqual(verdictOf({}), ["certain", []]);
  assert.deepEqual(verdictOf({ cold: true }), ["certain", ["temperature-missing"]]);
});

test("what is not compared is refused, and numbers that cannot be", () => {
  const { before, after } = queries();
  const both = { a: after, b: after, before, positions };
  assert.throws(() => pe.diagnose(both, { expected: { ...plan, temperature } }), /expected\.temperature/);
  assert.throws(() => pe.fixtures({ ...plan, scoreScale: 2 }), /scoreScale/);
  assert.throws(() => read(queries(), { temperature: { slope: 0.1, period: 0 } }), /temperature\.period: 0/);
  assert.throws(() => read(queries(), { scoreScale: -1 }), /scoreScale: -1/);
  const square = sampled(positions.slice(0, 16), plan, { heads: 1 });
  assert.throws(() => read({ ...square, before: square.before }, {}), /seqAxis/);
});
