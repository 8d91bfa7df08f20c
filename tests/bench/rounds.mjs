// Shuffled rounds: each round runs every contestant once, in a new order, so that a noisy moment falls on all of them
// alike. What is compared is the ratio within a round.

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
async function time({ run, isLate }, repeats) {
  const start = performance.now();
  if (isLate) for (let i = 0; i < repeats; ++i) await run();
  else for (let i = 0; i < repeats; ++i) run();
  return (performance.now() - start) / repeats;
}

/** What one measurement takes about, in milliseconds. */
const MEASUREMENT = 3;

/** Warms up until engines have compiled for speed; finds how many calls make a measurement. */
async function prepared(name, run, warmUp) {
  const first = run();
  const entry = { name, run, isLate: isPromise(first), times: [] };
  await first;
  const start = performance.now();
  let calls = 0;
  while (calls < 2 || performance.now() - start < warmUp) {
    await time(entry, 1);
    calls += 1;
  }
  entry.repeats = Math.max(1, Math.ceil(MEASUREMENT / Math.max(await time(entry, Math.min(calls, 100)), 1e-5)));
  return entry;
}

/** Times `contestants` ({ name: run }): their times in milliseconds, { name: [one a round] }. */
export async function race(contestants, rounds, { warmUp = 200 } = {}) {
  const entries = [];
  for (const [name, run] of Object.entries(contestants)) entries.push(await prepared(name, run, warmUp));
  for (let round = 0; round < rounds; ++round) {
    for (const entry of shuffled(entries)) {
      await time(entry, 1); // its memory is then in the caches as far as it fits, the last one's no longer
      entry.times.push(await time(entry, entry.repeats));
    }
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, times]));
}
