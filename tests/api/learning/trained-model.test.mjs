// A trained model is asked for tests, weights of attention, text; what tokens mean; and what is refused, by its name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/lab";
import { testWrongCalls } from "../testing/testing.mjs";

const lab = await load();

const options = {
  task: { type: "order", shortest: 3, longest: 6, symbols: 4 },
  encoding: { type: "rope", base: 500 },
  model: { layers: 2, width: 16, heads: 4 },
  optimizer: { steps: 60, batch: 16, rate: 0.01, warmUp: 5 },
  stretch: 4,
  seed: 3,
};
const training = lab.training(options);
training.step(60);

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

test("weights of attention come as [layers, heads, tokens, tokens], for any list of tokens", () => {
  const tokens = [1, 2, 0, 3, 1];
  const { data, shape } = training.attention(tokens);
  assert.deepEqual(shape, [2, 4, 5, 5]);
  data.forEach((weight, at) => {
    assert.equal(weight > 0, at % 5 <= Math.floor(at / 5) % 5);
  });
  assert.deepEqual(training.attention(Int32Array.from(tokens)).data, data);
});

test("tokens are generated with the defaults of the window, the temperature and the seed", () => {
  // The window is as long as the longest example, which has one token more than n.
  const long = [3, 3, 3, 0, 1, 2, 0, 1, 2, 1];
  const wanted = training.generate(long, { count: 3, window: 7, temperature: 1, seed: 0 });
  assert.deepEqual(training.generate(long, { count: 3 }), wanted);
  assert.deepEqual(training.generate(long.slice(3), { count: 3 }), wanted);
  assert.deepEqual(training.generate(long, { count: 0 }), []);
  const likeliest = training.generate(long, { count: 1, temperature: 0 });
  for (const temperature of [1e-4, 1e-320])
    assert.deepEqual(training.generate(long, { count: 1, temperature, seed: 3 }), likeliest);
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
  roles.options.task.type = "order";
  assert.equal(roles.stretch({ sequences: 1 }).length, 1, "whatever a caller does to the options that it sees");
  const cause = new Error("no encoding");
  const failing = () => {
    throw cause;
  };
  const wanted = { name: "TypeError", message: /^encoding: a function that throws at 1, expected/, cause };
  assert.throws(() => training.stretch({ encoding: failing }), wanted);
});

test("words become tokens and tokens words", () => {
  assert.deepEqual(training.decode(training.encode("b A  d")), "b A d");
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
  [() => lab.training({ task: options.task }), TypeError, "encoding: undefined, expected an object of options"],
  [make({ optimiser: {} }), TypeError, "training.optimiser: an object, expected optimizer (or one of task,"],
  [task({ type: undefined }), TypeError, 'task.type: undefined, expected one of "order", "roles", "back", "text"'],
  [task({ type: "ordre" }), RangeError, 'task.type: "ordre", expected "order" (or one of "order", "roles"'],
  [task({ text: 5 }), TypeError, "task.text: 5, expected a string"],
  [task({ symbol: 3 }), TypeError, "task.symbol: 3, expected symbols (or one of type, shortest"],
  [encoding({ type: undefined }), TypeError, 'encoding.type: undefined, expected one of "none", "sinusoid", "concat'],
  [encoding({ type: "rop" }), RangeError, 'encoding.type: "rop", expected "rope" (or one of "none", "sinusoid"'],
  [encoding({ scaling: { type: "yarm" } }), RangeError, 'encoding.scaling.type: "yarm", expected "yarn" (or one of'],
  [encoding({ map: { type: "x" } }), RangeError, 'encoding.map.type: "x", expected one of "self-extend"'],
  [make({ sampling: "shuffled" }), RangeError, 'sampling: "shuffled", expected one of "plain", "offset", "random"'],
  [task({ longest: 2 ** 20 }), RangeError, "memory: "],
  [task({ longest: 2 ** 16 }), RangeError, "memory: "],
  [
    () => training.evaluate({ encoding: { type: "rope", map: { type: "rerope" } } }),
    RangeError,
    "encoding.map.window: NaN, expected",
  ],
  [() => training.evaluate({ out: 1 }), TypeError, "evaluate.out: 1, expected"],
  [() => training.stretch({ length: 3 }), TypeError, "stretch.length: 3, expected"],
  [() => training.stretch({ lengths: [-1] }), RangeError, "lengths[0]: -1, expected"],
  [() => training.attention([0, 0.5]), RangeError, "tokens[1]: 0.5, expected a whole number"],
  [() => training.attention("abc"), TypeError, 'tokens: "abc", expected an array of numbers'],
  [() => training.attention({ data: new Int32Array(2), shape: [2] }), TypeError, "tokens: an object, expected"],
  [() => training.generate([0]), TypeError, "generate: undefined, expected an object of options"],
  [() => training.generate([0], { count: 1, out: new Int32Array(1) }), TypeError, "generate.out: [object Int32Array]"],
  [() => training.encode(5), TypeError, "text: 5, expected a string"],
  [() => training.encode("a z"), RangeError, 'text: "z", expected what there is in words'],
  [() => training.decode([0, 99]), RangeError, "tokens[1]: 99, expected a whole number below"],
  [() => training.decode(5), TypeError, "tokens: 5, expected an array of numbers"],
]);
