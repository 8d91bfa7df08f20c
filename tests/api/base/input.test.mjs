// A caller's arguments are read once and in order, into plain values; what cannot be read is refused by its name.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { load as loadBasics } from "posenc";
import { fromNpy } from "posenc/npy";
import { load } from "posenc/tools";
import { optionPlaces, seedsOf } from "../testing/recorded-calls.mjs";
import { processorClock } from "../testing/testing.mjs";
import { load as loadAll } from "../testing/whole-library.mjs";

const pe = await load();
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

/** Turns a property into an accessor that tells of each read. */
function observe({ holder, key }, reads) {
  const value = holder[key];
  const get = () => {
    reads.push(holder);
    reads.push(key);
    return value;
  };
  Object.defineProperty(holder, key, { get, enumerable: true, configurable: true });
}

test("each accessor among the arguments of each function is read at most once, in order", async () => {
  for (const seed of seedsOf(await loadAll())) {
    const { args, call, end } = seed.next();
    const places = optionPlaces(args);
    const reads = [];
    for (const place of places) observe(place, reads);
    call(args);
    end();
    const read = places.map(({ holder, key }) => {
      const at = [];
      for (let i = 0; i < reads.length; i += 2) if (reads[i] === holder && reads[i + 1] === key) at.push(i);
      assert.ok(at.length <= 1, `${seed.name}: ${key} is read ${at.length} times`);
      return { holder, at: at[0] };
    });
    for (const [i, { holder, at }] of read.entries()) {
      const next = read.slice(i + 1).find((other) => other.holder === holder);
      if (at !== undefined && next?.at !== undefined) assert.ok(at < next.at, `${seed.name}: ${places[i].key}`);
    }
  }
});

test("an accessor's own error goes through, and nothing is written", () => {
  const x = Float32Array.of(1, 2, 3, 4);
  const mine = new Error("mine");
  const options = {
    shape: [1, 4],
    get offset() {
      throw mine;
    },
  };
  assert.throws(
    () => rope.apply(x, options),
    (error) => error === mine,
  );
  assert.deepEqual([...x], [1, 2, 3, 4]);
});

test("arrays of another realm, in shared memory, and in memory that grows, are arrays as any other", () => {
  const expected = rope.apply(Float32Array.of(1, 2, 3, 4), { shape: [1, 4], offset: 3 });
  const pools = [new SharedArrayBuffer(16), new ArrayBuffer(16, { maxByteLength: 64 })];
  for (const x of [...pools.map((pool) => new Float32Array(pool)), runInNewContext("new Float32Array(4)")]) {
    x.set([1, 2, 3, 4]);
    assert.equal(rope.apply(x, { shape: [1, 4], offset: 3 }), x);
    assert.deepEqual([...x], [...expected]);
    assert.equal(pe.sinusoidal({ dim: 4, length: 1, out: x }).data, x);
  }
  const foreign = runInNewContext("({ dim: 4, positions: [1, 2] })");
  assert.deepEqual(pe.sinusoidal(foreign), pe.sinusoidal({ dim: 4, positions: [1, 2] }));
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
});

test("messages show what was given, in short", async () => {
  const symbol = Symbol("s");
  refused(() => pe.sinusoidal({ dim: [symbol], length: 1 }), "TypeError", "dim: [Symbol(s)], expected a number");
  refused(() => pe.sinusoidal({ dim: ["a", [1], {}], length: 1 }), "TypeError", 'dim: ["a", [object Array], an object');
  refused(() => pe.sinusoidal({ dim: 10n ** 1000n, length: 1 }), "TypeError", "dim: a bigint, expected a number");
  refused(() => pe.sinusoidal({ dim: () => 4 }), "TypeError", "dim: a function, expected a number");
  const rows = [[{ text: 1 }], [{ text: 1 }, { text: "x" }]];
  refused(() => pe.mropePositions({ preset: "qwen2-vl", rows }), "TypeError", 'rows[1][1].text: "x", expected');
  for (const library of [pe, await loadBasics()])
    refused(() => library.linear(matrix(2, 2), matrix(2, 2), 5), "TypeError", "linear: 5, expected an object of");
});

test("names are short: a long one is refused at once, and so is a long key", () => {
  const long = "x".repeat(10_000_000);
  const cut = `"${"x".repeat(60)}…" (10000000 characters), expected`;
  const seconds = processorClock();
  refused(() => pe.rotary({ dim: 4, layout: long }), "RangeError", `layout: ${cut} at most 256 characters`);
  refused(() => pe.sinusoidal({ dim: 4, length: long }), "TypeError", `length: ${cut} a number`);
  refused(() => pe.sinusoidal({ dim: 4, length: 1, [long]: 1 }), "TypeError", `sinusoidal.${"x".repeat(100)}`);
  refused(() => pe.sinusoidal({ dim: 4, positions: [Symbol(long)] }), "TypeError", "positions[0]: Symbol(xxx");
  const most = "expected at most 4194304 bytes in all of a config";
  refused(() => pe.hubConfig({ model_type: long }), "RangeError", `model_type: 10000012, ${most}`);
  refused(() => pe.hubConfig({ [long]: 1 }), "RangeError", `${"x".repeat(40)}: 10000001, ${most}`);
  assert.ok(seconds() < 2, `${seconds()} s`);
  for (const given of [{ [long]: 1 }, { length: { [Symbol.toStringTag]: long } }, { length: [long, long] }])
    assert.throws(
      () => pe.sinusoidal({ dim: 4, ...given }),
      ({ message }) => message.length < 1200,
    );
});

test("nothing in a message acts on a terminal or turns the direction of what follows", () => {
  const acts = 'a"\n\r\u001b[2J\u009b1m\u202e\u2066\u200f\u2028\u0000\u007f\ufeff';
  const shown = 'a\\"\\n\\r\\u001b[2J\\u{9b}1m\\u{202e}\\u{2066}\\u{200f}\\u{2028}\\u0000\\u{7f}\\u{feff}';
  refused(() => pe.rotary({ dim: 4, layout: acts }), "RangeError", `layout: "${shown}", expected one of "half"`);
  refused(() => pe.sinusoidal({ dim: acts }), "TypeError", `dim: "${shown}", expected a number`);
  for (const call of [
    () => pe.sinusoidal({ dim: 4, [acts]: 1 }),
    () => pe.sinusoidal({ dim: 4, length: { [Symbol.toStringTag]: acts } }),
    () => pe.sinusoidal({ dim: 4, positions: [Symbol(acts)] }),
    () => rope.cache({ length: 1, out: { [acts]: 1 } }),
    () => pe.hubConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_scaling: { type: acts } }),
    () => fromNpy(new TextEncoder().encode(acts)),
  ])
    assert.throws(call, ({ message }) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(message) && message.length > 0);
});

test("the library works where intrinsics are frozen, as with SES", () => {
  const code = `
    import { load } from "posenc/tools";
    const pe = await load();
    const buffer = pe.buffer(8);
    pe.sinusoidal({ length: 2, dim: 4, out: buffer.view });
    const rope = pe.rotary({ dim: 4, layout: "half", scaling: { type: "linear", factor: 2 } });
    rope.apply(buffer.view.subarray(0, 4), { shape: [1, 4], offset: 3 });
    try { pe.sinusoidal({ dim: 4, lenght: 2 }); } catch ({ message }) { console.log(message.slice(0, 24)); }
    console.log(buffer.view.length, pe.alibi({ heads: 2, queries: 2, keys: 2 }).data.length);
  `;
  const args = ["--frozen-intrinsics", "--no-warnings", "--input-type=module", "-e", code];
  const cwd = new URL("../../..", import.meta.url);
  const printed = execFileSync(process.execPath, args, { cwd, encoding: "utf8" });
  assert.equal(printed, "sinusoidal.lenght: 2, ex\n8 8\n");
});
