// onnxruntime-web or onnxruntime-node, one thread: a graph of sine and cosine for tables; its own operators for rotation and decoding.

import { INT32, INT64, model, node, value } from "./onnx.mjs";

export async function open(load, _, name) {
  const ort = await load(name);
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  const options =
    name === "onnxruntime-web"
      ? { executionProviders: ["wasm"] }
      : { executionProviders: ["cpu"], intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = (bytes) => ort.InferenceSession.create(bytes, options);
  const floats = (data, shape) => new ort.Tensor("float32", data, shape);

  /** A graph of these nodes, run with tensors that are kept. */
  async function task(nodes, tensors, shape) {
    const inputs = Object.fromEntries(
      Object.entries(tensors).map(([name, one]) => [name, floats(one.data, one.shape)]),
    );
    const named = Object.entries(tensors).map(([name, one]) => value(name, one.shape));
    const made = await session(model(nodes, named, [value("out", shape)]));
    const run = () => made.run(inputs);
    return { run, result: async () => (await run()).out.data };
  }

  return {
    linear: ({ x, weight }) =>
      task([node("Gemm", ["x", "weight"], ["out"], { transB: 1 })], { x, weight }, [x.shape[0], weight.shape[0]]),

    softmax: ({ x }) => task([node("Softmax", ["x"], ["out"], { axis: x.shape.length - 1 })], { x }, x.shape),

    attention({ query, key, value: values, bias }) {
      const [heads, n, dim] = query.shape;
      const transposed = { data: transpose(key.data, heads, n, dim), shape: [heads, dim, n] };
      const scale = { data: Float32Array.of(1 / Math.sqrt(dim)), shape: [1] };
      const nodes = [
        node("MatMul", ["query", "key"], ["products"]),
        node("Mul", ["products", "scale"], ["scaled"]),
        ...(bias ? [node("Add", ["scaled", "bias"], ["scores"])] : []),
        node("Softmax", [bias ? "scores" : "scaled"], ["weights"], { axis: 2 }),
        node("MatMul", ["weights", "value"], ["out"]),
      ];
      return task(nodes, { query, key: transposed, value: values, scale, ...(bias && { bias }) }, query.shape);
    },

    /** Rotates one token's query and key, adds key and value to the cache, and attends: one operator does it all. */
    async decoding({ query, key, value: values, cachedKeys, cachedValues, cos, sin }) {
      const [heads, , dim] = query.shape;
      const [keyHeads, held] = cachedKeys.shape;
      const token = ({ data, shape: [n] }) => ({ data, shape: [1, 1, n * dim] });
      const past = ({ data }) => ({ data, shape: [1, keyHeads, held, dim] });
      const tensors = { query: token(query), key: token(key), value: token(values) };
      Object.assign(tensors, { pastKey: past(cachedKeys), pastValue: past(cachedValues), cos, sin });
      const counts = { last: [INT32, [1], held], total: [INT32, [1], held + 1] };
      const names = ["query", "key", "value", "pastKey", "pastValue", "last", "total", "cos", "sin"];
      const attributes = { num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 };
      const made = await session(
        model(
          [node("GroupQueryAttention", names, ["out", "keys", "values"], attributes, "com.microsoft")],
          [
            // The operator believes a cache to be as long afterwards as before, where its length is a number.
            ...Object.entries(tensors).map(([name, { shape }]) =>
              value(name, name.startsWith("past") ? shape.with(2, "past") : shape),
            ),
            ...Object.entries(counts).map(([name, [type, shape]]) => value(name, shape, type)),
          ],
          [
            value("out", [1, 1, heads * dim]),
            ...["keys", "values"].map((name) => value(name, [1, keyHeads, "total", dim])),
          ],
        ),
      );
      const inputs = {
        ...Object.fromEntries(Object.entries(tensors).map(([name, { data, shape }]) => [name, floats(data, shape)])),
        ...Object.fromEntries(
          Object.entries(counts).map(([name, [, shape, n]]) => [name, new ort.Tensor("int32", [n], shape)]),
        ),
      };
      const run = () => made.run(inputs);
      return { run, result: async () => (await run()).out.data };
    },

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

/** [heads, n, dim] to [heads, dim, n]: prepared, as a graph would have to do it in each run. */
function transpose(from, heads, n, dim) {
  const to = new Float32Array(from.length);
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let i = 0; i < n; ++i) {
      for (let d = 0; d < dim; ++d, ++at) to[(head * dim + d) * n + i] = from[at];
    }
  }
  return to;
}
