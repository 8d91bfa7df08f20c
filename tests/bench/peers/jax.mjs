// jax-js with its WebAssembly backend, functions compiled by its jit. Results stay in its memory. It counts references:
// a call uses its arguments up, `.ref` keeps them.

import { jaxTraining } from "./jax-training.mjs";

export async function open(load) {
  const jax = await load("@jax-js/jax");
  await jax.init("wasm");
  jax.defaultDevice("wasm");
  const { numpy: np, jit } = jax;
  const array = (data, shape) => np.array(data, { shape });

  const task = (make) => ({
    async run() {
      const out = await jax.blockUntilReady(make());
      out.dispose();
    },
    result: async () => make().dataSync(),
  });

  const rotateHalf = (pairs) => (x, c, s) => {
    const [a, b] = np.split(x, [pairs], -1);
    return np.concatenate([a.ref.mul(c.ref).sub(b.ref.mul(s.ref)), a.mul(s).add(b.mul(c))], -1);
  };

  const rotateInterleaved =
    ([seq, heads, pairs]) =>
    (x, c, s) => {
      const [a, b] = np
        .split(x.reshape([seq, heads, pairs, 2]), [1], -1)
        .map((part) => part.reshape([seq, heads, pairs]));
      return np
        .stack([a.ref.mul(c.ref).sub(b.ref.mul(s.ref)), a.mul(s).add(b.mul(c))], -1)
        .reshape([seq, heads, 2 * pairs]);
    };

  const { nn } = jax;
  const tensor = ({ data, shape }) => array(data, shape);

  return {
    trainingMust: 5,
    training: (model) => jaxTraining(jax, model),

    async linear({ x, weight }) {
      const [a, b] = [x, weight].map(tensor);
      const make = jit((left, right) => np.matmul(left, np.matrixTranspose(right)));
      return task(() => make(a.ref, b.ref));
    },

    async softmax({ x }) {
      const scores = tensor(x);
      const make = jit((values) => nn.softmax(values, -1));
      return task(() => make(scores.ref));
    },

    async attention({ query, key, value, bias }) {
      const [q, k, v] = [query, key, value].map(tensor);
      const added = bias && tensor(bias);
      const scale = 1 / Math.sqrt(query.shape.at(-1));
      const make = jit((one, other, values, ...biases) => {
        const scores = np.matmul(one, np.matrixTranspose(other)).mul(scale);
        return np.matmul(nn.softmax(biases.length > 0 ? scores.add(biases[0]) : scores, -1), values);
      });
      return task(() => make(q.ref, k.ref, v.ref, ...(added ? [added.ref] : [])));
    },

    async table({ positions, frequencies }) {
      const position = array(positions, [positions.length, 1]);
      const frequency = array(frequencies, [1, frequencies.length]);
      const make = jit((p, f) => {
        const angle = p.mul(f);
        return np.concatenate([np.sin(angle.ref), np.cos(angle)], -1);
      });
      return task(() => make(position.ref, frequency.ref));
    },

    async rotation({ x, cos, sin, layout, seq, heads, dim, next, first }) {
      const pairs = dim / 2;
      const dims = array(x, [seq, heads, dim]);
      const rotate = jit(layout === "half" ? rotateHalf(pairs) : rotateInterleaved([seq, heads, pairs]));
      // Rows are prepared: slicing a table at a changing place would compile again each time.
      const count = Math.min(cos.length / (seq * pairs), 64);
      const rows = Array.from({ length: count }, (_, i) =>
        [cos, sin].map((values) => array(values.slice(i * seq * pairs, (i + 1) * seq * pairs), [seq, 1, pairs])),
      );
      const at = (id) => {
        const [c, s] = rows[id % count];
        return rotate(dims.ref, c.ref, s.ref);
      };
      return { ...task(() => at(next())), result: task(() => at(first)).result };
    },
  };
}
