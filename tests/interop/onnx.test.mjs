// Models that the onnx package of Python writes are read as they were written: nodes, caches, and external data.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, openAsBlob, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { onnxOf } from "posenc/files";
import { load } from "posenc/tools";
import { findOnnx } from "../../bindings/setup/debian-packages.mjs";

const pe = await load();
const python = findOnnx();
const POSITIONS = 64;
const DIM = 16;
let folder;

/** The caches by the formula, rounded once by NumPy; a model that rotates by them, and one whose attention does. */
const PROGRAM = `
import numpy as np, onnx
from onnx import TensorProto, helper, numpy_helper

angles = np.outer(np.arange(${POSITIONS}), 10000.0 ** (-2 * np.arange(${DIM / 2}) / ${DIM}))
caches = {"cos": np.cos(angles), "sin": np.sin(angles)}

def write(name, dtype, nodes, external=False):
    inputs = [helper.make_tensor_value_info(i, TensorProto.FLOAT, None) for i in ("x", "ids")]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    arrays = [numpy_helper.from_array(a.astype(dtype), n) for n, a in caches.items()]
    weight = numpy_helper.from_array(np.ones((64, 64), np.float32), "weight")
    graph = helper.make_graph(nodes, name, inputs, [output], [weight, *arrays])
    domains = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    more = dict(save_as_external_data=True, location=name + ".data", size_threshold=0) if external else {}
    onnx.save_model(helper.make_model(graph, opset_imports=domains), name + ".onnx", **more)

def rotation(**attributes):
    return helper.make_node("RotaryEmbedding", ["x", "ids", "cos", "sin"], ["y"], "rotation", domain="com.microsoft", **attributes)

group = helper.make_node(
    "GroupQueryAttention", ["x", "x", "x", "", "", "ids", "ids", "cos", "sin"], ["y"], "attention", domain="com.microsoft",
    num_heads=8, kv_num_heads=2, do_rotary=1, rotary_interleaved=0, scale=0.25)
branch = helper.make_node("If", ["x"], ["y"], "choice", **{
    side: helper.make_graph([rotation(interleaved=0)], side, [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    for side in ("then_branch", "else_branch")})

write("plain", np.float32, [rotation(interleaved=1, rotary_embedding_dim=${DIM})])
write("half", np.float16, [group])
write("beside", np.float32, [rotation(interleaved=0)], external=True)
write("branches", np.float64, [branch])
`;

before(() => {
  assert.ok(python, "python3-onnx: npm run test:all installs it");
  folder = mkdtempSync(join(tmpdir(), "posenc-onnx-"));
  execFileSync(python, ["-c", PROGRAM], { cwd: folder });
});
after(() => folder && rmSync(folder, { recursive: true, force: true }));

const read = async (name, options) => onnxOf(await openAsBlob(join(folder, `${name}.onnx`)), options);

const rotation = { name: "rotation", domain: "com.microsoft", operator: "RotaryEmbedding" };
const attention = { name: "attention", domain: "com.microsoft", operator: "GroupQueryAttention" };
const grouped = { num_heads: 8, kv_num_heads: 2, do_rotary: 1, rotary_interleaved: 0, scale: 0.25 };

for (const [name, what, nodes] of [
  ["plain", "a rotation", [{ ...rotation, attributes: { interleaved: 1, rotary_embedding_dim: DIM } }]],
  ["half", "grouped attention that rotates, with caches in float16", [{ ...attention, attributes: grouped }]],
  ["beside", "caches in a file beside the model", [{ ...rotation, attributes: { interleaved: 0 } }]],
  [
    "branches",
    "rotations in the branches of a condition",
    Array(2).fill({ ...rotation, attributes: { interleaved: 0 } }),
  ],
])
  test(`${what}: nodes as they were written, and caches that are right`, async () => {
    const model = await read(name, { open: (location) => openAsBlob(join(folder, location)) });
    const found = model.nodes.map((node) => ({ ...node, attributes: { ...node.attributes } }));
    assert.deepEqual(
      found,
      nodes.map((node) => ({ ...node, cos: "cos", sin: "sin" })),
    );
    const [cos, sin] = await Promise.all(["cos", "sin"].map((each) => model.arrays.get(each).read()));
    const { explanations } = pe.diagnose({ cos, sin }, { expected: { dim: DIM, base: 10000 } });
    assert.deepEqual(explanations[0].mistakes, []);
  });
