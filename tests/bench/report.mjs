// Results as people read them: lines for the terminal, a table for bindings/README.md.

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
  nanoseconds: (value) => `${Math.round(value)} ns more`,
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

function goalLine(goal) {
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

/** Rows of equal width, the first ones their heads. */
function aligned([heads, ...rows]) {
  const widths = heads.map((_, column) => Math.max(...[heads, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(heads), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** A goal that has no column of its own. */
function beside({ measure, value, against }) {
  if (measure === "speed") return `${digits(value)} x the speed of ${against}`;
  return `${WORDS[measure](value)} ${measure === "cost" ? "of" : "than"} ${against}`;
}

/** The table of bindings/README.md: a row for each way of posenc that a workload has goals for. */
export function markdown(results) {
  const rows = results.flatMap(({ workload, limit, contestants, goals }) =>
    [...new Set(goals.map(({ of }) => of))].map((of) => {
      const mine = goals.filter((goal) => goal.of === of);
      const isScript = ({ against }) => against.startsWith("JavaScript");
      const isLimit = ({ against, measure }) => against === limit && measure === "speed";
      const others = mine.filter((goal) => !isScript(goal) && !isLimit(goal));
      return [
        workload,
        of.replace(/^posenc,? /, ""),
        duration(contestants.find(({ name }) => name === of).milliseconds),
        mine.filter(isLimit).map(({ value }) => `${digits(value)} of ${limit}`)[0] ?? "",
        mine.filter(isScript).map(({ value }) => `${digits(value)} x`)[0] ?? "",
        others.map(beside).join("; "),
      ];
    }),
  );
  return aligned([["workload", "posenc", "time", "share of the limit", "against JavaScript", "beside"], ...rows]);
}
