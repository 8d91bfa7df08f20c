// Results as people read them: lines for the terminal, a table for tests/bench/README.md.

import { SCALAR, SCRIPT } from "./row.mjs";

const UNITS = [
  [1, "ms", 1],
  [1e-3, "µs", 1e3],
  [0, "ns", 1e6],
];

/** Milliseconds with three digits in the unit that suits them. */
export function duration(milliseconds) {
  const [, unit, factor] = UNITS.find(([from]) => milliseconds >= from);
  return `${digits(milliseconds * factor)} ${unit}`;
}

/** Three digits, without an exponent. */
function digits(value) {
  const magnitude = Math.abs(value);
  return value.toFixed(magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : magnitude >= 0.9995 ? 2 : 3);
}

const WORDS = {
  speed: (value) => digits(value),
  cost: (value) => `${digits(value)} x the time`,
  each: (value) => `${digits(value)} ns a value`,
};

function target({ measure, must, wanted }) {
  const sign = measure === "speed" ? ">=" : "<=";
  return `${sign} ${must}${wanted === undefined ? "" : ` [${wanted}]`}`;
}

const verdict = ({ holds, reached, wanted }) =>
  holds ? (reached && wanted !== undefined ? "reached, as wanted" : "reached") : "NOT REACHED";

function numbersOf({ of, against, measure, value, fastest }) {
  const words = WORDS[measure];
  return `${against === undefined ? of : `${of} / ${against}`}: ${words(value)} (fastest: ${words(fastest)})`;
}

export function goalLine(goal) {
  const said = `  ${numbersOf(goal)}`;
  if (goal.must === undefined) return said;
  const other = goal.or ? ` or ${numbersOf(goal.or)}, ${target(goal.or)}` : "";
  return `${said}, ${target(goal)}${other}: ${verdict(goal)}`;
}

/** A workload's result on the terminal. */
export function text({ workload, what, limit, contestants, goals, missing }) {
  const width = Math.max(...contestants.map(({ name }) => name.length)) + 2;
  const rows = contestants.map(({ name, milliseconds, fastest, ofLimit }) => {
    const times = [milliseconds, fastest].map((time) => duration(time).padStart(11)).join("");
    return `  ${name.padEnd(width)}${times}${digits(ofLimit).padStart(9)}`;
  });
  return [
    `${workload}, ${what}`,
    `  ${"".padEnd(width)}${"median".padStart(11)}${"fastest".padStart(11)}  share of ${limit}`,
    ...rows,
    ...missing.map(({ name, why }) => `  ${name}: not offered (${why})`),
    ...goals.map(goalLine),
  ].join("\n");
}

/** The goals that were not reached, a line each. */
export const missedGoals = (results) =>
  results.flatMap(({ workload, goals }) =>
    goals.filter(({ holds }) => holds === false).map((goal) => `${workload}: ${goalLine(goal).trim()}`),
  );

/** Rows of equal width, the first ones their heads. */
function aligned([heads, ...rows]) {
  const widths = heads.map((_, column) => Math.max(...[heads, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(heads), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** A goal that has no column of its own. */
function beside({ measure, value, against }) {
  if (measure === "each") return WORDS.each(value);
  if (measure === "speed") return `${digits(value)} x the speed of ${against}`;
  return `${WORDS[measure](value)} of ${against}`;
}

/** Whether every goal that has one reached its bar; nothing where there is none. */
function outcome(goals) {
  const judged = goals.filter(({ must }) => must !== undefined);
  if (judged.length === 0) return "";
  return judged.every(({ holds }) => holds) ? "yes" : "no";
}

const HEADS = ["workload", "posenc", "time", "share of the limit", "x JavaScript", "without SIMD", "beside", "reached"];

/**
 * The table of tests/bench/README.md: a row for each way of posenc that a workload has goals for; the one without SIMD is a
 * column of the first.
 */
export function markdown(results) {
  const rows = results.flatMap(({ workload, limit, contestants, goals }) => {
    const scalar = goals.find(({ of }) => of === SCALAR);
    const ways = [...new Set(goals.map(({ of }) => of))].filter((of) => of !== SCALAR);
    return ways.map((of, i) => {
      const mine = goals.filter((goal) => goal.of === of);
      const isScript = ({ against }) => against?.startsWith(SCRIPT);
      const isLimit = ({ against, measure }) => against === limit && measure === "speed";
      const { ofLimit, milliseconds } = contestants.find(({ name }) => name === of);
      const others = mine.filter((goal) => !isScript(goal) && !isLimit(goal));
      const isCost = others.some(({ against }) => against === limit);
      return [
        workload,
        of.replace(/^posenc(, )?/, ""),
        duration(milliseconds),
        limit === SCRIPT || isCost ? "" : `${digits(ofLimit)} of ${limit}`,
        mine.filter(isScript).map(({ value }) => digits(value))[0] ?? "",
        i === 0 && scalar ? digits(scalar.value) : "",
        others.map(beside).join("; "),
        outcome(i === 0 && scalar ? [...mine, scalar] : mine),
      ];
    });
  });
  return aligned([HEADS, ...rows]);
}
