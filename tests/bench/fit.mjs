// How times grow.

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** The exponent e of time = c · size^e: the slope of the line through the logarithms, by least squares. */
export function fittedExponent(sizes, times) {
  const [x, y] = [sizes.map(Math.log), times.map(Math.log)];
  const [meanX, meanY] = [x, y].map((values) => sum(values) / values.length);
  const across = sum(x.map((value, i) => (value - meanX) * (y[i] - meanY)));
  return across / sum(x.map((value) => (value - meanX) ** 2));
}

/**
 * The line time = fixed + perUnit · size by least squares of relative errors (over decades, absolute ones would see the
 * largest sizes alone), with no negative fixed part; and the largest factor, above or below, between a time and the line.
 */
export function fittedLine(sizes, times) {
  const u = times.map((time) => 1 / time);
  const v = sizes.map((size, i) => size / times[i]);
  const [uu, uv, vv] = [sum(u.map((a) => a * a)), sum(u.map((a, i) => a * v[i])), sum(v.map((b) => b * b))];
  const determinant = uu * vv - uv * uv;
  const fixed = (sum(u) * vv - sum(v) * uv) / determinant;
  const isProportional = !(fixed > 0);
  const line = isProportional
    ? { fixed: 0, perUnit: sum(v) / vv }
    : { fixed, perUnit: (sum(v) * uu - sum(u) * uv) / determinant };
  const logs = sizes.map((size, i) => Math.abs(Math.log(times[i] / (line.fixed + line.perUnit * size))));
  const furthest = Math.max(...logs);
  return { ...line, factor: Math.exp(furthest), at: sizes[logs.indexOf(furthest)] };
}
