// Writes to standard output.

/** JSON has no number for NaN and infinities: they go by their names. */
const named = (_: string, value: unknown) =>
  typeof value === "number" && !Number.isFinite(value)
    ? String(value)
    : ArrayBuffer.isView(value)
      ? Array.from(value as Float64Array)
      : value;

export const printJson = (value: unknown): void => print(JSON.stringify(value, named, 2));

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Six digits, without the zeros at their end. */
export const short = (value: number): string => String(Number(value.toPrecision(6)));
