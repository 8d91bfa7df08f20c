// Tables of sinusoids in plain JavaScript, the best we know.

/** Angle addition: one rotation a pair, started again from Math.sin every 64 rows so that errors do not grow. */
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
