/** The digits of a float32 that are true: an eighth is of the rounding, not of the number. */
const trueDigits = 7;

/** A float32 with this many decimals or its true digits, with a real minus sign, and no "−0.00". */
export function fixed(value: number, decimals: number): string {
  const behind = trueDigits - 1 - Math.floor(Math.log10(Math.abs(value) || 1));
  const text = value.toFixed(Math.max(0, Math.min(decimals, behind)));
  return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
}

/** A number with this many significant digits, without trailing zeros. */
export function significant(value: number, digits: number): string {
  return plain(Number(value.toPrecision(digits)));
}

/** The shortest text that reads back as this number, with a real minus sign. */
export function plain(value: number): string {
  return String(value).replace(/-/g, "−");
}

/** A number for narrow places beside a drawing, large ones as 100K and 1M. */
export function brief(value: number): string {
  if (value < 1e5) return plain(value);
  return value < 1e6 ? `${plain(value / 1e3)}K` : `${plain(value / 1e6)}M`;
}

/** A float32 with all the digits that are true. */
export function single(value: number): string {
  return significant(value, trueDigits);
}

/** Rows of a matrix. */
export function rows<T>(values: ArrayLike<T>, width: number): T[][] {
  const all = Array.from(values);
  return Array.from({ length: all.length / width }, (_, index) => all.slice(index * width, (index + 1) * width));
}

/** One line of a file of values. */
export type Line = readonly (string | number)[];

/** A float32 for such a line, with nine digits: it reads back as the same float32. */
export function exactly(value: number): number {
  return Number(value.toPrecision(9));
}

/** The lines of a file of a matrix: the numbers of its columns after a name, then each row after its number. */
export function* matrixLines(name: string, values: Float32Array | Int32Array, width: number): Iterable<Line> {
  yield [name, ...Array.from({ length: width }, (_, column) => column)];
  for (let row = 0; row * width < values.length; row++)
    yield [row, ...Array.from(values.subarray(row * width, (row + 1) * width), exactly)];
}

/** Round numbers between `low` and `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number, whole = true): number[] {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  const step = whole ? Math.max(1, Math.round(factor * power)) : factor * power;
  const found: number[] = [];
  for (let index = Math.ceil(low / step); index * step <= high; index++)
    found.push(Number((index * step).toPrecision(12)));
  return found;
}
