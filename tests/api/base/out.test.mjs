import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadBasics } from "posenc";
import { load } from "posenc/full";
import { load as loadLab } from "posenc/lab";
import { lab as labCalls, makers, refusals } from "../testing/calls/calls.mjs";
import { Inputs } from "../testing/inputs.mjs";

const pe = await load();
const lab = await loadLab();

/** Both entries have these. */
const basicNames = ["sinusoidal", "frequencies", "rotary.cache", "add", "linear", "attention"];
const basicMakers = Object.fromEntries(basicNames.map((name) => [name, makers[name]]));

/** The arrays in a result by name, as `out` has them: "" for a single one, "saved.query" for one deep inside. */
function arraysIn(result, path = "") {
  if (ArrayBuffer.isView(result)) return { [path]: result };
  if (ArrayBuffer.isView(result?.data)) return { [path]: result.data };
  return Object.assign(
    {},
    ...Object.entries(result).map(([key, part]) => arraysIn(part, path === "" ? key : `${path}.${key}`)),
  );
}

/** `out` that holds arrays under these names. */
function outOf(arrays) {
  if ("" in arrays) return arrays[""];
  const out = "0" in arrays ? [] : {};
  for (const [path, array] of Object.entries(arrays)) {
    const names = path.split(".");
    const last = names.pop();
    let inner = out;
    for (const name of names) {
      inner[name] ??= {};
      inner = inner[name];
    }
    inner[last] = array;
  }
  return out;
}

const mapped = (arrays, change) =>
  Object.fromEntries(Object.entries(arrays).map(([path, array], i) => [path, change(array, path, i)]));
const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
const isSame = (a, b) => a.constructor === b.constructor && bytesOf(a).equals(bytesOf(b));

/** The caller's arrays, of these sizes, full of sevens. */
const own = (arrays) => mapped(arrays, (array) => new array.constructor(array.length).fill(7));

/** Puts it into one of the library's buffers. */
function inBuffer(library, arrays) {
  const buffer = library.buffer(1024);
  let end = 0;
  const views = () => {
    end = buffer.view.byteOffset;
    return mapped(arrays, (array) => {
      const view = new array.constructor(buffer.view.buffer, end, array.length);
      end += 8 * Math.ceil(array.byteLength / 8);
      return view;
    });
  };
  return { buffer, views };
}

/** The allocator's next address: the same as before if nothing was kept. */
function nextPlace(library) {
  const probe = library.buffer(64);
  const { byteOffset } = probe.view;
  probe.delete();
  return byteOffset;
}

function assertFilled(result, given, wanted) {
  const made = arraysIn(result);
  assert.deepEqual(Object.keys(made), Object.keys(wanted));
  for (const [path, array] of Object.entries(made)) {
    assert.equal(array, given[path], path);
    assert.ok(isSame(array, wanted[path]), path);
  }
}

/** What every function that makes arrays does with an `out`. */
function goThrough(library, entry, cases) {
  for (const [name, maker] of Object.entries(cases)) {
    const inputs = new Inputs();
    const make = maker(library, inputs);
    const call = (more = {}) => {
      inputs.again();
      return make(more);
    };

    test(`${entry}: ${name} writes to an out what it returns without, and refuses others`, () => {
      const expected = call();
      const wanted = arraysIn(expected);
      assert.ok(Object.keys(wanted).length > 0 && Object.values(wanted).every(({ length }) => length > 0));
      const given = own(wanted);
      const result = call({ out: outOf(given) });
      assertFilled(result, given, wanted);
      assert.deepEqual(result, expected);
      for (const path of Object.keys(wanted)) checkRefusals(library, call, wanted, path, inputs);
      const unknown = { name: "TypeError", message: /^out(\.other)?: / };
      assert.throws(() => call({ out: { ...("" in wanted ? {} : outOf(own(wanted))), other: null } }), unknown);
    });

    test(`${entry}: ${name} writes to a buffer, and a thousand calls leave the memory as it was`, () =>
      checkBuffer(library, call, arraysIn(call())));
  }
}

/** Results in a buffer; a thousand of these calls leave the memory as it was. */
function checkBuffer(library, call, wanted) {
  const { buffer, views } = inBuffer(library, wanted);
  const given = views();
  const out = outOf(given);
  const { byteLength } = buffer.view.buffer;
  const aThousand = () => {
    for (let i = 0; i < 1000; ++i) {
      if (i % 250 === 0) for (const view of Object.values(given)) view.fill(7);
      const result = call({ out });
      if (i % 250 === 0) assertFilled(result, given, wanted);
    }
  };
  // Garbage of other tests may be freed meanwhile, which moves the next address once; a leak moves it every time.
  let place = 0;
  for (let attempt = 0; attempt < 4 && place !== nextPlace(library); ++attempt) {
    place = nextPlace(library);
    aThousand();
  }
  assert.equal(buffer.view.buffer.byteLength, byteLength);
  assert.equal(nextPlace(library), place);
  buffer.delete();
}

/** An out of another size or type, or one that overlaps an input or another out, is refused before anything is written. */
function checkRefusals(library, call, wanted, path, inputs) {
  const argument = path === "" ? "out" : `out.${path}`;
  const { constructor: Kind, length } = wanted[path];
  const wrong = (value, error) => {
    const given = { ...own(wanted), [path]: value };
    const before = structuredClone(given);
    assert.throws(() => call({ out: outOf(given) }), error);
    assert.deepEqual(given, before);
  };
  for (const size of [0, length - 1, length + 1])
    wrong(new Kind(size), { name: "RangeError", message: `${argument}: ${size}, expected ${length} values` });
  const message = new RegExp(`^${argument}(: |\\.)`);
  for (const other of [[], 5, "x", null, {}, new Uint8Array(length), new DataView(new ArrayBuffer(8))])
    wrong(other, { name: "TypeError", message });
  wrong(new (Kind === Float32Array ? Int32Array : Float32Array)(length), { name: "TypeError", message });

  const apart = { name: "RangeError", message: /^out.*expected memory that does not overlap / };
  call();
  for (const { byteOffset, byteLength } of [...inputs.arrays]) {
    const inside = byteOffset + 8 * Math.floor((byteLength - 1) / 8);
    const given = { ...own(wanted), [path]: new Kind(inputs.pool, inside, length) };
    assert.throws(() => call({ out: outOf(given) }), apart);
  }
  const other = Object.keys(wanted).find((one) => one !== path);
  if (other === undefined) return;
  const inside = library.buffer(1024).view;
  for (const [pool, start] of [
    [new ArrayBuffer(8192), 0],
    [inside.buffer, inside.byteOffset],
  ]) {
    const given = own(wanted);
    given[path] = new Kind(pool, start, length);
    given[other] = new wanted[other].constructor(pool, start, wanted[other].length);
    assert.throws(() => call({ out: outOf(given) }), apart);
  }
}

goThrough(pe, "posenc/full", makers);
goThrough(await loadBasics(), "posenc", basicMakers);
goThrough(lab, "posenc/lab", labCalls.makers);

test("where a result has no place, nothing is written beside it", () => {
  const [a, b] = [10000, 5000].map((base) => pe.rotary({ dim: 8, layout: "half", base }));
  const distances = new Float64Array(100_000).map((_, i) => i % 50);
  const neighbour = pe.buffer(64);
  neighbour.view.fill(7);
  for (const name of ["angle", "cosine", "score"]) {
    assert.throws(() => pe.rotaryDifference({ a, b, distances, out: { [name]: new Float64Array(3) } }), {
      name: "RangeError",
      message: `out.${name}: 3, expected 100000 values`,
    });
    assert.ok(neighbour.view.every((value) => value === 7));
  }
  assert.equal(pe.rotaryDifference({ a, b, distances: [0] }).angle[0], 0);
});

test("some of several results may have an out, the others are new", () => {
  const table = pe.rotary({ dim: 4, layout: "half" });
  const cos = new Float32Array(6);
  const cache = table.cache({ length: 3, out: { cos } });
  assert.equal(cache.cos.data, cos);
  assert.deepEqual(cache, table.cache({ length: 3 }));
  assert.deepEqual(table.cache({ length: 3, out: {} }), cache);
  assert.deepEqual(table.cache({ length: 3, out: undefined }), cache);
  assert.deepEqual(table.cache({ length: 3, out: { cos: undefined } }), cache);
});

test("bits of float16 go to a Uint16Array where that is given", () => {
  const out = new Uint16Array(12);
  const table = pe.sinusoidal({ length: 2, dim: 6, dtype: "float16", out });
  assert.equal(table.data, out);
  assert.equal(table.dtype, "float16");
  assert.equal(out[1], 0x3c00);
});

for (const [name, maker] of Object.entries(refusals)) {
  test(`${name}: what the core refuses leaves out as it was, in an array and in a buffer`, () => {
    const wanted = arraysIn(makers[name](pe, new Inputs())({}));
    const refused = maker(pe, new Inputs());
    const { buffer, views } = inBuffer(pe, wanted);
    for (const given of [own(wanted), views()]) {
      for (const array of Object.values(given)) array.fill(7);
      assert.throws(() => refused({ out: outOf(given) }), RangeError);
      for (const array of Object.values(given)) assert.ok(array.every((value) => value === 7));
    }
    buffer.delete();
  });
}

test("a large result in a buffer takes no memory beside it", () => {
  const size = 8 * 1024 * 1024;
  const buffer = pe.buffer(size);
  const options = { heads: 8, queries: 1024, keys: 1024 };
  const expected = pe.alibi({ ...options, form: "compact" });
  const { byteLength } = buffer.view.buffer;
  assert.equal(pe.alibi({ ...options, out: buffer.view }).data.length, size);
  assert.equal(buffer.view.buffer.byteLength, byteLength);
  for (const [head, query] of [
    [0, 0],
    [3, 511],
    [7, 1023],
  ]) {
    const start = head * 2047 + 1023 - query;
    const row = (head * 1024 + query) * 1024;
    assert.deepEqual(buffer.view.slice(row, row + 1024), expected.data.slice(start, start + 1024));
  }
  buffer.delete();
});

test("when the memory grows in a call, its result is still in the buffer, seen through a new view", () => {
  const buffer = pe.buffer(6);
  const given = buffer.view;
  const rows = given.buffer.byteLength / 8 + 1;
  const x = { data: new Float32Array(rows), shape: [rows, 1] };
  x.data[3] = 2;
  const weight = { data: new Float32Array(6 * rows), shape: [6, rows] };
  weight.data[3 * rows + 3] = 5;
  const flat = { data: x.data, shape: [1, rows] };
  const made = pe.linear(flat, weight, { out: given });
  assert.equal(given.length, 0);
  assert.deepEqual([...made.data], [0, 0, 0, 10, 0, 0]);
  assert.deepEqual(buffer.view, made.data);
  assert.equal(buffer.view.buffer, made.data.buffer);
  buffer.delete();
});
