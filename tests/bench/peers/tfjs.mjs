// TensorFlow.js with its WebAssembly backend, one thread. Results stay in its memory.

import { tfjsTraining } from "./tfjs-training.mjs";

export async function open(load, folderOf) {
  const tf = await load("@tensorflow/tfjs");
  const wasm = await load("@tensorflow/tfjs-backend-wasm");
  wasm.setWasmPaths(folderOf("@tensorflow/tfjs-backend-wasm"));
  wasm.setThreadsCount(1);
  if (!(await tf.setBackend("wasm"))) throw new Error("tfjs has no WebAssembly backend here");

  /** `make` builds a tensor from others that are kept. */
  const task = (make) => ({
    run: () => tf.dispose(tf.tidy(make)),
    result: async () => tf.tidy(() => make().dataSync()),
  });

  const matrices = {};
  /** The matrix that makes (-b, a) of every pair (a, b). */
  function changed(dim) {
    const entry = (i) => {
      const [row, column] = [Math.floor(i / dim), i % dim];
      return row === (column ^ 1) ? (column % 2 ? 1 : -1) : 0;
    };
    matrices[dim] ??= tf.keep(
      tf.tensor(
        Float32Array.from({ length: dim * dim }, (_, i) => entry(i)),
        [dim, dim],
      ),
    );
    return matrices[dim];
  }

  function rotateHalf(x, c, s, [seq, heads, pairs]) {
    const a = tf.slice(x, [0, 0, 0], [seq, heads, pairs]);
    const b = tf.slice(x, [0, 0, pairs], [seq, heads, pairs]);
    return tf.concat([tf.sub(tf.mul(a, c), tf.mul(b, s)), tf.add(tf.mul(a, s), tf.mul(b, c))], 2);
  }

  /** x cos + (x with the dimensions of each pair changed) sin: as a product with a matrix ten times as fast as by slices. */
  function rotateInterleaved(x, c, s, [seq, heads, pairs]) {
    const twice = (table) => tf.reshape(tf.stack([table, table], 3), [seq, 1, 2 * pairs]);
    const other = tf.reshape(tf.matMul(tf.reshape(x, [seq * heads, 2 * pairs]), changed(2 * pairs)), x.shape);
    return tf.add(tf.mul(x, twice(c)), tf.mul(other, twice(s)));
  }

  const tensor = ({ data, shape }) => tf.tensor(data, shape);

  return {
    trainingMust: 5,
    training: (model) => tfjsTraining(tf, model),

    async linear({ x, weight }) {
      const [a, b] = [x, weight].map(tensor);
      return task(() => tf.matMul(a, b, false, true));
    },

    async softmax({ x }) {
      const scores = tensor(x);
      return task(() => tf.softmax(scores));
    },

    async attention({ query, key, value, bias }) {
      const [q, k, v] = [query, key, value].map(tensor);
      const added = bias && tensor(bias);
      const scale = 1 / Math.sqrt(query.shape.at(-1));
      const scores = () => tf.mul(tf.matMul(q, k, false, true), scale);
      return task(() => tf.matMul(tf.softmax(added ? tf.add(scores(), added) : scores()), v));
    },

    async table({ positions, frequencies }) {
      const position = tf.tensor2d(positions, [positions.length, 1]);
      const frequency = tf.tensor2d(frequencies, [1, frequencies.length]);
      return task(() => {
        const angle = tf.mul(position, frequency);
        return tf.concat([tf.sin(angle), tf.cos(angle)], 1);
      });
    },

    async rotation({ x, cos, sin, layout, seq, heads, dim, next, first }) {
      const pairs = dim / 2;
      const dims = tf.tensor(x, [seq, heads, dim]);
      const [c, s] = [cos, sin].map((values) => tf.tensor(values, [values.length / pairs, 1, pairs]));
      const rotate = layout === "half" ? rotateHalf : rotateInterleaved;
      const rows = (table, id) => tf.slice(table, [id, 0, 0], [seq, 1, pairs]);
      const at = (id) => rotate(dims, rows(c, id), rows(s, id), [seq, heads, pairs]);
      return { ...task(() => at(next())), result: task(() => at(first)).result };
    },
  };
}
