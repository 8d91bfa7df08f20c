// posenc's language model in jax-js, a whole step compiled by its jit. Each use of an array but the last needs a `.ref`.

const BETAS = [0.9, 0.98];

/** { step({ tokens, targets, rate, step }): its loss } of a model (training.mjs). */
export function jaxTraining(jax, { sizes: { vocabulary, length, layers, width, heads }, parameters, bias }) {
  const { numpy: np, nn, jit, valueAndGrad } = jax;
  const dims = width / heads;
  const each = (arrays, make) =>
    Object.fromEntries(Object.entries(arrays).map(([name, one]) => [name, make(one, name)]));

  const linear = (x, weight) => np.matmul(x, np.matrixTranspose(weight));
  const norm = (x, gain) => {
    const squares = np.mean(x.ref.mul(x.ref), 1, { keepdims: true });
    return x.div(np.sqrt(squares.add(1e-6))).mul(gain);
  };
  const split = (x) => np.transpose(x.reshape([-1, length, heads, dims]), [0, 2, 1, 3]);

  function attention(x, of, at, added) {
    const [query, key, value] = np.split(linear(x, of[`${at}query_key_value`]), 3, 1).map(split);
    const scores = np
      .matmul(query, np.matrixTranspose(key))
      .mul(1 / Math.sqrt(dims))
      .add(added);
    const mixed = np.matmul(nn.softmax(scores, -1), value);
    return linear(np.transpose(mixed, [0, 2, 1, 3]).reshape([-1, width]), of[`${at}attention_output`]);
  }

  function loss(of, tokens, targets, added) {
    let x = np.matmul(nn.oneHot(tokens, vocabulary), of.embedding);
    for (let layer = 0; layer < layers; ++layer) {
      const at = `layers.${layer}.`;
      x = x.ref.add(attention(norm(x, of[`${at}attention_norm`]), of, at, added.ref));
      const up = linear(norm(x.ref, of[`${at}mlp_norm`]), of[`${at}up`]).add(of[`${at}up_bias`]);
      x = x.add(linear(nn.gelu(up), of[`${at}down`]).add(of[`${at}down_bias`]));
    }
    added.dispose();
    const likely = nn.logSoftmax(linear(norm(x, of.last_norm), of.output), -1);
    return np.mean(np.sum(likely.mul(nn.oneHot(targets, vocabulary)), 1)).neg();
  }

  /** Adam with gradients whose norm is at most 1; `corrections` are 1 - beta^step. */
  function update(state, tokens, targets, added, rate, corrections) {
    const [value, gradients] = valueAndGrad(loss)(
      each(state.values, (one) => one.ref),
      tokens,
      targets,
      added,
    );
    const squares = Object.values(gradients).map((one) => np.sum(one.ref.mul(one.ref)));
    const factor = np.minimum(np.reciprocal(np.sqrt(squares.reduce((sum, one) => sum.add(one)))), 1);
    const clipped = each(gradients, (one) => one.mul(factor.ref));
    factor.dispose();
    const [first, second] = corrections;
    const next = { values: {}, first: {}, second: {} };
    for (const name of Object.keys(clipped)) {
      const slope = clipped[name];
      const mean = state.first[name].mul(BETAS[0]).add(slope.ref.mul(1 - BETAS[0]));
      const square = state.second[name].mul(BETAS[1]).add(slope.ref.mul(slope).mul(1 - BETAS[1]));
      const step = mean.ref.div(first.ref).div(np.sqrt(square.ref.div(second.ref)).add(1e-9));
      next.values[name] = state.values[name].sub(step.mul(rate.ref));
      next.first[name] = mean;
      next.second[name] = square;
    }
    for (const one of [first, second, rate]) one.dispose();
    return [value, next];
  }

  const step = jit(update);
  const named = Object.fromEntries(parameters.map((one) => [one.name, one]));
  const filled = (values) => each(named, ({ data, shape }) => np.array(values(data), { shape }));
  const zeros = (data) => new Float32Array(data.length);
  let state = { values: filled((data) => data), first: filled(zeros), second: filled(zeros) };
  const added = np.array(bias.data, { shape: bias.shape });
  const ids = (list) => np.array(Int32Array.from(list), { dtype: np.int32 });
  const number = (value) => np.array(Float32Array.of(value), { shape: [1] });
  return {
    async step({ tokens, targets, rate, step: count }) {
      const corrections = BETAS.map((beta) => number(1 - beta ** count));
      const [value, next] = step(state, ids(tokens), ids(targets), added.ref, number(rate), corrections);
      state = await jax.blockUntilReady(next);
      return value.dataSync()[0];
    },
  };
}
