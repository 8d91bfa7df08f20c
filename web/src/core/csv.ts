import type { Line } from "./format";

/** Comma-separated values with quotes where they are needed. */
export function csv(lines: Iterable<Line>): string {
  const field = (value: string | number) => {
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Array.from(lines, (line) => `${line.map(field).join(",")}\r\n`).join("");
}
