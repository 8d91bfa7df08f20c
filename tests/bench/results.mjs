// From the times of a workload to a figure for each contestant and each goal.

import { median } from "./rounds.mjs";

/**
 * How a goal compares `of` with `against`, round by round, for times in milliseconds. `speed`: how many times as fast
 * (a share when it is slower), to be at least `must`; `cost`: how many times as long, to be at most `must`; `each`, against nothing: the nanoseconds of each of its `values`. Without `must` the number is
 * reported and not judged. `or`: another goal that does as well.
 */
const MEASURES = {
  speed: { compare: (of, against) => against / of, holds: (value, limit) => value >= limit },
  cost: { compare: (of, against) => of / against, holds: (value, limit) => value <= limit },
  each: { compare: (of, _, values) => (of * 1e6) / values, holds: (value, limit) => value <= limit },
};

function judged({ measure = "speed", or, ...goal }, times) {
  const { compare, holds } = MEASURES[measure];
  const of = times[goal.of];
  const against = times[goal.against] ?? of;
  const value = median(of.map((time, round) => compare(time, against[round], goal.values)));
  const fastest = compare(Math.min(...of), Math.min(...against), goal.values);
  const said = { ...goal, measure, value, fastest };
  if (goal.must === undefined) return said;
  const other = or && judged({ ...or, of: goal.of }, times);
  return {
    ...said,
    ...(other && { or: other }),
    holds: holds(value, goal.must) || other?.holds === true,
    reached: holds(value, goal.wanted ?? goal.must) || other?.reached === true,
  };
}

/**
 * The report of a workload. `fastest` of a goal: the same of the shortest times, which other programs disturb least.
 * Goals whose contestants did not all run are left out.
 */
export function resultOf({ name, limit, goals = [], missing = [] }, times) {
  const contestants = Object.entries(times).map(([contestant, list]) => ({
    name: contestant,
    milliseconds: median(list),
    fastest: Math.min(...list),
    ofLimit: median(list.map((time, round) => times[limit][round] / time)),
  }));
  const run = goals.filter(({ of, against = of }) => of in times && against in times);
  return { workload: name, limit, contestants, goals: run.map((goal) => judged(goal, times)), missing };
}
