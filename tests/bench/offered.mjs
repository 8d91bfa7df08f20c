// What an entry may not have (yet): tried on a small input, and named in the report where it is refused.

/** Tries each of `contestants` ({ name: { small, run } }); gives those that run, and why the others do not. */
export function offered(contestants) {
  const runs = {};
  const missing = [];
  for (const [name, { small, run }] of Object.entries(contestants)) {
    try {
      small();
      runs[name] = run;
    } catch (error) {
      missing.push({ name, why: error.message });
    }
  }
  return { runs, missing };
}
