// onnxruntime-web, one thread: a graph of sine and cosine for tables; its own operator for rotation.

import { INT64, model, node, value } from "./onnx.mjs";

export async function open(load) {
  const ort = await load("onnxruntime-web");
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  const session = (bytes) => ort.InferenceSession.create(bytes, { executionProviders: ["wasm"] });
  const floats = (data, shape) => new ort.Tensor("float32", data, shape);

  return {
    async table({ positions, frequencies }) {
      const pairs = frequencies.length;
      const made = await session(
        model(
          [
            node("Mul", ["position", "frequency"], ["angle"]),
            node("Sin", ["angle"], ["sin"]),
            node("Cos", ["angle"], ["cos"]),
            node("Concat", ["sin", "cos"], ["out"], { axis: 1 }),
          ],
          [value("position", ["n", 1]), value("frequency", [1, pairs])],
          [value("out", ["n", 2 * pairs])],
        ),
      );
      const inputs = {
        position: floats(positions, [positions.length, 1]),
        frequency: floats(frequencies, [1, pairs]),
      };
      const run = () => made.run(inputs);
      return { run, result: async () => (await run()).out.data };
    },

    async rotation({ x, cos, sin, layout, seq, heads, dim, next, first }) {
      const domain = "com.microsoft";
      const attributes = { interleaved: layout === "interleaved" ? 1 : 0 };
      const rows = cos.length / (dim / 2);
      const width = heads * dim;
      const made = await session(
        model(
          [node("RotaryEmbedding", ["x", "first", "cos", "sin"], ["out"], attributes, domain)],
          [
            value("x", [1, "n", width]),
            value("first", [1], INT64),
            value("cos", [rows, dim / 2]),
            value("sin", [rows, dim / 2]),
          ],
          [value("out", [1, "n", width])],
        ),
      );
      const inputs = {
        x: floats(x, [1, seq, width]),
        cos: floats(cos, [rows, dim / 2]),
        sin: floats(sin, [rows, dim / 2]),
      };
      const at = (id) => made.run({ ...inputs, first: new ort.Tensor("int64", [BigInt(id)], [1]) });
      return { run: () => at(next()), result: async () => (await at(first)).out.data };
    },
  };
}
