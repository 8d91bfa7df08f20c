// The guard of test:all: ten rows against the loops that run beside them, so that a regression is seen when it lands. Other
// programs disturb ratios too, by less than a third where all rounds count; a row that fails is measured again.

import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { modulesInNode } from "./in-node.mjs";
import { goalLine } from "./report.mjs";
import { run, workloads } from "./workloads.mjs";

/** How far below its mark a row may be. */
const ROOM = 1.5;

/** A row that is too slow so often is not disturbed but slow. */
const TRIES = 4;

const GUARDED = [
  "table 2048 x 512",
  "RoPE half [256, 32, 128]",
  "decode half [1, 32, 128]",
  "linear [1024, 256] x [256, 256]",
  "softmax [1024, 1024]",
  "attention [8, 512, 64]",
  "attention, one query [32, 4096, 128]",
  "alibi [16, 1024, 1024]",
  "lookupRows",
  "add",
];

/** Whether a goal is reached with that room, all rounds counted or the fastest ones, in one way or the other. */
export function isReached({ must, measure, value, fastest = value, or }) {
  if (must === undefined) return true;
  const isEnough = (one) => (measure === "speed" ? one >= must / ROOM : one <= must * ROOM);
  return isEnough(value) || isEnough(fastest) || (or !== undefined && isReached(or));
}

/** The workloads that are guarded; a name that no workload has is an error. */
export const guarded = () =>
  GUARDED.map((name) => {
    const workload = workloads.find((each) => each.name === name);
    if (!workload) throw new SetupFailure(`${name}: expected the name of a workload`);
    return workload;
  });

/** Measures a workload until its goals are reached, a few times at most; gives those that never were. */
export async function tooSlow(measure) {
  let left;
  for (let attempt = 0; attempt < TRIES && (left === undefined || left.length > 0); ++attempt) {
    const { goals } = await measure();
    const missed = goals.filter((goal) => !isReached(goal));
    // A goal that was reached once is no regression.
    const wasMissed = ({ of, against }) => left.some((goal) => goal.of === of && goal.against === against);
    left = left === undefined ? missed : missed.filter(wasMissed);
  }
  return left;
}

export async function main({ rounds, only }) {
  const modules = await modulesInNode();
  const slow = [];
  for (const workload of guarded().filter(({ name }) => only.test(name))) {
    const left = await tooSlow(() => run(workload, modules, rounds));
    console.log(`${workload.name}: ${left.length === 0 ? "ok" : "TOO SLOW"}`);
    slow.push(...left.map((goal) => `${workload.name}: ${goalLine(goal).trim()}`));
  }
  if (slow.length > 0) throw new SetupFailure(`A third below its mark, ${TRIES} times:\n${slow.join("\n")}`);
}
