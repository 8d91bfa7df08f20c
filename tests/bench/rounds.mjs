// Shuffled rounds: each round runs every contestant once, in a new order, so that a noisy moment falls on all of them
// alike. Contestants are compared by the ratio within a round.

import os from "node:os";

/** The machine that measures; on an idle one the load is left out. */
export function machine() {
  const [minute] = os.loadavg();
  const busy = minute > 0.5 ? `; load ${minute.toFixed(1)}: other programs are running` : "";
  return `${os.cpus()[0]?.model}, ${os.cpus().length} processors, Node ${process.versions.node}${busy}`;
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

export function shuffled(items) {
  const out = [...items];
  for (let i = out.length - 1; i > 0; --i) {
    const j = Math.floor(Math.random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

/** Milliseconds a call; waits for each call of those that are asynchronous. */
async function time({ run, timed, isLate }, repeats) {
  if (timed) return timed(repeats);
  const start = performance.now();
  if (isLate) for (let i = 0; i < repeats; ++i) await run();
  else for (let i = 0; i < repeats; ++i) run();
  return (performance.now() - start) / repeats;
}

/** Engines compile for speed in so many milliseconds; a call half as long has warmed itself up. */
const WARM_UP = 200;

/** One measurement takes about so many milliseconds. */
const MEASUREMENT = 3;

/** Calls longer than this many milliseconds are not run before each measurement: their first moments fill the caches. */
const SLOW = 20;

/** A race takes about so many milliseconds at most. */
const BUDGET = 3000;

/** Warms up; finds how many calls make a measurement. */
async function prepared(name, one) {
  const entry = { name, times: [], ...(typeof one === "function" ? { run: one } : one) };
  const start = performance.now();
  const first = entry.timed ? entry.timed(1) : entry.run();
  entry.isLate = typeof first?.then === "function";
  await first;
  entry.once = performance.now() - start;
  for (let calls = 1; calls < 3 || performance.now() - start < WARM_UP; ++calls) {
    if (entry.once > WARM_UP / 2) break;
    entry.once = await time(entry, 1);
  }
  if (entry.once < SLOW) entry.once = Math.max(await time(entry, entry.once < 1 ? 100 : 3), 1e-5);
  entry.repeats = Math.max(1, Math.ceil(MEASUREMENT / entry.once));
  return entry;
}

/**
 * Times `contestants` ({ name: run, or { timed(repeats) } where another thread measures }): their times in milliseconds,
 * { name: [one a round] }. Slow ones have fewer rounds, but three where there are as many.
 */
export async function race(contestants, rounds) {
  const entries = [];
  for (const [name, one] of Object.entries(contestants)) entries.push(await prepared(name, one));
  const round = entries.reduce((sum, { once, repeats }) => sum + once * (once > SLOW ? 1 : 1 + repeats), 0);
  const count = Math.min(rounds, Math.max(3, Math.floor(BUDGET / round)));
  for (let done = 0; done < count; ++done)
    for (const entry of shuffled(entries)) {
      // Its memory is then in the caches as far as it fits, the last one's no longer.
      if (entry.once <= SLOW) await time(entry, 1);
      entry.times.push(await time(entry, entry.repeats));
    }
  return Object.fromEntries(entries.map(({ name, times }) => [name, times]));
}
