import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { load } from "posenc";

const pe = await load();

test("a buffer holds zeros, then what is written through its view", () => {
  const buffer = pe.buffer(5);
  assert.equal(buffer.length, 5);
  assert.deepEqual([...buffer.view], [0, 0, 0, 0, 0]);
  buffer.view.set([1, 2, 3], 1);
  assert.deepEqual([...buffer.view], [0, 1, 2, 3, 0]);
  assert.equal(pe.buffer(0).view.length, 0);
});

test("rotation in a buffer, or in a part of one, is the same rotation", () => {
  const rope = pe.rotary({ dim: 8, layout: "half" });
  const x = Float32Array.from({ length: 3 * 2 * 8 }, (_, i) => Math.sin(i));
  const options = { shape: [3, 2, 8], seqAxis: 0, offset: 11 };
  const expected = rope.apply(x.slice(), options);
  const buffer = pe.buffer(x.length + 4);
  buffer.view.set(x, 4);
  rope.apply(buffer.view.subarray(4), options);
  assert.deepEqual(buffer.view.slice(4), expected);
  assert.deepEqual([...buffer.view.slice(0, 4)], [0, 0, 0, 0]);
});

test("a view survives growth when asked for again", () => {
  const buffer = pe.buffer(16);
  const old = buffer.view.fill(3);
  const large = pe.buffer(64 << 20);
  assert.equal(old.length, 0);
  assert.deepEqual([...buffer.view], Array(16).fill(3));
  large.delete();
});

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

/** Collects what is forgotten, and gives what the memory has free to tables full of sevens. */
async function collectAndReuse() {
  for (let round = 0; round < 4; ++round) {
    gc();
    await setImmediate();
  }
  return Array.from({ length: 4096 }, () => {
    const other = pe.buffer(512);
    other.view.fill(7);
    return other;
  });
}

/** How a caller may come by values in a buffer that nobody refers to any more. */
const kept = {
  "a view": () => pe.buffer(512).view,
  "a part of a view": () => pe.buffer(1024).view.subarray(256, 768),
  "a part of a part": () => pe.buffer(1024).view.subarray(100).subarray(156, 668),
  "a table's data": () => pe.sinusoidal({ length: 8, dim: 64, out: pe.buffer(512).view }).data,
  "a table's data in a part": () => pe.sinusoidal({ length: 8, dim: 64, out: pe.buffer(600).view.subarray(88) }).data,
  "rotated values": () => pe.rotary({ dim: 64, layout: "half" }).apply(pe.buffer(512).view, { shape: [8, 64] }),
  "a sum in the caller's own view": () => {
    const { buffer, byteOffset } = pe.buffer(512).view;
    const x = { data: new Float32Array(512), shape: [8, 64] };
    return pe.add(x, x, { out: new Float32Array(buffer, byteOffset, 512) }).data;
  },
};

for (const [what, make] of Object.entries(kept)) {
  test(`a forgotten buffer lives as long as ${what}`, async () => {
    const values = make();
    for (let i = 0; i < 512; ++i) values[i] = i;
    const others = await collectAndReuse();
    assert.deepEqual(
      values,
      Float32Array.from({ length: 512 }, (_, i) => i),
    );
    for (const other of others) other.delete();
  });
}

test("when its views are forgotten too, the memory is free again", async () => {
  const before = pe.buffer(1).view.buffer.byteLength;
  for (let i = 0; i < 2 ** 10; ++i) {
    pe.buffer(2 ** 20).view.subarray(5);
    if (i % 16 !== 15) continue;
    gc();
    await setImmediate();
  }
  assert.ok(pe.buffer(1).view.buffer.byteLength < before + 2 ** 29);
});

test("a view is the same until the memory grows, and an ordinary array but for its subarray", () => {
  const buffer = pe.buffer(6);
  const { view } = buffer;
  assert.equal(buffer.view, view);
  view.set([1, 2, 3, 4, 5, 6]);
  const part = view.subarray(-4, 5);
  assert.deepEqual(part, Float32Array.of(3, 4, 5));
  assert.equal(part.buffer, view.buffer);
  assert.deepEqual([...part.subarray(1)], [4, 5]);
  assert.equal(view.subarray(4, 2).length, 0);
  for (const each of [view, part]) {
    assert.equal(Object.getPrototypeOf(each), Float32Array.prototype);
    assert.deepEqual(Object.keys(each), Object.keys(Float32Array.from(each)));
    assert.equal(each.slice().buffer.byteLength, each.byteLength);
    assert.equal(each.map((value) => value).subarray, Float32Array.prototype.subarray);
  }
  buffer.delete();
});

/** Refers to a buffer that was disposed of, while another is at the same place. */
const former = {
  "its view": (view) => view,
  "a part of its view": (view) => view.subarray(0, 48),
  "a part of a part": (view) => view.subarray(16).subarray(0, 48),
  "an array of the caller's that a call has seen": (view) => {
    const own = new Float32Array(view.buffer, view.byteOffset, 64);
    pe.sinusoidal({ length: 4, dim: 16, out: own });
    return own;
  },
};

for (const [what, take] of Object.entries(former)) {
  test(`a disposed buffer: ${what} is refused as any argument, and what stands there now is left alone`, () => {
    const first = pe.buffer(64);
    const old = take(first.view);
    const place = old.byteOffset;
    first.dispose();
    const second = pe.buffer(64);
    assert.ok(second.view.byteOffset <= place && place < second.view.byteOffset + 256, "another place");
    second.view.fill(5);
    const shape = [old.length / 16, 16];
    const x = { data: new Float32Array(old.length), shape };
    const rope = pe.rotary({ dim: 16, layout: "half" });
    const refused = (argument, call) =>
      assert.throws(call, {
        name: "TypeError",
        message: `${argument}: [object Float32Array], expected a view of a buffer that is still alive`,
      });
    refused("x", () => rope.apply(old, { shape }));
    refused("out", () => pe.sinusoidal({ length: shape[0], dim: 16, out: old }));
    refused("x", () => pe.add({ data: old, shape }, x));
    refused("table", () => pe.add(x, { data: old, shape }));
    refused("positions", () => pe.sinusoidal({ dim: 16, positions: old }));
    refused("query", () => pe.attention({ query: { data: old, shape }, key: x, value: x }));
    refused("out.cos", () => rope.cache({ length: old.length / 8, out: { cos: old } }));
    assert.ok(second.view.every((value) => value === 5));
    second.delete();
  });
}

test("an array of the caller's that is not in one living buffer as a whole is refused", () => {
  const [first, second] = [pe.buffer(16), pe.buffer(16)];
  const { buffer, byteOffset } = first.view;
  for (const [start, length] of [
    [byteOffset - 8, 8],
    [byteOffset + 32, 16],
    [byteOffset, 1024],
    [64, 8],
    [buffer.byteLength - 32, 8],
  ]) {
    const own = new Float32Array(buffer, start, length);
    const message = /^(out|positions): .*expected a view of a buffer that is still alive$/;
    assert.throws(() => pe.sinusoidal({ length: 1, dim: length, out: own }), { name: "TypeError", message });
    assert.throws(() => pe.sinusoidal({ dim: 2, positions: own }), { name: "TypeError", message });
  }
  for (const made of [first, second]) made.delete();
});
