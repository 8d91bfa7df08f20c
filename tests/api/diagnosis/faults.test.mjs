// What 1.0.0 called certain and was not, in its smallest inputs and their sisters: each group is a kind of fault. The
// numbers come from the judge's simulation, which knows nothing of the library.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { bitsOf, computation, misfit, simulated, simulatedRates, types } from "../../judge/computation.mjs";

const pe = await load();
const range = (n, first = 0, step = 1) => Array.from({ length: n }, (_, i) => first + step * i);
let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 31 - 1;
};
const spread = [0, 1, 2, 7, 45, 301, 2003, 12007];

const tensor = (data, shape, dtype) => {
  if (dtype === "float64") return { data: Float64Array.from(data), shape };
  return dtype === "float16" || dtype === "bfloat16"
    ? { data: bitsOf(dtype, data), shape, dtype }
    : { data: Float32Array.from(data), shape };
};

/** Vectors [tokens, heads, dim] before and after a computation: samples, and the values to change. */
function vectors(plan, positions, { heads = 2, type = "float32", input = random, change = {} } = {}) {
  const c = { ...computation(plan), ...change };
  const shape = [positions.length, heads, c.dim];
  const before = Float64Array.from(range(positions.length * heads * c.dim), (at) => types[type].round(input(at)));
  const after = simulated(c, { tokens: positions.length, heads, dim: c.dim, before, positions: [positions] }, type);
  const samples = () => ({
    before: tensor(before, shape, type),
    after: tensor(after, shape, type),
    positions,
    seqAxis: 0,
  });
  return { before, after, shape, samples };
}

/** Cosines and sines [tokens, pairs]. */
function cacheOf(plan, positions, type = "float32") {
  const c = computation(plan);
  const sample = { tokens: positions.length, heads: 1, dim: c.dim, before: null, positions: [positions] };
  const all = simulated(c, sample, type);
  const part = (from) =>
    range(positions.length).flatMap((t) => [...all.slice(t * c.dim + from, t * c.dim + from + c.dim / 2)]);
  const shape = [positions.length, c.dim / 2];
  return { cos: tensor(part(0), shape, type), sin: tensor(part(c.dim / 2), shape, type), positions };
}

const ratesOf = (plan, type = "float32") => tensor(simulatedRates(computation(plan), type), [plan.dim / 2], type);
const expectedOf = ({ dim, base = 10000, rule, length, layout = "half", rotaryDim }, isShown = true) =>
  JSON.parse(JSON.stringify({ dim, base, scaling: rule, length, rotaryDim, layout: isShown ? layout : undefined }));

const namesOf = ({ explanations }) => explanations.map(({ mistakes }) => mistakes.join(" + "));
const isAsExpected = ({ verdict, explanations: [first] }) => verdict === "certain" && first.mistakes.length === 0;
/** Certain of these mistakes; none: as expected. */
function certain(answer, ...mistakes) {
  assert.deepEqual([answer.verdict, namesOf(answer)[0]], ["certain", mistakes.join(" + ")], answer.text);
}
/** Ambiguous, with all of these among the explanations, and something that would tell. */
function ambiguous(answer, ...names) {
  assert.equal(answer.verdict, "ambiguous", answer.text);
  for (const name of names) assert.ok(namesOf(answer).includes(name), `${name}: ${namesOf(answer)}`);
  assert.ok(answer.next.length + answer.tells.length > 0, "nothing that would tell");
}
/** What was done is certain, or among the explanations of an ambiguous answer, which has something that would tell. */
function holds(answer, isDone) {
  const { verdict, explanations, next, tells, text } = answer;
  assert.ok(
    verdict === "certain" ? isDone(explanations[0]) : verdict === "ambiguous" && explanations.some(isDone),
    text,
  );
  assert.ok(verdict === "certain" || next.length + tells.length > 0, "nothing that would tell");
}
/** Vectors as they were made, and what the library's rotation gives of them. */
function by(rotary, { before, shape: own, samples }, positions) {
  const after = rotary.apply(Float32Array.from(before), { shape: own, positions, seqAxis: 0 });
  return { ...samples(), after: tensor(after, own) };
}
const refuses = (call, message) => assert.throws(call, ({ message: own }) => message.test(own));
const ask = (samples, expected, more) => pe.diagnose(samples, { expected, ...more });

const shape = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4, vocab_size: 100 };
const factors = { short_factor: range(8, 1, 0.05), long_factor: range(8, 1.1, 3) };
const configs = {
  LongRoPE: {
    ...{ ...shape, model_type: "phi3", rope_theta: 10000, original_max_position_embeddings: 4096 },
    ...{ max_position_embeddings: 131072, rope_scaling: { type: "longrope", ...factors } },
  },
  dynamic: {
    ...{ ...shape, model_type: "llama", rope_theta: 10000, max_position_embeddings: 2048 },
    rope_scaling: { rope_type: "dynamic", factor: 4 },
  },
};
for (const [rule, config] of Object.entries(configs))
  test(`A1: ${rule} without a length asks for it: vectors, caches and frequencies`, () => {
    const model = pe.model(config);
    for (const length of [2048, 4096, 8192]) {
      const rotary = pe.rotary(model.layer(0, { length }).rotary ?? { ...model.plans[0].rotary, length });
      const { cos, sin } = rotary.cache({ length: 8 });
      for (const given of [by(rotary, vectors({ dim: 16 }, range(8)), range(8)), { cos, sin }]) {
        refuses(() => ask(given, { model, layer: 0 }), /expected\.length/);
        assert.equal(namesOf(ask(given, { model, layer: 0, length }))[0], "");
      }
    }
    refuses(() => ask({ frequencies: ratesOf({ dim: 16 }) }, { model, layer: 0 }), /expected\.length/);
  });

for (const stored of ["bfloat16", "float16"])
  for (const [base, dim] of [
    [10000, 64],
    [500000, 128],
    [1000000, 32],
  ]) {
    const plan = { dim, base };
    const wrong = { ...plan, stored };
    test(`A2: frequencies in ${stored}, base ${base}, dim ${dim}: named in float32, told or open in 16 bits`, () => {
      certain(ask({ frequencies: ratesOf(wrong) }, expectedOf(plan, false)), `frequencies-${stored}`);
      certain(ask(cacheOf(wrong, range(16)), expectedOf(plan, false)), `frequencies-${stored}`);
      certain(ask(vectors(wrong, range(16)).samples(), expectedOf(plan)), `frequencies-${stored}`);
      for (const done of [plan, wrong]) {
        const isDone = ({ mistakes }) => mistakes.join() === (done === plan ? "" : `frequencies-${stored}`);
        const look = (positions) =>
          ask(vectors(done, positions, { type: "bfloat16", heads: 8 }).samples(), expectedOf(plan));
        const near = look(range(16));
        holds(near, isDone);
        if (near.verdict === "certain") continue;
        const next = look(near.next);
        assert.ok(next.explanations.length < near.explanations.length, next.text);
        holds(next, isDone);
      }
    });
  }

const sections = { type: "mrope", mrope_section: [2, 3, 3] };
const qwen2 = { model_type: "qwen2_vl", ...shape, rope_theta: 1e6, rope_scaling: sections };
test("A3: text alone does not show whether sections are read: ids with axes that differ would tell", () => {
  const model = pe.model(qwen2);
  const made = vectors({ dim: 16, base: 1e6 }, range(12)).samples();
  const ids = { data: [...range(12), ...range(12), ...range(12)], shape: [3, 12] };
  for (const positions of [range(12), ids])
    for (const expected of [
      { model, layer: 0 },
      { dim: 16, base: 1e6, layout: "half", mrope: { sections: [2, 3, 3], order: "chunked" } },
    ]) {
      const answer = ask({ ...made, positions }, expected);
      ambiguous(answer, "", "axis-missing");
      assert.ok(answer.tells.includes("axes"), String(answer.tells));
    }
});

test("A4: heads rotated by their index are the wrong axis alone: the offset is right", () => {
  for (const [heads, first, dim] of [
    [8, 100, 64],
    [4, 7, 16],
    [8, 2000, 128],
  ]) {
    const made = vectors({ dim }, [first], { heads, change: { byHead: first } }).samples();
    certain(ask(made, expectedOf({ dim })), "sequence-axis");
    for (const key of ["before", "after"]) made[key].shape = [1, 1, heads, dim];
    certain(ask({ ...made, seqAxis: 1 }, expectedOf({ dim })), "sequence-axis");
  }
});

/** Vectors that a grid rotates. */
function onGrid(options, at) {
  const rotary = pe.rotaryGrid(options);
  const tokens = at.grid.reduce((a, b) => a * b, 1) + (at.prefixTokens ?? 0) + (at.suffixTokens ?? 0);
  const before = Float32Array.from(range(tokens * 2 * options.dim), random);
  const own = [tokens, 2, options.dim];
  const after = rotary.apply(before.slice(), { shape: own, seqAxis: 0, ...at });
  return { before: { data: before, shape: own }, after: { data: after, shape: own }, seqAxis: 0 };
}
const gridOf = (options, at) => ({ type: "rotaryGrid", ...options, ...at });

test("A5: each option of an expected grid is what may differ, before another preset", () => {
  for (const preset of ["wan", "pixtral", "rope-vit"]) {
    const grid = preset === "wan" ? [2, 3, 4] : [3, 4];
    const own = { preset, dim: preset === "wan" ? 64 : 32 };
    for (const start of [2, 3, 0.5])
      for (const [meant, done] of [
        [{ start }, { start: 0 }],
        [{ start: 0 }, { start }],
      ])
        certain(ask(onGrid({ ...own, ...done }, { grid }), gridOf({ ...own, ...meant }, { grid })), "first-position");
    certain(ask(onGrid({ ...own, base: 1000 }, { grid }), gridOf(own, { grid })), "base");
    const unlisted = ask(onGrid({ ...own, base: 777 }, { grid }), gridOf(own, { grid }));
    assert.deepEqual([unlisted.verdict, namesOf(unlisted)[0]], ["likely", "base"], unlisted.text);
  }
  const own = { preset: "qwen2-vl", dim: 32 };
  for (const [a, b] of [
    [1, 2],
    [2, 1],
  ]) {
    const answer = ask(
      onGrid({ ...own, mergeSize: a }, { grid: [4, 6] }),
      gridOf({ ...own, mergeSize: b }, { grid: [4, 6] }),
    );
    assert.ok(["certain", "ambiguous"].includes(answer.verdict) && namesOf(answer).includes("cell-order"), answer.text);
  }
});

const llama3 = (factor, originalLength = 8192) => ({ type: "llama3", factor, originalLength });
const yarn = (factor, originalLength) => ({ type: "yarn", factor, originalLength, attentionFactor: 1 });
const families = {
  "Llama 3 and 3.1": [undefined, llama3(8)],
  "Llama 3.2 and 3.1": [llama3(32), llama3(8)],
  "YaRN from 32768 and from 40960": [yarn(4, 32768), yarn(4, 40960)],
  "YaRN by 4 and by 8": [yarn(4, 32768), yarn(8, 32768)],
};
for (const [name, [a, b]] of Object.entries(families))
  for (const type of ["bfloat16", "float16"])
    test(`A6: ${name}, ${type}: near 0 the truth or open, far away it shows`, () => {
      for (const [meant, done] of [
        [a, b],
        [b, a],
        [a, a],
      ]) {
        const plans = [meant, done].map((rule) => ({ dim: 64, base: 500000, ...(rule && { rule }) }));
        const { type: name = "default", ...numbers } = done ?? {};
        const isDone = ({ found: { plan }, mistakes }) =>
          (mistakes.length === 0) === (meant === done) &&
          (plan.scaling?.type ?? "default") === name &&
          ["factor", "originalLength"].every((key) => plan.scaling?.[key] === numbers[key]);
        const look = (positions, heads) =>
          ask(vectors(plans[1], positions, { type, heads }).samples(), expectedOf(plans[0]));
        holds(look(range(8), 2), isDone);
        const far = look([0, 5, 700, 9001, 40000, 90001, 123456], 4);
        holds(far, isDone);
        assert.equal(namesOf(far).includes(""), meant === done, far.text);
      }
    });

test("A7: what a sample cannot show is not certain: few distances, one cell, a length of training", () => {
  const table = { data: Float32Array.from(range(64), random), shape: [32, 2] };
  const t5 = { table, buckets: 32, bidirectional: true };
  const bias = pe.t5({ ...t5, maxDistance: 128, queries: 8, keys: 8, form: "full" });
  for (const maxDistance of [20, 64, 128, 256]) {
    const answer = ask({ bias }, { type: "t5", ...t5, maxDistance });
    ambiguous(answer, "", "buckets");
    assert.ok(answer.next.length > 0 && answer.next.every((distance) => Math.abs(distance) > 7), String(answer.next));
  }
  for (const preset of ["wan", "cogvideox"]) {
    const own = { preset, dim: 64 };
    const one = ask(onGrid(own, { grid: [1, 1, 1] }), gridOf(own, { grid: [1, 1, 1] }));
    ambiguous(one, "");
    assert.ok(one.tells.includes("grid"), String(one.tells));
  }
  const dynamic = { dim: 16, rule: { type: "dynamic", factor: 4, originalLength: 2048 }, length: 2048 };
  assert.ok(!isAsExpected(ask(vectors(dynamic, range(8)).samples(), expectedOf(dynamic))));
});

test("A8: queries without their temperature are not called of another factor alone", () => {
  const yarned = { rope_type: "yarn", factor: 16, original_max_position_embeddings: 16384, rope_theta: 1e6 };
  const rope_parameters = { ...yarned, llama_4_scaling_beta: 0.1, mscale: 1, mscale_all_dim: 1 };
  const own = { ...shape, model_type: "ministral3", head_dim: 16, max_position_embeddings: 262144 };
  const model = pe.model({ ...own, rope_parameters });
  const rotary = pe.rotary(model.plans[0].rotary);
  for (const first of [20000, 40000, 100000]) {
    const given = by(rotary, vectors({ dim: 16 }, range(8, first)), range(8, first));
    const answer = ask(given, { model, layer: 0, queries: true });
    assert.ok(namesOf(answer).includes("temperature-missing"), answer.text);
  }
});

for (const [name, own] of Object.entries({
  Whisper: { preset: "whisper" },
  fairseq: { preset: "tensor2tensor", paddingIdx: 1 },
}))
  test(`A9: a table of ${name}'s kind by the paper's exponent: no sentence of heads or rotation`, () => {
    const { paddingIdx } = own;
    const table = pe.sinusoidal({ dim: 32, length: 40, order: "split" });
    if (paddingIdx !== undefined) table.data.fill(0, paddingIdx * 32, (paddingIdx + 1) * 32);
    const answer = ask({ table }, { type: "sinusoidal", dim: 32, ...own });
    assert.equal(answer.verdict, "certain", answer.text);
    assert.match(namesOf(answer)[0], /^exponent-[a-z-]+$/);
    assert.doesNotMatch(answer.text, /\bheads?\b|rotat/);
  });

const inputs = {
  integers: () => Math.round(4 * random()),
  halves: () => Math.round(4 * random()) / 2,
  ones: () => 1,
  range: (at) => at,
};
const bits = (count) => (x) => Math.round(x * 2 ** count) / 2 ** count;
/** Ways to be wrong by far more than float32: values are changed, or the computation; then there is a name. */
const wrongs = {
  "noise of 1e-2": [{}, (after) => after.map((x) => x + 0.01 * random())],
  "one value off by a tenth": [{}, (after) => after.map((x, at) => (at === 37 ? 1.1 * x + 0.01 : x))],
  "angles in bfloat16": [{ arithmetic: "bfloat16", isFree: false }, undefined, "angles-bfloat16"],
  "base 10100": [{ base: 10100 }, undefined, "base"],
  "cosines in bfloat16": [{ table: "bfloat16" }, undefined, "cosines-bfloat16"],
  "cosines in float16": [{ table: "float16" }, undefined, "cosines-float16"],
};
for (const [kind, input] of Object.entries({ ...inputs, "bfloat16's": () => types.bfloat16.round(random()) }))
  for (const [way, [change, damage, name]] of Object.entries(wrongs))
    test(`A10: inputs of ${kind}, ${way}: noise follows from the results' type`, () => {
      const plan = { dim: 32 };
      const made = vectors(plan, range(9, 5), { input, change });
      if (damage) made.after.set(damage(made.after));
      for (const dtype of [undefined, "float32"]) {
        const { before, after, ...rest } = made.samples();
        const answer = ask({ ...rest, before: { ...before, dtype }, after: { ...after, dtype } }, expectedOf(plan));
        if (name) assert.ok(namesOf(answer).includes(name) && !isAsExpected(answer), answer.text);
        else assert.equal(answer.verdict, "none", answer.text);
      }
    });

test("A10: activations of bfloat16 in float32 arrays: coarse sines, pairs a position on, another base in a head", () => {
  const plan = { dim: 128, base: 500000 };
  const input = () => types.bfloat16.round(random());
  const right = vectors(plan, range(8, 3), { heads: 8, input });
  const again = (change) =>
    simulated(
      { ...computation(plan), ...change },
      { tokens: 8, heads: 8, dim: 128, before: right.before, positions: [range(8, 3)] },
      "float32",
    );
  certain(ask(right.samples(), expectedOf(plan)));
  const mixed = (other, where) =>
    right.after.map((x, at) => (where(Math.floor(at / 128) % 8, at % 64) ? other[at] : x));
  const round = bits(8);
  types.coarse = { ...types.float32, round };
  for (const [after, isNone] of [
    [again({ table: "coarse" }), true],
    [mixed(again({ offset: 1 }), (_, pair) => pair >= 32), true],
    [mixed(again({ base: 505000 }), (head) => head === 3), true],
  ]) {
    const answer = ask({ ...right.samples(), after: tensor(after, right.shape) }, expectedOf(plan));
    if (isNone) assert.equal(answer.verdict, "none", answer.text);
    assert.ok(!answer.departs || answer.departs.heads.length > 0);
  }
  delete types.coarse;
});

const isPlain = ({ explanations: [first] }, base) =>
  first.found.plan.base === base && (first.found.plan.scaling?.type ?? "default") === "default";
for (const step of [16, 32, 100, 1000])
  test(`A11: nothing expected, positions ${step} apart: the plain law, and none of rates 2 pi / ${step} away`, () => {
    for (const [dim, base] of [
      [128, 10000],
      [64, 500000],
      [32, 10000],
    ])
      for (const type of ["float32", "bfloat16"]) {
        const oneHot = (at) => Number(at % dim === (7 * Math.floor(at / dim)) % dim);
        for (const input of type === "float32" ? [random, oneHot] : [random]) {
          const answer = ask(vectors({ dim, base }, range(8, 0, step), { type, input, heads: 8 }).samples());
          const isKnown = answer.explanations.length > 0 && isPlain(answer, base);
          assert.ok(
            isKnown || !["certain", "none"].includes(answer.verdict),
            `${dim}, ${base}, ${type}: ${answer.text}`,
          );
        }
        if (type === "float32") assert.ok(isPlain(ask(cacheOf({ dim, base }, range(8, 0, step))), base));
      }
  });

for (const [dim, first, tokens] of [
  [16, 4000, 40],
  [128, 30000, 8],
  [128, 100000, 40],
])
  test(`A12: nothing expected, bfloat16, dim ${dim} from ${first} on: the plain law and not its mirror image`, () => {
    const answer = ask(vectors({ dim }, range(tokens, first), { type: "bfloat16" }).samples());
    assert.ok(isPlain(answer, 10000), answer.text);
    assert.deepEqual([answer.explanations[0].found.inverse, answer.explanations[0].found.exchanged], [false, false]);
  });

test("A13: rates of no law are the smallest that fit, and not certain: they are known up to whole turns", () => {
  for (const frequencies of [
    [1, 0.5, 0.3, 0.01],
    [0.9, 0.02, 0.01, 0.3],
  ]) {
    const plan = { dim: 8, rule: { type: "given", frequencies } };
    for (const made of [vectors(plan, range(8)).samples(), cacheOf(plan, range(8))]) {
      const answer = ask(made);
      assert.notEqual(answer.verdict, "certain", answer.text);
      const { scaling } = answer.explanations[0].found.plan;
      assert.ok(
        frequencies.every((rate, i) => Math.abs(scaling.frequencies[i] - rate) < 1e-4),
        answer.text,
      );
    }
  }
});

test("A14: where more than one axis may be the dimensions, none is taken", () => {
  for (const own of [
    [1, 2, 6, 64],
    [6, 2, 64],
  ]) {
    const ones = Float32Array.from(range(own.reduce((a, b) => a * b)), () => 1);
    const before = { data: ones, shape: own };
    const after = { data: ones.map((x) => 1.2015 * x), shape: own };
    try {
      const answer = ask({ before, after, positions: range(6) });
      assert.notEqual(answer.verdict, "certain", answer.text);
    } catch (error) {
      assert.match(error.message, /dimAxis|seqAxis/);
    }
  }
});

test("A16: positions of a table count once, or are refused where they are given twice", () => {
  const expected = { type: "sinusoidal", dim: 16, positions: range(4, 1) };
  const read = (first) =>
    ask({ table: pe.sinusoidal({ dim: 16, positions: range(4, first) }), positions: range(4, 1) }, expected);
  try {
    certain(read(1));
    certain(read(2), "first-position");
  } catch (error) {
    if (error.code === "ERR_ASSERTION") throw error;
    assert.match(error.message, /positions/);
  }
});

test("under none there is no explanation and no remedy, and nothing empty is printed", () => {
  const plan = { dim: 16 };
  const made = vectors(plan, range(12));
  made.after[5] += 0.4;
  for (const language of ["en", "zh"]) {
    const answer = ask(made.samples(), expectedOf(plan), { language });
    assert.deepEqual([answer.verdict, answer.explanations], ["none", []]);
    assert.deepEqual(answer.departs, { tokens: [0], heads: [0], pairs: [5] });
    assert.doesNotMatch(answer.text, /undefined|NaN| {2}|[(:] *[.)]/);
  }
  assert.equal("bits" in ask(vectors(plan, range(12)).samples(), expectedOf(plan)).explanations[0], false);
});

test("a sentence names the number that differs, as it is and as it should be", () => {
  const meant = { dim: 64, base: 1e6, rule: { type: "yarn", factor: 4, originalLength: 32768 } };
  for (const [key, value, words] of [
    ["originalLength", 40960, /40960.*32768/],
    ["factor", 8, /8.*4/],
    ["truncate", false, /trunc|whole/],
  ]) {
    const done = { ...meant, rule: { ...meant.rule, [key]: value } };
    const answer = ask(vectors(done, spread).samples(), expectedOf(meant));
    assert.match(namesOf(answer)[0], /^scaling-other/);
    assert.match(answer.text, words);
  }
});

test("positions that were found are printed; they are read as far as frequencies tell, and it is said how far", () => {
  const plan = { dim: 64, base: 500000 };
  const done = [0, 3, 900, 5000, 9000, 20000, 31000];
  const answer = ask({ ...vectors(plan, done).samples(), positions: range(7) }, expectedOf(plan));
  assert.deepEqual([answer.verdict, namesOf(answer)[0]], ["likely", "positions-other"], answer.text);
  assert.deepEqual(answer.explanations[0].found.positions.values, done);
  assert.match(answer.text, /20000/);
  assert.ok(answer.readTo >= 31000);
});

test("a layer that was taken by default is said, and one that does not rotate can be expected", () => {
  const own = { ...shape, model_type: "smollm3", max_position_embeddings: 4096 };
  const model = pe.model({ ...own, rope_theta: 10000, no_rope_layer_interval: 4 });
  const made = vectors({ dim: 16 }, range(8));
  try {
    assert.match(ask(made.samples(), { model }).text, /[Ll]ayer 0/);
  } catch (error) {
    if (error.code === "ERR_ASSERTION") throw error;
    assert.match(error.message, /expected\.layer/);
  }
  const still = tensor(made.before, made.shape);
  certain(ask({ ...made.samples(), after: still }, { model, layer: 3 }));
  const answer = ask(made.samples(), { model, layer: 3 });
  assert.ok(["certain", "ambiguous"].includes(answer.verdict) && !namesOf(answer).includes(""), answer.text);
});

test("a window at one position is constant; sines of the next row and an exponent by dimension have names", () => {
  const plan = { dim: 32 };
  const constant = ask({ ...vectors(plan, Array(8).fill(40)).samples(), positions: range(8, 40) }, expectedOf(plan));
  assert.ok(namesOf(constant).includes("positions-constant"), constant.text);
  assert.ok(!namesOf(constant)[0].includes("positions-restarted"), constant.text);
  certain(ask(vectors(plan, spread, { change: { sineRow: 1 } }).samples(), expectedOf(plan)), "sine-rows");
  const data = range(40 * 16).map((at) =>
    [Math.sin, Math.cos][at % 2](Math.floor(at / 16) * 10000 ** (-(at % 16) / 16)),
  );
  certain(ask({ table: tensor(data, [40, 16]) }, { type: "sinusoidal", dim: 16 }), "exponent-by-dim");
});

/** Values as quantised caches give them back. */
const quantised = {
  q8_0(values) {
    const out = new Float32Array(values.length);
    for (let from = 0; from < values.length; from += 32) {
      const block = values.slice(from, from + 32);
      const d = types.float16.round(Math.max(...block.map(Math.abs)) / 127);
      for (const [k, x] of block.entries()) out[from + k] = d * Math.round(x / d);
    }
    return out;
  },
  "fp8-e4m3": (values) => Float32Array.from(values, (x) => digits(x, 4, -9)),
  "fp8-e5m2": (values) => Float32Array.from(values, (x) => digits(x, 3, -16)),
};
const digits = (x, count, least) => {
  const step = 2 ** Math.max(Math.floor(Math.log2(Math.abs(x) || 1)) - count + 1, least);
  return Math.round(x / step) * step;
};
for (const [form, of] of Object.entries(quantised))
  test(`keys of ${form} have its noise: right ones are not refused, wrong ones not right`, () => {
    const plan = { dim: 64 };
    for (const [change, name] of [
      [{}, ""],
      [{ inverse: true }, "sign"],
      [{ base: 500000 }, "base"],
    ]) {
      const made = vectors({ ...plan, ...change }, spread, { heads: 8 });
      const samples = made.samples();
      samples.after = { data: of(made.after), shape: made.shape, quantized: form };
      const answer = ask(samples, expectedOf(plan));
      assert.ok(["certain", "ambiguous"].includes(answer.verdict) && namesOf(answer).includes(name), answer.text);
      if (name) assert.ok(!namesOf(answer).includes(""), answer.text);
    }
  });

test("grids: registers behind for in front; a longer side normalised; other dims an axis", () => {
  const own = { preset: "dinov3", dim: 32 };
  const answer = ask(onGrid(own, { grid: [3, 4], suffixTokens: 2 }), gridOf(own, { grid: [3, 4], prefixTokens: 2 }));
  assert.ok(["certain", "ambiguous"].includes(answer.verdict) && !namesOf(answer).includes(""), answer.text);
  const wan = { preset: "wan", dim: 64 };
  const dims = { ...wan, dims: [16, 24, 24] };
  const sections = ask(onGrid(dims, { grid: [2, 3, 4] }), gridOf(wan, { grid: [2, 3, 4] }));
  certain(sections, "axis-dims");
});

test("what no list has is likely at most: a restart without a name, a factor beside another rule, doubled ids", () => {
  const half = { dim: 64, base: 10000, layout: "half" };
  const linear = { dim: 64, base: 10000, rule: { type: "linear", factor: 4 } };
  const moved = (positions) => ({ ...vectors(half, positions).samples(), positions: range(12) });
  const restarted = ask(moved([0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 7, 8]), half);
  assert.deepEqual([restarted.verdict, namesOf(restarted)], ["likely", ["positions-other"]]);
  certain(ask(moved([0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 3]), half), "positions-restarted");
  const scaled = vectors(linear, range(12), { change: { gain: 1.37 } }).samples();
  const factor = ask(scaled, { ...half, scaling: { type: "ntk", factor: 4 } });
  assert.deepEqual([factor.verdict, namesOf(factor)], ["likely", ["scaling-other + factor-other"]]);
  const segments = [{ text: 3 }, { image: [1, 4, 4] }, { text: 2 }];
  const { positions } = pe.mropePositions({ preset: "qwen2-vl", segments });
  const ids = { data: positions.data.map((id) => 2 * id), shape: positions.shape };
  const doubled = pe.diagnose({ ids, segments }, { expected: { type: "ids", preset: "qwen2-vl" } });
  assert.deepEqual([doubled.verdict, doubled.explanations], ["none", []]); // ids are not rotated again
});

test("one-hot vectors that did not move are not rotated; with nothing expected other inputs would tell", () => {
  const input = (at) => Number(at % 64 === (7 * Math.floor(at / 128)) % 64);
  const { before } = vectors({ dim: 64 }, range(12), { input }).samples();
  const unmoved = { before, after: before, positions: range(12), seqAxis: 0 };
  certain(ask(unmoved, { dim: 64, layout: "half" }), "not-rotated");
  ambiguous(pe.diagnose(unmoved), "not-rotated");
});

test("nothing expected: NTK is a dynamic rule at one length, and cast frequencies are said", () => {
  const plan = { dim: 64, base: 10000, rule: { type: "ntk", factor: 4 } };
  const { verdict, tells } = pe.diagnose(vectors(plan, range(16, 0, 37)).samples());
  assert.deepEqual([verdict, tells], ["ambiguous", ["length"]]);
  const cast = simulatedRates(computation({ dim: 64 }), "float32").map(types.bfloat16.round);
  const answer = pe.diagnose({ frequencies: tensor(cast, [32]) });
  certain(answer);
  assert.match(answer.text, /^32 frequencies \(radians\), base 10000, frequencies rounded to bfloat16\./);
});

test("the judge's own numbers are those of the library", () => {
  for (const rule of [...Object.values(families).flat(), { type: "ntk", factor: 4 }, { type: "linear", factor: 8 }]) {
    const plan = { dim: 64, base: 500000, ...(rule && { rule }) };
    const { before, after } = by(pe.rotary(expectedOf(plan)), vectors(plan, spread), spread);
    const data = { before: before.data, after: after.data };
    const sample = { tokens: 8, heads: 2, dim: 64, ...data, positions: [spread], type: "float32" };
    assert.equal(misfit(computation(plan), sample), null);
  }
});
