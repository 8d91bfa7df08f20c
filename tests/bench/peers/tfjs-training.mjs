// posenc's language model in TensorFlow.js. Tokens are looked up by products with ones and zeros: of a gather its
// WebAssembly backend has no gradient.

/** { step({ tokens, targets, rate, step }): its loss } of a model (training.mjs). */
export function tfjsTraining(tf, { sizes: { vocabulary, length, layers, width, heads }, parameters, bias }) {
  const of = Object.fromEntries(parameters.map(({ name, shape, data }) => [name, tf.variable(tf.tensor(data, shape))]));
  const added = tf.tensor(bias.data, bias.shape);
  const dims = width / heads;
  const optimizer = tf.train.adam(1, 0.9, 0.98, 1e-9);

  const norm = (x, gain) => tf.mul(tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), 1, true), 1e-6))), gain);
  /** Matrices are transposed first: the backend's quick products are of those that are not. */
  const product = tf.customGrad((a, b, save) => {
    save([a, b]);
    const gradFunc = (slope, [x, y]) => [tf.matMul(slope, tf.transpose(y)), tf.matMul(tf.transpose(x), slope)];
    return { value: tf.matMul(a, b), gradFunc };
  });
  const linear = (x, weight) => product(x, tf.transpose(weight));
  const gelu = (x) => tf.mul(x, tf.sigmoid(tf.mul(x, tf.add(tf.mul(tf.square(x), 0.0713548163), 1.5957691216))));
  const split = (x) => tf.transpose(tf.reshape(x, [-1, length, heads, dims]), [0, 2, 1, 3]);

  function attention(x, at) {
    const [query, key, value] = tf.split(linear(x, of[`${at}query_key_value`]), 3, 1).map(split);
    const scores = tf.add(tf.mul(tf.matMul(query, key, false, true), 1 / Math.sqrt(dims)), added);
    const mixed = tf.matMul(tf.softmax(scores), value);
    return linear(tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [-1, width]), of[`${at}attention_output`]);
  }

  function logits(tokens) {
    let x = product(tokens, of.embedding);
    for (let layer = 0; layer < layers; ++layer) {
      const at = `layers.${layer}.`;
      x = tf.add(x, attention(norm(x, of[`${at}attention_norm`]), at));
      const up = tf.add(linear(norm(x, of[`${at}mlp_norm`]), of[`${at}up`]), of[`${at}up_bias`]);
      x = tf.add(x, tf.add(linear(gelu(up), of[`${at}down`]), of[`${at}down_bias`]));
    }
    return linear(norm(x, of.last_norm), of.output);
  }

  function clipped(gradients) {
    const all = Object.values(gradients);
    const total = tf.sqrt(tf.addN(all.map((gradient) => tf.sum(tf.square(gradient)))));
    const factor = tf.minimum(tf.div(1, total), 1);
    return Object.fromEntries(Object.entries(gradients).map(([name, one]) => [name, tf.mul(one, factor)]));
  }

  return {
    step: ({ tokens, targets, rate }) =>
      tf.tidy(() => {
        const [read, asked] = [tokens, targets].map((ids) =>
          tf.cast(tf.oneHot(tf.tensor1d(ids, "int32"), vocabulary), "float32"),
        );
        const { value, grads } = tf.variableGrads(() => tf.losses.softmaxCrossEntropy(asked, logits(read)));
        optimizer.learningRate = rate;
        optimizer.applyGradients(clipped(grads));
        return value.dataSync()[0];
      }),
  };
}
