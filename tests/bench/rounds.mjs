// Medians of shuffled rounds: each round runs every contestant once, in a new order, so that a noisy moment falls on
// all of them alike. What is compared is the ratio within a round.

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
};

function shuffled(items) {
  const out = [...items];
  for (let i = out.length - 1; i > 0; --i) {
    const j = Math.floor(Math.random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

function time(run, repeats) {
  const start = performance.now();
  for (let i = 0; i < repeats; ++i) run();
  return (performance.now() - start) / repeats;
}

/** So many calls that one measurement takes about a millisecond, found after a warm-up. */
function calibrate(run) {
  for (let i = 0; i < 3; ++i) run();
  return Math.max(1, Math.round(1 / Math.max(time(run, 1), 1e-4)));
}

/**
 * Times `contestants` ({ name: run }) over `rounds` rounds. For each: its median time in milliseconds, and the median
 * over rounds of time(reference) / time(it), where `reference` is one of the names.
 */
export function race(contestants, reference, rounds = 25) {
  const entries = Object.entries(contestants).map(([name, run]) => ({ name, run, repeats: calibrate(run), times: [] }));
  for (let round = 0; round < rounds; ++round) {
    for (const entry of shuffled(entries)) entry.times.push(time(entry.run, entry.repeats));
  }
  const limit = entries.find(({ name }) => name === reference).times;
  return entries.map(({ name, times }) => ({
    name,
    milliseconds: median(times),
    ofLimit: median(times.map((t, round) => limit[round] / t)),
  }));
}
