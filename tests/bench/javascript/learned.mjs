// Look-up of rows, and Adam's step, in plain JavaScript.

export function lookupRows({ table, ids }, out, dim) {
  for (let i = 0, at = 0; i < ids.length; ++i, at += dim) {
    const row = ids[i] * dim;
    out.set(table.subarray(row, row + dim), at);
  }
}

export function adamStep({ parameters, gradient, firstMoment, secondMoment }, { lr, step, weightDecay }) {
  const [b1, b2, eps] = [0.9, 0.999, 1e-8];
  const size = lr / (1 - b1 ** step);
  const root = 1 / Math.sqrt(1 - b2 ** step);
  const kept = 1 - lr * weightDecay;
  for (let i = 0; i < parameters.length; ++i) {
    const g = gradient[i];
    const m = b1 * firstMoment[i] + (1 - b1) * g;
    const v = b2 * secondMoment[i] + (1 - b2) * g * g;
    firstMoment[i] = m;
    secondMoment[i] = v;
    parameters[i] = kept * parameters[i] - (size * m) / (Math.sqrt(v) * root + eps);
  }
}
