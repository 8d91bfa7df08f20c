// How times grow.

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The exponent e of time = c · size^e: the slope of the line through the logarithms, by least squares. */
export function fittedExponent(sizes, times) {
  const [x, y] = [sizes.map(Math.log), times.map(Math.log)];
  const [meanX, meanY] = [mean(x), mean(y)];
  const across = x.reduce((sum, value, i) => sum + (value - meanX) * (y[i] - meanY), 0);
  return across / x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
}

/**
 * How far times are from c · size, with the c that suits them best: the largest factor, above or below, and at which
 * size.
 */
export function deviationFromLinear(sizes, times) {
  const perUnit = times.map((time, i) => Math.log(time / sizes[i]));
  const middle = mean(perUnit);
  const distances = perUnit.map((value) => Math.abs(value - middle));
  const factor = Math.max(...distances);
  return { factor: Math.exp(factor), size: sizes[distances.indexOf(factor)] };
}
