// Shuffled rounds: each round runs every contestant once, in a new order, so that a noisy moment falls on all of them
// alike. Contestants are compared by the ratio within a round.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
};

export function shuffled(items) {
  const out = [...items];
  for (let i = out.length - 1; i > 0; --i) {
    const j = Math.floor(Math.random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

const isPromise = (value) => typeof value?.then === "function";

/** Milliseconds a call; waits for each call of those that are asynchronous. */
async function time({ run, timed, isLate }, repeats) {
  if (timed) return timed(repeats);
  const start = performance.now();
  if (isLate) for (let i = 0; i < repeats; ++i) await run();
  else for (let i = 0; i < repeats; ++i) run();
  return (performance.now() - start) / repeats;
}

/** One measurement takes about so many milliseconds. */
const MEASUREMENT = 3;

/** A call as long as this has warmed itself up. */
const ENOUGH = 100;

/** Calls longer than this many milliseconds are not run before each measurement: their first moments fill the caches. */
const SLOW = 20;

/** Warms up until engines have compiled for speed; finds how many calls make a measurement. */
async function prepared(name, { run, timed }, warmUp) {
  const start = performance.now();
  const first = timed ? timed(1) : run();
  const entry = { name, run, timed, isLate: isPromise(first), times: [] };
  await first;
  entry.once = performance.now() - start;
  for (let calls = 1; calls < 3 || performance.now() - start < warmUp; ++calls) {
    if (entry.once > ENOUGH) break;
    entry.once = await time(entry, 1);
  }
  if (entry.once < SLOW) entry.once = Math.max(await time(entry, entry.once < 1 ? 100 : 3), 1e-5);
  entry.repeats = Math.max(1, Math.ceil(MEASUREMENT / entry.once));
  return entry;
}

/** At most `rounds`, and at least three where there are as many, in about `budget` milliseconds. */
function affordable(entries, rounds, budget) {
  const round = entries.reduce((sum, { once, repeats }) => sum + once * (once > SLOW ? 1 : 1 + repeats), 0);
  return Math.min(rounds, Math.max(3, Math.floor(budget / round)));
}

/**
 * Times `contestants` ({ name: run, or { timed(repeats) } where another thread measures }): their times in milliseconds,
 * { name: [one a round] }. Where `rounds` would take longer than `budget` milliseconds there are fewer.
 */
export async function race(contestants, rounds, { warmUp = 200, budget = Number.POSITIVE_INFINITY } = {}) {
  const entries = [];
  for (const [name, one] of Object.entries(contestants)) {
    entries.push(await prepared(name, typeof one === "function" ? { run: one } : one, warmUp));
  }
  const count = affordable(entries, rounds, budget);
  for (let round = 0; round < count; ++round) {
    for (const entry of shuffled(entries)) {
      // Its memory is then in the caches as far as it fits, the last one's no longer.
      if (entry.once <= SLOW) await time(entry, 1);
      entry.times.push(await time(entry, entry.repeats));
    }
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, times]));
}
