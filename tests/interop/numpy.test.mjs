// NumPy reads what toNpy writes, and fromNpy what NumPy saves.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { load } from "posenc/full";
import { fromNpy, toNpy } from "posenc/npy";
import { findNumpy } from "../../bindings/setup/debian-packages.mjs";

const pe = await load();
const python = findNumpy();
let folder;

before(() => {
  assert.ok(python, "python3 with numpy: npm test installs it");
  folder = mkdtempSync(join(tmpdir(), "posenc-npy-"));
});
after(() => folder && rmSync(folder, { recursive: true, force: true }));

/** Runs a Python program and parses what it prints as JSON; NumPy is installed, and the folder is the current one. */
const run = (lines) =>
  JSON.parse(
    execFileSync(python, ["-W", "error", "-c", `import json, numpy as np\n${lines}`], {
      cwd: folder,
      encoding: "utf8",
    }),
  );

const bytesOf = ({ data }) => [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
const half = pe.convert({ data: Float32Array.of(1, -2.5, 65504, Number.NaN, 2 ** -24, 0), shape: [6] }, "float16");

const written = {
  table: { tensor: pe.sinusoidal({ length: 7, dim: 10 }), type: "float32" },
  three: { tensor: pe.alibi({ heads: 2, queries: 3, keys: 5 }), type: "float32" },
  doubles: { tensor: { data: Float64Array.of(1 / 3, -0, Infinity, Number.NaN), shape: [2, 2] }, type: "float64" },
  ids: { tensor: { data: Int32Array.of(-1, 0, 2147483647), shape: [3] }, type: "int32" },
  bits: { tensor: { data: Uint16Array.of(1, 65535), shape: [2, 1], dtype: "uint16" }, type: "uint16" },
  half: { tensor: half, type: "float16" },
  empty: { tensor: { data: new Float32Array(0), shape: [0, 4] }, type: "float32" },
  scalar: { tensor: { data: Float32Array.of(0.5), shape: [] }, type: "float32" },
};

test("NumPy reads what toNpy writes: type, shape, order and every bit", () => {
  for (const [name, { tensor }] of Object.entries(written)) writeFileSync(join(folder, `${name}.npy`), toNpy(tensor));
  const read = run(`
arrays = {name: np.load(name + ".npy") for name in ${JSON.stringify(Object.keys(written))}}
print(json.dumps({name: [str(a.dtype), list(a.shape), bool(a.flags.c_contiguous), list(a.tobytes())] for name, a in arrays.items()}))`);
  for (const [name, { tensor, type }] of Object.entries(written))
    assert.deepEqual(read[name], [type, tensor.shape, true, bytesOf(tensor)], name);
});

test("fromNpy reads what NumPy saves, of every type and format", () => {
  const expected = run(`
rng = np.random.default_rng(1)
made = {"float32": rng.normal(size=(3, 4, 2)), "float64": rng.normal(size=5), "float16": rng.normal(size=(2, 9)),
        "int32": rng.integers(-9, 9, (4, 1)), "uint16": rng.integers(0, 65535, (0, 3))}
made = {name: np.asarray(a, dtype=name) for name, a in made.items()}
for name, a in made.items():
    np.save(name, a)
    for version in [(2, 0), (3, 0)]:
        with open(f"{name}{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, a, version=version)
print(json.dumps({name: [list(a.shape), list(a.tobytes())] for name, a in made.items()}))`);
  for (const [dtype, [shape, bytes]] of Object.entries(expected)) {
    for (const format of ["", "2", "3"]) {
      const array = fromNpy(readFileSync(join(folder, `${dtype}${format}.npy`)));
      assert.deepEqual([array.dtype, array.shape, bytesOf(array)], [dtype, shape, bytes]);
    }
  }
});

test("what NumPy saves and fromNpy does not take is refused by name", () => {
  run(`
a = np.arange(6, dtype="<f4").reshape(2, 3)
np.save("objects", np.array([{}, None]))
np.save("structure", np.zeros(2, dtype=[("x", "<f4"), ("y", "<f4")]))
np.save("int64", a.astype("int64"))
print("0")`);
  for (const [name, message] of Object.entries({
    objects: /^descr: "\|O", expected .* \(pickled objects are not read\)/,
    structure: /^descr: "a structure", expected one of "<f4"/,
    int64: /^descr: "<i8", expected a type that is read, "<f4", .*: this is int64, save astype\("int32"\)/,
  })) {
    assert.throws(() => fromNpy(readFileSync(join(folder, `${name}.npy`))), { name: "RangeError", message });
  }
});

const HEADERS = [
  "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
  '{"shape": (6L,), "fortran_order": False, "descr": "<f4"}',
  "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': ((3), 2)}",
];

/** The header with one to three of its characters left out, doubled, exchanged, or changed into others that count. */
function spoilt(header, random) {
  let text = header;
  for (let count = 1 + random(3); count > 0; --count) {
    const at = random(text.length);
    const other = "'\"(){}[],: \\L1\nTx"[random(17)];
    const piece = ["", text[at] + text[at], other, text[at] + other, text.slice(at, at + random(12))][random(5)];
    text = text.slice(0, at) + piece + text.slice(at + 1 + random(2));
  }
  return text;
}

test("a header that NumPy refuses is refused, and one that both read gives the same", () => {
  let state = 1;
  const random = (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const all = Array.from({ length: 6000 }, (_, i) => [
    i < 9 ? HEADERS[i % 3] : spoilt(HEADERS[i % 3], random),
    1 + ((i % 7) % 3),
  ]);
  writeFileSync(join(folder, "headers.json"), JSON.stringify(all));
  const read = run(`
import io, struct
def shape_of(header, version):
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    try:
        file = io.BytesIO(length + header.encode())
        shape, fortran, dtype = np.lib.format._read_array_header(file, (version, 0))
        return [list(shape), fortran, dtype.str]
    except Exception:
        return None
with open("headers.json") as file:
    print(json.dumps([shape_of(*each) for each in json.load(file)]))`);
  let accepted = 0;
  for (const [i, [header, version]] of all.entries()) {
    const start = version === 1 ? 10 : 12;
    const bytes = Buffer.alloc(start + header.length + 24);
    bytes.write(`\x93NUMPY${String.fromCharCode(version)}`, "latin1");
    bytes.writeUInt16LE(header.length, 8);
    bytes.write(header, start, "latin1");
    let shape;
    try {
      ({ shape } = fromNpy(bytes));
    } catch (error) {
      assert.ok(error instanceof RangeError && /^[\w.[\]]+: .*, expected /s.test(error.message), error.stack);
      continue;
    }
    ++accepted;
    assert.deepEqual([shape, false, "<f4"], read[i], header);
  }
  assert.ok(accepted > 100, `${accepted} accepted`);
});
