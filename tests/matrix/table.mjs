// The matrix as a table, and its summary.
import { seconds } from "../../bindings/setup/steps.mjs";

const kilobytes = ({ raw, gzip, brotli }) => [raw, gzip, brotli].map((bytes) => (bytes / 1000).toFixed(1)).join(" / ");

const COLUMNS = {
  row: ({ row }) => row.name,
  version: ({ version }) => version,
  entry: ({ row }) => row.entry ?? "posenc",
  result: ({ state }) => state,
  seconds: ({ ms, state }) => (state === "not run" ? "" : seconds(ms)),
  "fetched, KB raw / gzip / brotli": ({ size }) => (size ? kilobytes(size) : ""),
};

/** One line a row, and below them why some failed or were not run. */
export function table(outcomes) {
  const lines = [
    Object.keys(COLUMNS),
    ...outcomes.map((outcome) => Object.values(COLUMNS).map((cell) => cell(outcome))),
  ];
  const widths = Object.keys(COLUMNS).map((_, i) => Math.max(...lines.map((cells) => cells[i].length)));
  const rule = widths.map((width) => "-".repeat(width));
  const text = [lines[0], rule, ...lines.slice(1)].map(
    (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`,
  );
  const reasons = outcomes.filter(({ why }) => why).map(({ row, state, why }) => `${row.name}: ${state}: ${why}`);
  return [...text, "", ...reasons].join("\n").trimEnd();
}

/** { passed, failed }: what was not run counts as failed. */
export function summary(outcomes) {
  const passed = outcomes.filter(({ state }) => state === "ok").length;
  return { passed, failed: outcomes.length - passed };
}
