// The best plain JavaScript we know for the same work, and the usual one.

/** Sine and cosine of every element, as most code has it. */
export function tableBySines(out, length, dim) {
  for (let position = 0, at = 0; position < length; ++position) {
    for (let lane = 0; lane < dim; lane += 2, at += 2) {
      const angle = position * 10000 ** (-lane / dim);
      out[at] = Math.sin(angle);
      out[at + 1] = Math.cos(angle);
    }
  }
}

/** Angle addition: one rotation a pair, anew from Math.sin every 64 rows so that errors do not grow. */
export function tableByAddition(out, length, dim) {
  const pairs = dim / 2;
  const frequency = Float64Array.from({ length: pairs }, (_, i) => 10000 ** (-i / pairs));
  const [stepSin, stepCos] = [frequency.map(Math.sin), frequency.map(Math.cos)];
  const [sines, cosines] = [new Float64Array(pairs), new Float64Array(pairs)];
  for (let position = 0, at = 0; position < length; ++position) {
    if (position % 64 === 0) {
      for (let i = 0; i < pairs; ++i) {
        sines[i] = Math.sin(position * frequency[i]);
        cosines[i] = Math.cos(position * frequency[i]);
      }
    }
    for (let i = 0; i < pairs; ++i, at += 2) {
      const s = sines[i];
      const c = cosines[i];
      out[at] = s;
      out[at + 1] = c;
      sines[i] = s * stepCos[i] + c * stepSin[i];
      cosines[i] = c * stepCos[i] - s * stepSin[i];
    }
  }
}

/** Rotation with cos and sin [seq, dim / 2] ready; first and second lane of pair i at i * stride and i * stride + gap. */
function rotate(x, cos, sin, seq, heads, dim, stride, gap) {
  const pairs = dim / 2;
  for (let token = 0, head = 0; token < seq; ++token) {
    const row = token * pairs;
    for (let h = 0; h < heads; ++h, head += dim) {
      for (let i = 0; i < pairs; ++i) {
        const first = head + i * stride;
        const a = x[first];
        const b = x[first + gap];
        const c = cos[row + i];
        const s = sin[row + i];
        x[first] = a * c - b * s;
        x[first + gap] = a * s + b * c;
      }
    }
  }
}

export const rotateHalf = (x, cos, sin, seq, heads, dim) => rotate(x, cos, sin, seq, heads, dim, 1, dim / 2);
export const rotateInterleaved = (x, cos, sin, seq, heads, dim) => rotate(x, cos, sin, seq, heads, dim, 2, 1);
