// What the times of a workload say: of each contestant, and of each goal.

import { median } from "./rounds.mjs";

/**
 * How a goal compares `of` with `against`, round by round, for times in milliseconds. `speed`: how many times as fast
 * (a share when it is slower), to be at least `must`; `cost`: how many times as long, and `nanoseconds`: how much longer,
 * to be at most `must`. Without `must` the number is told and nothing more.
 */
const MEASURES = {
  speed: { compare: (of, against) => against / of, holds: (value, limit) => value >= limit },
  cost: { compare: (of, against) => of / against, holds: (value, limit) => value <= limit },
  nanoseconds: { compare: (of, against) => (of - against) * 1e6, holds: (value, limit) => value <= limit },
};

function judged({ measure = "speed", ...goal }, times) {
  const { compare, holds } = MEASURES[measure];
  const value = median(times[goal.of].map((time, round) => compare(time, times[goal.against][round])));
  const fastest = compare(Math.min(...times[goal.of]), Math.min(...times[goal.against]));
  if (goal.must === undefined) return { ...goal, measure, value, fastest };
  return {
    ...goal,
    measure,
    value,
    fastest,
    holds: holds(value, goal.must),
    reached: holds(value, goal.wanted ?? goal.must),
  };
}

/**
 * What is told of a workload. `fastest` of a goal: the same of the shortest times, which other programs disturb least.
 * Goals whose contestants did not all run are left out.
 */
export function resultOf({ name, limit, goals = [], missing = [] }, times) {
  const contestants = Object.entries(times).map(([contestant, list]) => ({
    name: contestant,
    milliseconds: median(list),
    fastest: Math.min(...list),
    ofLimit: median(list.map((time, round) => times[limit][round] / time)),
  }));
  const run = goals.filter(({ of, against }) => of in times && against in times);
  return { workload: name, limit, contestants, goals: run.map((goal) => judged(goal, times)), missing };
}
