// From the times of a workload to rows of the table in README.md.

import { median } from "./rounds.mjs";
import { SCALAR, SCRIPT } from "./row.mjs";

/** Three digits, without an exponent. */
export function digits(value) {
  const magnitude = Math.abs(value);
  return value.toFixed(magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : magnitude >= 0.9995 ? 2 : 3);
}

/** Milliseconds in the unit that suits them. */
export function duration(milliseconds) {
  if (milliseconds >= 1) return `${digits(milliseconds)} ms`;
  return milliseconds >= 1e-3 ? `${digits(milliseconds * 1e3)} µs` : `${digits(milliseconds * 1e6)} ns`;
}

const isAtLeast = (value, mark) => value >= mark;
const isAtMost = (value, mark) => value <= mark;

/**
 * How a goal compares `of` with `against`, round by round, for times in milliseconds. `speed`: how many times as fast (a
 * share when it is slower), to be at least `must`; `cost`: how many times as long, to be at most `must`.
 */
const MEASURES = {
  speed: { compare: (of, against) => against / of, holds: isAtLeast, words: "x the speed of" },
  cost: { compare: (of, against) => of / against, holds: isAtMost, words: "x the time of" },
};

/** With `room` a goal is reached that far below its mark, all rounds counted or the fastest ones. */
function judged(goal, times, room) {
  const { measure = "speed", of, against, must } = goal;
  const { compare, holds } = MEASURES[measure];
  const [mine, theirs] = [times[of], times[against]];
  const value = median(mine.map((time, round) => compare(time, theirs[round])));
  const fastest = compare(Math.min(...mine), Math.min(...theirs));
  const mark = measure === "speed" ? must / room : must * room;
  return { ...goal, measure, value, isReached: holds(value, mark) || (room > 1 && holds(fastest, mark)) };
}

/** A workload's times with its goals, judged. */
export const resultOf = ({ name, goals }, times, room = 1) => ({
  name,
  times,
  goals: goals.map((goal) => judged(goal, times, room)),
});

const wordsOf = ({ measure, value, against }) => `${digits(value)} ${MEASURES[measure].words} ${against}`;

/** The goals that were not reached, a line each. */
export const missedOf = ({ name, goals }) =>
  goals
    .filter(({ isReached }) => !isReached)
    .map((goal) => `${name}: ${goal.of}: ${wordsOf(goal)}, expected ${goal.must}`);

const line = (cells) => `| ${cells.join(" | ")} |`;
const HEADS = ["workload", "posenc", "time", "x JavaScript", "without SIMD", "beside", "reached"];
export const heads = `${line(HEADS)}\n${line(HEADS.map(() => "-"))}`;

/** A row for each way of posenc that a workload has goals for; the one without SIMD is a column of the first. */
export function rowsOf({ name, times, goals }) {
  const scalar = goals.find(({ of }) => of === SCALAR);
  const ways = [...new Set(goals.map(({ of }) => of))].filter((of) => of !== SCALAR);
  const rows = ways.map((of, i) => {
    const mine = goals.filter((goal) => goal.of === of);
    const beside = i === 0 ? scalar : undefined;
    const isScript = ({ against }) => against.startsWith(SCRIPT);
    const script = mine.find(isScript);
    const others = mine.filter((goal) => !isScript(goal));
    const all = beside ? [...mine, beside] : mine;
    return line([
      name,
      of.replace(/^posenc(, )?/, ""),
      duration(median(times[of])),
      script ? digits(script.value) : "",
      beside ? digits(beside.value) : "",
      others.map(wordsOf).join("; "),
      all.every(({ isReached }) => isReached) ? "yes" : "no",
    ]);
  });
  return rows.join("\n");
}
