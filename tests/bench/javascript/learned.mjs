// Tables of parameters, what trains them, and what makes them fit another length, in plain JavaScript.

import { xorshift } from "./attention.mjs";

/** Normal numbers, two of each pair of uniform ones (Box and Muller). */
export function normal(out, deviation) {
  let state = 12345;
  for (let i = 0; i < out.length; i += 2) {
    state = xorshift(state);
    const radius = deviation * Math.sqrt(-2 * Math.log(((state >>> 0) + 1) / 2 ** 32));
    state = xorshift(state);
    const angle = (2 * Math.PI * (state >>> 0)) / 2 ** 32;
    out[i] = radius * Math.cos(angle);
    out[i + 1] = radius * Math.sin(angle);
  }
}

export function lookupRows({ table, ids }, out, dim) {
  for (let i = 0, at = 0; i < ids.length; ++i, at += dim) {
    const row = ids[i] * dim;
    out.set(table.subarray(row, row + dim), at);
  }
}

export function addRows({ x, table, ids }, out, dim) {
  for (let i = 0, at = 0; i < ids.length; ++i) {
    const row = ids[i] * dim;
    for (let d = 0; d < dim; ++d, ++at) out[at] = x[at] + table[row + d];
  }
}

export function rowsGradient({ gradient, ids }, out, dim) {
  out.fill(0);
  for (let i = 0, at = 0; i < ids.length; ++i) {
    const row = ids[i] * dim;
    for (let d = 0; d < dim; ++d, ++at) out[row + d] += gradient[at];
  }
}

/** Positions of the tokens that are no padding, [rows, n]. */
export function paddedPositions(mask, out, n, padding) {
  for (let row = 0, at = 0; row < mask.length; row += n) {
    for (let i = 0, next = padding + 1; i < n; ++i, ++at) out[at] = mask[at] === 0 ? padding : next++;
  }
}

/** table[id, head] for each head. */
export function tableBias({ ids, table }, out, heads) {
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let i = 0; i < ids.length; ++i, ++at) out[at] = table[ids[i] * heads + head];
  }
}

export function tableBiasBackward({ ids, gradient }, out, heads) {
  out.fill(0);
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let i = 0; i < ids.length; ++i, ++at) out[ids[i] * heads + head] += gradient[at];
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

export function sgdStep({ parameters, gradient, buffer }, { lr, momentum }) {
  for (let i = 0; i < parameters.length; ++i) {
    const b = momentum * buffer[i] + gradient[i];
    buffer[i] = b;
    parameters[i] -= lr * b;
  }
}

/** Rows of a table between two of its rows each, [from, dim] to [to, dim]. */
export function resizeTable(table, out, from, to, dim) {
  for (let i = 0, at = 0; i < to; ++i) {
    const place = Math.max(((i + 0.5) * from) / to - 0.5, 0);
    const below = Math.min(Math.floor(place), from - 1);
    const above = Math.min(below + 1, from - 1);
    const part = place - below;
    for (let d = 0; d < dim; ++d, ++at) {
      out[at] = (1 - part) * table[below * dim + d] + part * table[above * dim + d];
    }
  }
}

/** What four neighbours count, with a = -0.5, which is right where an axis becomes longer and antialias does nothing. */
function cubicWeights(from, to) {
  const kernel = (x) => {
    const far = Math.abs(x);
    if (far < 1) return (1.5 * far - 2.5) * far * far + 1;
    return far < 2 ? ((-0.5 * far + 2.5) * far - 4) * far + 2 : 0;
  };
  return Array.from({ length: to }, (_, i) => {
    const centre = ((i + 0.5) * from) / to - 0.5;
    const first = Math.floor(centre) - 1;
    const places = [0, 1, 2, 3].map((k) => first + k).filter((place) => place >= 0 && place < from);
    const weights = places.map((place) => kernel(place - centre));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    return { places, weights: weights.map((weight) => weight / sum) };
  });
}

/** [height · width, dim] to a larger grid: along rows first, then along columns. */
export function resizeGrid(table, out, [height, width], [newHeight, newWidth], dim) {
  const [rows, columns] = [cubicWeights(height, newHeight), cubicWeights(width, newWidth)];
  const between = new Float32Array(height * newWidth * dim);
  const blend = (from, base, stride, { places, weights }, to, at) => {
    for (let k = 0; k < places.length; ++k) {
      const start = base + places[k] * stride;
      const weight = weights[k];
      for (let d = 0; d < dim; ++d) to[at + d] += weight * from[start + d];
    }
  };
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < newWidth; ++x)
      blend(table, y * width * dim, dim, columns[x], between, (y * newWidth + x) * dim);
  }
  out.fill(0);
  for (let y = 0; y < newHeight; ++y) {
    for (let x = 0; x < newWidth; ++x) blend(between, x * dim, newWidth * dim, rows[y], out, (y * newWidth + x) * dim);
  }
}

/** Rows of two axes' tables side by side, [rows · columns, dims of both]. */
export function reformerAxial({ first, second }, out, [rows, columns], [firstDim, secondDim]) {
  for (let y = 0, at = 0; y < rows; ++y) {
    for (let x = 0; x < columns; ++x) {
      for (let d = 0; d < firstDim; ++d, ++at) out[at] = first[y * firstDim + d];
      for (let d = 0; d < secondDim; ++d, ++at) out[at] = second[x * secondDim + d];
    }
  }
}

export function reformerAxialGradient(gradient, { first, second }, [rows, columns], [firstDim, secondDim]) {
  first.fill(0);
  second.fill(0);
  for (let y = 0, at = 0; y < rows; ++y) {
    for (let x = 0; x < columns; ++x) {
      for (let d = 0; d < firstDim; ++d, ++at) first[y * firstDim + d] += gradient[at];
      for (let d = 0; d < secondDim; ++d, ++at) second[x * secondDim + d] += gradient[at];
    }
  }
}
