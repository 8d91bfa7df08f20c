// A trained model is asked for tests, weights of attention, text; what tokens mean; and what is refused, by its name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/lab";
import { testWrongCalls } from "../testing/testing.mjs";

const lab = await load();

const options = {
  task: { type: "induction", shortest: 3, longest: 6, symbols: 4 },
  encoding: { type: "rope", base: 500 },
  model: { layers: 2, width: 16, heads: 4 },
  optimizer: { steps: 60, batch: 16, rate: 0.01, warmUp: 5 },
  stretch: 4,
  seed: 3,
};
const training = lab.training(options);
training.step(60);

test("tests are longer than what was trained on, always the same, and change nothing", () => {
  const { values } = training.checkpoint();
  const made = training.evaluate({ n: 24, sequences: 32 });
  assert.deepEqual(training.evaluate({ n: 24, sequences: 32 }), made);
  assert.equal(made.asked, 32);
  assert.notEqual(made.loss, training.evaluate({ sequences: 32 }).loss);
  assert.deepEqual(training.evaluate({}), training.evaluate({ n: 6, sequences: 256, encoding: options.encoding }));
  assert.deepEqual(training.checkpoint().values, values);
  const other = lab.training({ ...options, seed: 4 });
  other.restore({ ...training.checkpoint(), step: 1 });
  assert.deepEqual(other.evaluate({ n: 24, sequences: 32 }), made, "the same for all seeds");
});

test("a trained model is tested with another scaling rule, another base, a map of positions, or none", () => {
  const loss = (encoding) => training.evaluate({ n: 24, sequences: 32, encoding }).loss;
  const rope = { type: "rope", base: 500 };
  const same = loss(undefined);
  assert.equal(loss(rope), same);
  assert.equal(loss({ ...rope, map: { type: "rerope", window: 100 } }), same, "a window as large as all");
  const others = [
    { type: "rope" },
    { ...rope, rotated: 0.5 },
    { ...rope, scaling: { type: "linear", factor: 4 } },
    { ...rope, scaling: { type: "yarn", factor: 4, originalLength: 7 } },
    { ...rope, map: { type: "self-extend", window: 4, group: 4 } },
    { ...rope, map: { type: "leaky-rerope", window: 4, factor: 8 } },
    { type: "none" },
    { type: "alibi" },
  ].map(loss);
  assert.equal(new Set([same, ...others]).size, others.length + 1, "each another number");
});

test("rotations dropped: a training without them goes on from the checkpoint of one with them (DroPE)", () => {
  const dropped = lab.training({
    ...options,
    encoding: { type: "none" },
    optimizer: { ...options.optimizer, steps: 80 },
  });
  dropped.restore(training.checkpoint());
  const asked = { n: 24, sequences: 32 };
  assert.deepEqual(dropped.evaluate(asked), training.evaluate({ ...asked, encoding: { type: "none" } }));
  const before = dropped.evaluate().loss;
  dropped.step(20);
  assert.ok(dropped.evaluate().loss < before, "what is left is calibrated");
});

test("weights of attention: a query a row that sums to 1, none for keys that come later", () => {
  const tokens = [1, 2, 0, 3, 1];
  const { data, shape } = training.attention(tokens);
  assert.deepEqual(shape, [2, 4, 5, 5]);
  for (let row = 0; row < data.length / 5; ++row) {
    const weights = data.subarray(5 * row, 5 * row + 5);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    assert.ok(Math.abs(sum - 1) < 1e-6, `${sum}`);
    weights.forEach((weight, key) => {
      assert.ok(key > row % 5 ? weight === 0 : weight > 0);
    });
  }
  assert.deepEqual(training.attention(Int32Array.from(tokens)).data, data);
  // Later tokens change nothing of the earlier ones.
  const shorter = training.attention(tokens.slice(0, 4));
  for (let head = 0; head < 8; ++head)
    for (let query = 0; query < 4; ++query)
      for (let key = 0; key < 4; ++key) {
        const difference = shorter.data[(4 * head + query) * 4 + key] - data[(5 * head + query) * 5 + key];
        assert.ok(Math.abs(difference) < 1e-6);
      }
  const free = lab.training({ ...options, model: { width: 16, heads: 4, causal: false } });
  assert.ok(free.attention(tokens).data.every((weight) => weight > 0));
});

test("generated tokens depend on the seed alone; at temperature 0 they are the likeliest", () => {
  const more = { count: 12, temperature: 2 };
  const one = training.generate([0, 1, 2], { ...more, seed: 1 });
  assert.equal(one.length, 12);
  assert.ok(one.every((token) => Number.isInteger(token) && token >= 0 && token < training.words.length));
  assert.deepEqual(training.generate([0, 1, 2], { ...more, seed: 1 }), one);
  assert.notDeepEqual(training.generate([0, 1, 2], { ...more, seed: 2 }), one);
  assert.deepEqual(training.generate([0, 1, 2], { count: 5, temperature: 2, seed: 1 }), one.slice(0, 5));
  const [likeliest] = training.generate([0, 1, 2], { count: 1, temperature: 0 });
  for (const seed of [1, 2, 3]) {
    for (const temperature of [0, 1e-320])
      assert.deepEqual(training.generate([0, 1, 2], { count: 1, temperature, seed }), [likeliest]);
    assert.deepEqual(training.generate([0, 1, 2], { count: 1, temperature: 1e-4, seed }), [likeliest]);
  }
  // The window is as long as the longest example, which has one token more than n.
  const long = [3, 3, 3, 0, 1, 2, 0, 1, 2, 1];
  const wanted = training.generate(long, { count: 3 });
  assert.deepEqual(training.generate(long, { count: 3, window: 7, temperature: 1, seed: 0 }), wanted);
  assert.deepEqual(training.generate(long.slice(3), { count: 3 }), wanted);
  assert.deepEqual(training.generate(long, { count: 0 }), []);
});

test("words become tokens and tokens words", () => {
  assert.deepEqual(training.decode(training.encode("b a  d")), "b a d");
  assert.deepEqual(training.encode(training.words.join(" ")), [...training.words.keys()]);
  assert.deepEqual(training.encode(""), []);
  assert.equal(training.decode([]), "");
});

test("the characters of a text become tokens, rare ones of many the same", () => {
  const text = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich \u{1F98A}. ".repeat(6);
  const letters = lab.training({ task: { type: "text", text }, encoding: { type: "alibi" }, model: { width: 4 } });
  assert.equal(letters.decode(letters.encode("über \u{1F98A}")), "über \u{1F98A}");
  assert.throws(() => letters.encode("große\n"), {
    name: "RangeError",
    message: /^text: "\\n", expected what there is/,
  });
  assert.equal(letters.options.task.text, text);
  // More different ones than there are tokens, the first of them twice as often.
  const all = Array.from({ length: 1500 }, (_, i) => String.fromCodePoint(0x4e00 + i));
  const many = lab.training({
    task: { type: "text", text: [...all, ...all.slice(0, 1000)].join("") },
    encoding: { type: "none" },
    model: { width: 4 },
  });
  assert.equal(many.words.length, 1025);
  const unknown = many.words.indexOf("\uFFFD");
  assert.ok(unknown >= 0);
  assert.deepEqual(many.encode(`${all[1499]}x`), [unknown, unknown]);
  assert.equal(many.decode(many.encode(all[5] + all[1499])), `${all[5]}\uFFFD`);
});

const make = (changes) => () => lab.training({ ...options, ...changes });
const task = (more) => make({ task: { ...options.task, ...more } });
const encoding = (more) => make({ encoding: { ...options.encoding, ...more } });

testWrongCalls([
  [() => lab.training(), TypeError, "training: undefined, expected an object of options"],
  [() => lab.training({}), TypeError, "task: undefined, expected an object of options"],
  [() => lab.training({ task: options.task }), TypeError, "encoding: undefined, expected an object of options"],
  [make({ optimiser: {} }), TypeError, "training.optimiser: [object Object], expected optimizer (or one of task,"],
  [task({ type: undefined }), TypeError, "task.type: undefined, expected the name of a task; it has no default"],
  [task({ type: "ordre" }), RangeError, 'task.type: "ordre", expected "order" (or one of "order", "roles"'],
  [task({ longest: 2 }), RangeError, "task.longest: 2, expected a whole number from 3 to"],
  [task({ shortest: 1.5 }), RangeError, "task.shortest: 1.5, expected a whole number"],
  [task({ symbols: "4" }), TypeError, 'task.symbols: "4", expected a number'],
  [task({ text: 5 }), TypeError, "task.text: 5, expected a string"],
  [task({ type: "back", distance: 3 }), RangeError, "task.distance: 3, expected a whole number from 1 to 2"],
  [task({ type: "text" }), RangeError, "task.text: 0 characters, expected 70 to"],
  [task({ type: "text", text: "abc" }), RangeError, "task.text: 3 characters, expected 70 to"],
  [task({ symbol: 3 }), TypeError, "task.symbol: 3, expected symbols (or one of type, shortest"],
  [encoding({ type: undefined }), TypeError, "encoding.type: undefined, expected the name of an encoding; it has no"],
  [encoding({ type: "rop" }), RangeError, 'encoding.type: "rop", expected "rope" (or one of "none", "sinusoid"'],
  [encoding({ base: 0 }), RangeError, "encoding.base: 0, expected"],
  [encoding({ rotated: 0 }), RangeError, "encoding.rotated: 0, expected a number > 0, at most 1"],
  [encoding({ scaling: { type: "yarm" } }), RangeError, 'encoding.scaling.type: "yarm", expected "yarn" (or one of'],
  [encoding({ scaling: { type: "linear", factor: 0 } }), RangeError, "encoding.scaling.factor: 0, expected"],
  [encoding({ scaling: { type: "linear" } }), TypeError, "encoding.scaling.factor: undefined, expected a number"],
  [encoding({ map: { type: "rerope", window: 3 } }), RangeError, "encoding.map: given, expected none"],
  [encoding({ map: { type: "x" } }), RangeError, 'encoding.map.type: "x", expected one of "self-extend"'],
  [encoding({ type: "t5", buckets: 3 }), RangeError, "encoding.buckets: 3, expected a whole number from 4 to 4096"],
  [encoding({ type: "learned", rows: 3 }), RangeError, "encoding.rows: 3, expected at least"],
  [encoding({ type: "fire", hidden: 0 }), RangeError, "encoding.hidden: 0, expected"],
  [make({ model: { layers: 9 } }), RangeError, "model.layers: 9, expected a whole number from 1 to 8"],
  [make({ model: { width: 18, heads: 4 } }), RangeError, "model.width: 18, expected a multiple of 2 * heads, 8"],
  [make({ model: { dropout: 1 } }), RangeError, "model.dropout: 1, expected a number from 0 to 0.9"],
  [make({ model: { causal: 1 } }), TypeError, "model.causal: 1, expected true or false"],
  [make({ model: null }), TypeError, "model: null, expected an object of options"],
  [make({ optimizer: { rate: -1 } }), RangeError, "optimizer.rate: -1, expected a number > 0, at most 1"],
  [make({ optimizer: { batch: 0 } }), RangeError, "optimizer.batch: 0, expected a whole number from 1 to 4096"],
  [make({ sampling: "shuffled" }), RangeError, 'sampling: "shuffled", expected one of "plain", "offset", "random"'],
  [make({ stretch: 65 }), RangeError, "stretch: 65, expected a whole number from 1 to 64"],
  [make({ seed: -1 }), RangeError, "seed: -1, expected a whole number from 0 to 4294967295"],
  [task({ longest: 2 ** 20 }), RangeError, "memory: "],
  [task({ longest: 2 ** 16 }), RangeError, "memory: "],
  [() => training.evaluate({ n: 25 }), RangeError, "n: 25, expected a whole number from 1 to 24"],
  [() => training.evaluate({ sequences: 0 }), RangeError, "sequences: 0, expected a whole number from 1 to 1048576"],
  [() => training.evaluate({ encoding: {} }), TypeError, "encoding.type: undefined, expected the name of an encoding"],
  [() => training.evaluate({ encoding: { type: "t5" } }), RangeError, "encoding.type: t5, expected an encoding that"],
  [
    () => training.evaluate({ encoding: { type: "rope", map: { type: "rerope" } } }),
    RangeError,
    "encoding.map.window: NaN, expected",
  ],
  [() => training.evaluate({ out: 1 }), TypeError, "evaluate.out: 1, expected"],
  [() => training.attention([]), RangeError, "tokens: 0, expected at least one"],
  [() => training.attention([0, 99]), RangeError, "tokens: 99, expected whole numbers below"],
  [() => training.attention([0, 0.5]), RangeError, "tokens[1]: 0.5, expected a whole number"],
  [() => training.attention("abc"), TypeError, 'tokens: "abc", expected an array of numbers'],
  [() => training.attention({ data: new Int32Array(2), shape: [2] }), TypeError, "tokens: [object Object], expected"],
  [() => training.attention(Array(29).fill(0)), RangeError, "tokens: 29, expected a whole number from 1 to"],
  [() => training.generate([0]), TypeError, "generate: undefined, expected an object of options"],
  [() => training.generate([0], {}), TypeError, "count: undefined, expected a number"],
  [() => training.generate([], { count: 1 }), RangeError, "prompt: 0, expected at least one token"],
  [() => training.generate([0], { count: -1 }), RangeError, "count: -1, expected a whole number >= 0"],
  [() => training.generate([0], { count: 1, window: 0 }), RangeError, "window: 0, expected a whole number from 1"],
  [
    () => training.generate([0], { count: 1, temperature: -1 }),
    RangeError,
    "temperature: -1, expected a number from 0",
  ],
  [() => training.generate([0], { count: 1, seed: 0.5 }), RangeError, "seed: 0.5, expected a whole number"],
  [() => training.generate([0], { count: 1, out: new Int32Array(1) }), TypeError, "generate.out: [object Int32Array]"],
  [() => training.encode(5), TypeError, "text: 5, expected a string"],
  [() => training.encode("a z"), RangeError, 'text: "z", expected what there is in words'],
  [() => training.decode([0, 99]), RangeError, "tokens[1]: 99, expected a whole number below"],
  [() => training.decode(5), TypeError, "tokens: 5, expected an array of numbers"],
  [() => training.step(-1), RangeError, "count: -1, expected"],
  [() => training.step("1"), TypeError, 'count: "1", expected a number'],
  [() => training.shardGradient(-1), RangeError, "shard: -1, expected a whole number >= 0"],
  [() => training.update(), TypeError, "shards: undefined, expected an array of what shardGradient() gave"],
  [() => training.update([{}]), TypeError, "shards[0].gradient: undefined, expected a Float32Array"],
  [() => training.restore({}), TypeError, "step: undefined, expected a number"],
  [
    () => training.restore({ ...training.checkpoint(), secondMoments: new Float32Array(training.parameters).fill(-1) }),
    RangeError,
    "secondMoments[0]: -1, expected a number >= 0",
  ],
  [() => training.restore(null), TypeError, "checkpoint: null, expected an object of options"],
]);
