// Writes to standard output, or to standard error where a file goes to standard output.

import { isatty } from "node:tty";
import { codes, FileFailure, inOneLine, reasonOf, unprintable } from "./failure.js";

/** JSON has no number for NaN and infinities: they go by their names. */
const named = (_: string, value: unknown) =>
  typeof value === "number" && !Number.isFinite(value)
    ? String(value)
    : ArrayBuffer.isView(value)
      ? Array.from(value as Float64Array)
      : value;

const asUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

let words: NodeJS.WriteStream = process.stdout;
let isLost = false;

/** Prints lines of which no name is a part that a file or a config has. */
export function printLines(text: string): void {
  words.write(`${text}\n`);
}

/** Prints one line, whatever is in it. */
export const print = (text: string): void => printLines(inOneLine(text));

/** JSON escapes the ends of lines in texts; other characters that a terminal acts on are escaped here. */
export const printJson = (value: unknown): void =>
  printLines(
    JSON.stringify(value, named, 2)
      .split("\n")
      .map((line) => line.replace(unprintable, (text) => text.replace(/[\s\S]/g, asUnit)))
      .join("\n"),
  );

/** Keeps standard output for a file: what is printed goes to standard error from here on. */
export function keepOutput(): void {
  if (isatty(1)) throw new FileFailure("standard output: a terminal, expected a file or a pipe");
  words = process.stderr;
}

export function printBytes(bytes: Uint8Array): void {
  process.stdout.write(bytes);
}

/** Reports standard output that cannot be written, once. Whoever reads it may stop, as head does: that is no fault. */
export function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || isLost) return;
    isLost = true;
    process.exitCode = codes.refused;
    process.stderr.write(`posenc: standard output: ${reasonOf(error)}\n`);
  });
  // There is no other place to say that it cannot be written.
  process.stderr.on("error", () => {});
}

/** Ends with this code, unless what was printed is lost. */
export function endWith(code: number): void {
  process.exitCode = isLost ? codes.refused : code;
}

/** Six digits, without the zeros at their end. */
export const short = (value: number): string => String(Number(value.toPrecision(6)));
