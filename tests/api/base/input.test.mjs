// Arguments are read once, for what they are: whatever it does while it is read, and says of itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { load as loadBasics } from "posenc";
import { fromNpy } from "posenc/npy";
import { load } from "posenc/tools";
import { makers } from "../testing/calls/calls.mjs";
import { Inputs } from "../testing/inputs.mjs";
import { processorClock } from "../testing/testing.mjs";

const pe = await load();
const small = await loadBasics();
const rope = pe.rotary({ dim: 4, layout: "half" });
const matrix = (rows, columns) => ({ data: new Float32Array(rows * columns), shape: [rows, columns] });

/** Each of these throws, with a message that begins so. */
function refused(call, name, start) {
  assert.throws(call, (error) => {
    assert.equal(error.name, name, error.message);
    assert.equal(error.message.slice(0, start.length), start);
    return true;
  });
}

/** Objects and lists through which every read is told, and so is every read of what they hold. */
function observed(value, onRead) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))) return value;
  const told = (trap) =>
    function tell(...args) {
      onRead();
      return observed(Reflect[trap](...args), onRead);
    };
  return new Proxy(value, { get: told("get"), has: told("has"), ownKeys: told("ownKeys") });
}

const calls = {
  apply: ({ rotary, x }, read) => rotary.apply(x(8), read({ shape: [2, 4], positions: [1, 2], seqAxis: 0 })),
  "apply with a list of a shape": ({ rotary, x }, read) =>
    rotary.apply(x(8), read({ shape: [2, 4], positions: { data: [1, 2], shape: [2] } })),
  step: ({ rotary, bufferOf }, read) => rotary.step(bufferOf(8), read({ shape: [2, 4], inverse: true })),
  cache: ({ rotary, x }, read) => rotary.cache(read({ positions: [1, 2], out: { cos: x(4), sin: x(4) } })),
  sinusoidal: ({ x }, read) => pe.sinusoidal(read({ out: x(8), positions: [4, 5], dim: 4, preset: "paper" })),
  frequencies: ({ x }, read) =>
    pe.add(read({ data: x(8), shape: [2, 4] }), read({ data: x(8), shape: [2, 4] }), read({ out: x(8) })),
  attention: ({ x }, read) => {
    const tensor = () => ({ data: x(4), shape: [2, 2] });
    return pe.attention(read({ query: tensor(), key: tensor(), value: tensor(), out: { output: x(4) } }));
  },
  adamStep: ({ x }, read) =>
    pe.adamStep(x(3), read({ gradient: x(3), firstMoment: x(3), secondMoment: x(3), lr: 1, step: 1, betas: [0, 0] })),
  reformerAxial: ({ x }, read) =>
    pe.reformerAxial(read({ tables: [1, 2].map(() => ({ data: x(4), shape: [2, 2] })), ids: [0, 3], out: x(8) })),
  rotateAgain: ({ rotary, x }, read) => pe.rotateAgain(x(8), read({ shape: [2, 4], from: rotary, to: rotary })),
  rotaryMatrix: ({ rotary, x }, read) => pe.rotaryMatrix(read({ rotary, position: 3, out: x(16) })),
};

/** A call at whose read number `at` something happens to what it was given; gives what it threw, or nothing. */
function disturbed(call, at, disturb) {
  const buffers = [];
  const bufferOf = (length) => {
    const made = pe.buffer(length);
    buffers.push(made);
    return made;
  };
  const rotary = pe.rotary({ dim: 4, layout: "half" });
  const given = { buffers, rotary, others: [] };
  let reads = 0;
  const read = (value) =>
    observed(value, () => {
      if (reads++ === at) disturb(given);
    });
  let thrown;
  try {
    call({ rotary, bufferOf, x: (length) => bufferOf(length).view }, read)?.delete?.();
  } catch (error) {
    thrown = error;
  }
  const damaged = given.others.some(({ view }) => view.some((value) => value !== 42));
  for (const made of [...buffers, ...given.others, rotary]) made.dispose();
  return { reads, thrown, damaged };
}

const disposals = {
  "its buffers, where others stand then": ({ buffers, others }) => {
    for (const { length } of buffers.map((made) => made.dispose() ?? made)) others.push(pe.buffer(length));
    for (const { view } of others) view.fill(42);
  },
  "its rotary, where others stand then": ({ rotary, others }) => {
    rotary.dispose();
    for (const length of [4, 12, 24, 48]) others.push(pe.buffer(length));
    for (const { view } of others) view.fill(42);
  },
};

for (const [name, call] of Object.entries(calls)) {
  for (const [what, dispose] of Object.entries(disposals)) {
    test(`${name}: at every read the caller disposes of ${what}`, () => {
      const { reads, thrown } = disturbed(call, Number.NaN, dispose);
      assert.equal(thrown, undefined);
      assert.ok(reads > 3);
      for (let at = 0; at < reads; ++at) {
        const { thrown, damaged } = disturbed(call, at, dispose);
        assert.ok(!damaged, `read ${at}: another buffer was written to`);
        if (thrown) assert.match(thrown.message, /^[\w.[\]]+: .*, expected .*still alive$/);
        const isUsed = what.includes("buffers") ? name !== "rotary" : /^(apply|step|cache|rota)/.test(name);
        assert.equal(thrown?.name, isUsed ? "TypeError" : undefined, `read ${at}`);
      }
    });
  }
}

test("what conversions of a caller's object would do is never asked", () => {
  const ask = () => assert.fail("asked");
  const object = { valueOf: ask, toString: ask, toJSON: ask, [Symbol.toPrimitive]: ask };
  const list = Object.assign([1, 2], { [Symbol.iterator]: ask, ...object });
  assert.deepEqual(pe.sinusoidal({ dim: 4, positions: list }), pe.sinusoidal({ dim: 4, positions: [1, 2] }));
  for (const key of ["dim", "length", "offset", "preset", "base"]) {
    assert.throws(() => pe.sinusoidal({ dim: 4, length: 2, [key]: object }), { name: "TypeError" });
  }
});

test("a subclass that lies about itself is an array as it is", () => {
  class Lies extends Float32Array {
    get length() {
      return 64;
    }
    get byteOffset() {
      return 8;
    }
    get buffer() {
      return new ArrayBuffer(256);
    }
    set() {
      throw new Error("asked");
    }
    slice() {
      throw new Error("asked");
    }
    static get [Symbol.species]() {
      throw new Error("asked");
    }
  }
  const x = new Lies([1, 2, 3, 4]);
  refused(() => rope.apply(x, { shape: [16, 4] }), "RangeError", "x: 4, expected 64 values");
  assert.equal(rope.apply(x, { shape: [1, 4], offset: 3 }), x);
  const plain = rope.apply(Float32Array.of(1, 2, 3, 4), { shape: [1, 4], offset: 3 });
  for (let i = 0; i < 4; ++i) assert.equal(x[i], plain[i]);
  const positions = new (class extends Float64Array {
    get length() {
      return 1000;
    }
  })([5, 6]);
  assert.deepEqual(pe.sinusoidal({ dim: 4, positions }), pe.sinusoidal({ dim: 4, length: 2, offset: 5 }));
  refused(() => pe.sinusoidal({ dim: 4, length: 16, out: new Lies(4) }), "RangeError", "out: 4, expected 64 values");
});

test("arrays in shared memory, and in memory that grows, are arrays as any other", () => {
  const expected = rope.apply(Float32Array.of(1, 2, 3, 4), { shape: [1, 4], offset: 3 });
  const pools = [new SharedArrayBuffer(16), new ArrayBuffer(16, { maxByteLength: 64 })];
  for (const pool of pools) {
    const x = new Float32Array(pool);
    x.set([1, 2, 3, 4]);
    assert.equal(rope.apply(x, { shape: [1, 4], offset: 3 }), x);
    assert.deepEqual([...x], [...expected]);
    assert.equal(pe.sinusoidal({ dim: 4, length: 1, out: x }).data, x);
  }
});

const isResizable = "resize" in ArrayBuffer.prototype;

test("what was transferred, cut or moved is refused by its name", { skip: !isResizable }, () => {
  const gone = "[object Float32Array], expected an array that was not moved or cut";
  const detached = () => {
    const array = new Float32Array(8);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    return array;
  };
  const shrunk = () => {
    const pool = new ArrayBuffer(64, { maxByteLength: 128 });
    const array = new Float32Array(pool, 16, 8);
    pool.resize(24);
    return array;
  };
  for (const make of [detached, shrunk]) {
    refused(() => rope.apply(make(), { shape: [2, 4] }), "TypeError", `x: ${gone}`);
    refused(() => rope.apply(make(), { shape: [0, 2, 4], seqAxis: 0 }), "TypeError", `x: ${gone}`);
    refused(() => pe.sinusoidal({ dim: 4, positions: make() }), "TypeError", `positions: ${gone}`);
    refused(() => pe.sinusoidal({ dim: 4, length: 2, out: make() }), "TypeError", `out: ${gone}`);
    refused(() => pe.add(matrix(2, 4), { data: make(), shape: [2, 4] }), "TypeError", `table.data: ${gone}`);
    refused(() => rope.cache({ length: 4, out: { sin: make() } }), "TypeError", `out.sin: ${gone}`);
  }
  for (const size of [16, 64]) {
    const pool = new ArrayBuffer(32, { maxByteLength: 128 });
    const x = new Float32Array(pool);
    const get = (list, key) => (key === "1" && pool.resize(size)) || list[key];
    refused(
      () => rope.apply(x, { shape: new Proxy([2, 4], { get }) }),
      "TypeError",
      "x: [object Float32Array], expected an array that was not moved or cut",
    );
  }
});

test("a list's items are read once, by index, and told when they are wrong", () => {
  let reads = 0;
  const list = new Proxy([1, 2, 3], {
    get: (target, key) => (key === "1" && ++reads > 1 ? "x" : target[key]),
  });
  assert.deepEqual(pe.sinusoidal({ dim: 4, positions: list }), pe.sinusoidal({ dim: 4, length: 3, offset: 1 }));
  assert.equal(reads, 1);
  let masks = 0;
  const mask = new Proxy([true, false], { get: (target, key) => (key === "0" && ++masks > 1 ? {} : target[key]) });
  assert.deepEqual([...pe.maskPositions({ data: mask, shape: [2] }).data], [0, 1]);
  const lengths = (length) => new Proxy([1, 2], { get: (target, key) => (key === "length" ? length : target[key]) });
  refused(() => pe.sinusoidal({ dim: 4, positions: lengths(Symbol("s")) }), "TypeError", "positions.length: Symbol(s)");
  refused(() => pe.sinusoidal({ dim: 4, positions: lengths(-1) }), "RangeError", "positions.length: -1, expected");
  refused(() => pe.sinusoidal({ dim: 4, positions: lengths(9) }), "TypeError", "positions[2]: undefined, expected");
});

test("messages name an argument, whatever it was", () => {
  const symbol = Symbol("s");
  const revoked = (of) => {
    const { proxy, revoke } = Proxy.revocable(of, {});
    revoke();
    return proxy;
  };
  const unreadable = "something unreadable, expected";
  refused(() => pe.dropout(matrix(2, 2)), "TypeError", "dropout: undefined, expected an object of options");
  refused(() => pe.dropout(matrix(2, 2), null), "TypeError", "dropout: null, expected an object of options");
  refused(() => pe.dropout(matrix(2, 2), { p: 0.5, sead: 1 }), "TypeError", "dropout.sead: 1, expected seed (or");
  for (const library of [pe, small]) {
    refused(
      () => library.linear(matrix(2, 2), matrix(2, 2), 5),
      "TypeError",
      "linear: 5, expected an object of options",
    );
  }
  refused(() => pe.sinusoidal({ dim: [symbol], length: 1 }), "TypeError", "dim: [Symbol(s)], expected a number");
  refused(() => rope.apply([symbol], { shape: [1, 4] }), "TypeError", "x: [Symbol(s)], expected a Float32Array");
  refused(() => pe.sinusoidal({ dim: 4, positions: [symbol] }), "TypeError", "positions[0]: Symbol(s), expected");
  refused(() => pe.sinusoidal({ dim: ["a", [1], {}], length: 1 }), "TypeError", 'dim: ["a", [object Array], [object');
  refused(() => pe.sinusoidal(revoked({})), "TypeError", `sinusoidal: ${unreadable}`);
  refused(() => pe.sinusoidal({ dim: 4, positions: revoked([]) }), "TypeError", `positions: ${unreadable}`);
  refused(() => pe.sinusoidal({ dim: 4, length: 1, out: revoked({}) }), "TypeError", `out: ${unreadable}`);
  refused(() => pe.rotary({ dim: 4, layout: "half", scaling: revoked({}) }), "TypeError", `scaling: ${unreadable}`);
  refused(() => pe.add(matrix(1, 1), revoked({})), "TypeError", `table: ${unreadable}`);
  refused(
    () => pe.mropePositions({ preset: "qwen2-vl", rows: [[{ text: 1 }], [{ text: 1 }, { text: "x" }]] }),
    "TypeError",
    'rows[1][1].text: "x", expected',
  );
});

test("only undefined leaves an option out", () => {
  const tensors = { query: matrix(2, 4), key: matrix(2, 4), value: matrix(2, 4) };
  const layer = { weight: matrix(4, 4) };
  const layers = { query: layer, key: layer, value: layer, out: layer };
  const heads = { query: matrix(2, 4), layers, heads: 2 };
  const scaling = { type: "yarn", factor: 2, originalLength: 8 };
  const places = {
    mask: (mask) => pe.attention({ ...tensors, mask }),
    keyMask: (keyMask) => pe.attention({ ...tensors, keyMask }),
    scale: (scale) => scale !== 0 && pe.attention({ ...tensors, scale }),
    bias: (bias) => pe.linear(matrix(2, 4), matrix(4, 4), { bias }),
    "layers.query.bias": (bias) =>
      pe.multiHeadAttention({ ...heads, layers: { ...layers, query: { ...layer, bias } } }),
    key: (key) => pe.multiHeadAttention({ ...heads, key }),
    dropout: (dropout) => pe.attention({ ...tensors, dropout }),
    causal: (causal) => causal !== false && pe.attention({ ...tensors, causal }),
    preset: (preset) => pe.sinusoidal({ dim: 4, length: 2, preset }),
    order: (order) => pe.sinusoidal({ dim: 4, length: 2, order }),
    dtype: (dtype) => pe.sinusoidal({ dim: 4, length: 2, dtype }),
    positions: (positions) => pe.sinusoidal({ dim: 4, length: positions === undefined ? 2 : undefined, positions }),
    offset: (offset) => offset !== 0 && pe.sinusoidal({ dim: 4, length: 2, offset }),
    out: (out) => pe.sinusoidal({ dim: 4, length: 2, out }),
    scaling: (scaling) => pe.rotary({ dim: 4, layout: "half", scaling }),
    "scaling.betaFast": (betaFast) =>
      betaFast !== 0 && pe.rotary({ dim: 4, layout: "half", scaling: { ...scaling, betaFast } }),
    ids: (ids) => pe.lookupRows(matrix(2, 2), ids === undefined ? { length: 2 } : { ids }),
    inverse: (inverse) => inverse !== false && rope.apply(new Float32Array(4), { shape: [1, 4], inverse }),
    sinusoidal: (options) => options !== undefined && pe.sinusoidal(options),
    "rotary.cache": (options) => options !== undefined && rope.cache(options),
  };
  for (const [name, call] of Object.entries(places)) {
    assert.doesNotThrow(() => call(undefined), name);
    for (const value of [null, false, 0, "", Number.NaN]) {
      let made;
      try {
        made = call(value);
      } catch (error) {
        const where = name === "rotary.cache" ? "cache" : name;
        assert.ok(["TypeError", "RangeError"].includes(error.name), error.stack);
        assert.ok(
          error.message.startsWith(`${where}: ${JSON.stringify(value) === "null" ? value : JSON.stringify(value)}, `),
          error.message,
        );
        continue;
      }
      assert.equal(made, false, `${name}: ${value} was taken for nothing`);
    }
  }
});

test("names are short: a long one is refused at once, and so is a long key", () => {
  const long = "x".repeat(10_000_000);
  const cut = `"${"x".repeat(60)}…" (10000000 characters), expected`;
  const seconds = processorClock();
  refused(
    () => pe.sinusoidal({ dim: 4, length: 1, preset: long }),
    "RangeError",
    `preset: ${cut} at most 256 characters`,
  );
  refused(() => pe.rotary({ dim: 4, layout: long }), "RangeError", `layout: ${cut}`);
  refused(() => pe.rotary({ dim: 4, layout: "half", scaling: { type: long } }), "RangeError", `scaling.type: ${cut}`);
  refused(() => pe.convert(matrix(1, 1), long), "RangeError", `dtype: ${cut}`);
  refused(() => pe.sinusoidal({ dim: 4, length: long }), "TypeError", `length: ${cut} a number`);
  refused(() => pe.sinusoidal({ dim: 4, length: 1, [long]: 1 }), "TypeError", `sinusoidal.${"x".repeat(100)}`);
  refused(
    () => pe.sinusoidal({ dim: 4, length: 1, out: { [long]: 1 } }),
    "TypeError",
    "out: [object Object], expected",
  );
  refused(() => pe.sinusoidal({ dim: 4, positions: [Symbol(long)] }), "TypeError", "positions[0]: Symbol(xxx");
  refused(() => pe.sinusoidal({ dim: 10n ** 1000n, length: 1 }), "TypeError", "dim: a bigint, expected a number");
  const most = "expected at most 200000 characters in all of a config";
  refused(() => pe.hubConfig({ model_type: long }), "RangeError", `model_type: 10000010, ${most}`);
  refused(() => pe.hubConfig({ [long]: 1 }), "RangeError", `${"x".repeat(40)}: 10000000, ${most}`);
  refused(() => fromNpy(new Uint8Array(1e6).fill(120)), "RangeError", "bytes: ");
  assert.ok(seconds() < 2, `${seconds()} s`);
  for (const call of [
    () => pe.sinusoidal({ dim: 4, length: 1, [long]: 1 }),
    () => pe.hubConfig({ model_type: long }),
    () => pe.sinusoidal({ dim: 4, length: { [Symbol.toStringTag]: long } }),
    () => pe.sinusoidal({ dim: 4, length: [long, long] }),
  ]) {
    assert.throws(call, ({ message }) => message.length < 1200);
  }
});

test("nothing in a message acts on a terminal or turns the direction of what follows", () => {
  const acts = 'a"\n\r\u001b[2J\u009b1m\u202e\u2066\u200f\u2028\u0000\u007f\ufeff';
  const shown = 'a\\"\\n\\r\\u001b[2J\\u{9b}1m\\u{202e}\\u{2066}\\u{200f}\\u{2028}\\u0000\\u{7f}\\u{feff}';
  refused(() => pe.rotary({ dim: 4, layout: acts }), "RangeError", `layout: "${shown}", expected one of "half"`);
  refused(() => pe.sinusoidal({ dim: acts }), "TypeError", `dim: "${shown}", expected a number`);
  for (const call of [
    () => pe.sinusoidal({ dim: 4, [acts]: 1 }),
    () => pe.sinusoidal({ dim: 4, length: 1, preset: acts }),
    () => pe.sinusoidal({ dim: 4, length: { [Symbol.toStringTag]: acts } }),
    () => pe.sinusoidal({ dim: 4, positions: [Symbol(acts)] }),
    () => rope.cache({ length: 1, out: { [acts]: 1 } }),
    () => pe.hubConfig({ model_type: acts, rope_theta: 1 }),
    () => pe.hubConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_scaling: { type: acts } }),
    () => fromNpy(new TextEncoder().encode(acts)),
  ]) {
    assert.throws(call, ({ message }) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(message) && message.length > 0);
  }
});

/** Runs something while all objects inherit these. */
function polluted(properties, run) {
  try {
    for (const [key, value] of Object.entries(properties)) {
      Object.defineProperty(Object.prototype, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return run();
  } finally {
    for (const key of Object.keys(properties)) delete Object.prototype[key];
  }
}

const inherited = {
  ...{ zz: 1, data: [1], shape: [9], out: 5, offset: 7, positions: [3], precision: "x", dtype: "x", bias: 1, mask: 2 },
  ...{
    preset: "x",
    length: 9,
    scaling: 1,
    seed: "x",
    type: "x",
    text: 4,
    cos: 5,
    kindFor: 1,
    signal: 1,
    wasm: 2,
    isOptional: true,
  },
};

for (const [name, maker] of Object.entries(makers)) {
  test(`${name}: what all objects inherit has no say`, () => {
    const make = maker(pe, new Inputs());
    const expected = maker(pe, new Inputs())({});
    const made = polluted(inherited, () => make({}));
    assert.deepEqual(made, expected);
  });
}

test("load is given nothing by what all objects inherit", async () => {
  const loading = polluted(inherited, () => load());
  assert.equal(await loading, pe);
  const another = await polluted(inherited, () => loadBasics({ shared: false }));
  assert.deepEqual(another.sinusoidal({ length: 2, dim: 4 }), pe.sinusoidal({ length: 2, dim: 4 }));
});

test("results are ordinary objects", () => {
  for (const made of [
    rope.cache({ length: 1 }),
    pe.attention({ query: matrix(1, 1), key: matrix(1, 1), value: matrix(1, 1) }),
  ]) {
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
  }
  assert.equal(Object.getPrototypeOf(pe.sinusoidalPlan({ dim: 4 })), Object.prototype);
});

test("methods that come to prototypes later have no say", () => {
  const { prototype } = Object.getPrototypeOf(Float32Array);
  const kept = Object.getOwnPropertyDescriptors(prototype);
  const x = Float32Array.of(1, 2, 3, 4);
  const expected = rope.apply(x.slice(), { shape: [1, 4], offset: 3 });
  const table = pe.sinusoidal({ length: 2, dim: 4 });
  const buffer = pe.buffer(8);
  const lie = () => 1000;
  let made;
  let inBuffer;
  try {
    for (const key of ["length", "byteOffset", "byteLength", "buffer"]) {
      Object.defineProperty(prototype, key, { ...kept[key], get: lie });
    }
    for (const key of ["set", "slice", "subarray", "keys", "fill"]) {
      Object.defineProperty(prototype, key, { ...kept[key], value: lie });
    }
    rope.apply(x, { shape: [1, 4], offset: 3 });
    made = pe.sinusoidal({ length: 2, dim: 4 });
    inBuffer = pe.sinusoidal({ length: 2, dim: 4, out: buffer.view });
  } finally {
    Object.defineProperties(prototype, kept);
  }
  assert.deepEqual(x, expected);
  assert.deepEqual(made, table);
  assert.deepEqual(inBuffer.data, table.data);
  buffer.delete();
});

test("the library works where intrinsics are frozen", () => {
  const code = `
    import { load } from "posenc/tools";
    const pe = await load();
    const buffer = pe.buffer(8);
    pe.sinusoidal({ length: 2, dim: 4, out: buffer.view });
    const rope = pe.rotary({ dim: 4, layout: "half", scaling: { type: "linear", factor: 2 } });
    rope.apply(buffer.view.subarray(0, 4), { shape: [1, 4], offset: 3 });
    rope.cache({ length: 2 });
    try { pe.sinusoidal({ dim: 4, lenght: 2 }); } catch ({ message }) { console.log(message.slice(0, 24)); }
    console.log(buffer.view.length, pe.alibi({ heads: 2, queries: 2, keys: 2 }).data.length);
  `;
  const args = ["--frozen-intrinsics", "--no-warnings", "--input-type=module", "-e", code];
  const cwd = new URL("../../..", import.meta.url);
  const printed = execFileSync(process.execPath, args, { cwd, encoding: "utf8" });
  assert.equal(printed, "sinusoidal.lenght: 2, ex\n8 8\n");
});
