// What toNpy writes is read by NumPy, and what NumPy saves by fromNpy.

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

/** What a Python program prints, as JSON; NumPy is installed, and the folder is the current one. */
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
  for (const [name, { tensor, type }] of Object.entries(written)) {
    assert.deepEqual(read[name], [type, tensor.shape, true, bytesOf(tensor)], name);
  }
});

test("NumPy sees the same numbers", () => {
  const [value] = run(`print(json.dumps([float(np.load("table.npy")[3, 5])]))`);
  assert.equal(value, Math.fround(Math.cos(3 / 10000 ** 0.4)));
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
np.save("fortran", np.asfortranarray(a))
np.save("big", a.astype(">f4"))
np.save("objects", np.array([{}, None]))
np.save("structure", np.zeros(2, dtype=[("x", "<f4"), ("y", "<f4")]))
np.save("int64", a.astype("int64"))
np.savez("several", a=a)
print("0")`);
  for (const [name, message] of Object.entries({
    fortran: /^fortran_order: "True", expected False/,
    big: /^descr: ">f4", expected "<f4" \(or one of "<f4", .* \(big-endian/,
    objects: /^descr: "\|O", expected .* \(pickled objects are not read\)/,
    structure: /^descr: "a structure", expected one of "<f4"/,
    int64: /^descr: "<i8", expected "<.." \(or one of "<f4"/,
  })) {
    assert.throws(() => fromNpy(readFileSync(join(folder, `${name}.npy`))), { name: "RangeError", message });
  }
  assert.throws(
    () => fromNpy(readFileSync(join(folder, "several.npz"))),
    /^RangeError: bytes: "PK.*expected a \.npy file/s,
  );
});
