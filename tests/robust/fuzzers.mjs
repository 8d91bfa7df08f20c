// The kinds of fuzzed calls, each a thread's share: given `load`, a task and a function that takes progress, it returns
// its counts and the first failure, if any, with the command that repeats it.
import { setImmediate } from "node:timers/promises";
import { BehaviourFuzz } from "./behaviour-fuzz.mjs";
import { behaviours as all, growth, memoryOf, modelled } from "./behaviours.mjs";
import { Fuzz } from "./fuzz.mjs";
import { random } from "./random.mjs";
import { publishedNames } from "./verdict.mjs";

const names = publishedNames();

const figuresOf = (fuzz, more) => ({
  calls: fuzz.calls,
  refusals: fuzz.refusals,
  slowest: fuzz.slowest,
  longest: fuzz.longest,
  ...more,
});

const failed = (text, error) => `${text}${error ? `: ${error.message}\n${error.cause?.stack ?? error.stack}` : ""}`;

/** The units that are a thread's share, those of a function together: prepared, without those that have no calls. */
async function* unitsOf(fuzz, { thread, threads }) {
  const seeds = [...new Set(fuzz.units.map(({ seed }) => seed))].filter((_, i) => i % threads === thread);
  for (const unit of fuzz.units.filter(({ seed }) => seeds.includes(seed))) {
    if (unit.prepare()) yield unit;
    await setImmediate(); // what was forgotten is collected between tasks of the event loop alone
  }
}

/** The name of a case, by which it can be found again. */
const caseName = (unit, cases) =>
  `${unit.name}; ${cases.map(({ at, behaviour, which }) => `read ${at} (${unit.log[at]}): ${behaviour.name}${which ? ` ${which}` : ""}`).join("; ")}`;

/** Runs one case; returns what is wrong with it, or undefined. */
function tried(fuzz, unit, cases) {
  try {
    const wrong = unit.run(...cases);
    if (fuzz.calls % 256 === 0) fuzz.check();
    return wrong && failed(`${caseName(unit, cases)}: ${wrong}`);
  } catch (error) {
    return failed(caseName(unit, cases), error);
  }
}

/**
 * Leaves out cases that another unit of the same call had: a behaviour does the same wherever the arrays are, unless it
 * happens to them.
 */
function* newCases(unit, had, cases) {
  for (const one of cases) {
    const { at, behaviour } = one;
    const nth = unit.log.slice(0, at).filter((read) => read === unit.log[at]).length;
    const key = [unit.seed.name, unit.log[at], nth, behaviour.name].join();
    if (!behaviour.times && had.has(key)) continue;
    had.add(key);
    yield one;
  }
}

/** The behaviours of the threat model at each option's first read; in the long run, all of them at every read. */
async function behaviours(load, task, tell) {
  const fuzz = new BehaviourFuzz(await load(), names);
  const before = memoryOf(fuzz.pe).byteLength;
  const had = new Set();
  let reads = 0;
  const figures = (more) => figuresOf(fuzz, { reads, functions: fuzz.shapes.size, ...more });
  for await (const unit of unitsOf(fuzz, task)) {
    reads += unit.log.length;
    tell(figures({ doing: unit.name }));
    const cases = task.isLong ? unit.cases(all) : unit.cases(modelled, unit.accessors);
    for (const one of newCases(unit, had, cases)) {
      const failure = tried(fuzz, unit, [one]);
      if (failure) return { figures: figures(), failure };
    }
  }
  const grown = memoryOf(fuzz.pe).byteLength - before;
  return { figures: figures(), failure: grown > 2 ** 24 ? `the memory has grown by ${grown} bytes` : undefined };
}

/** The memory grows at each option's first read, or at every read; in an instance that others have not made too large. */
async function growing(load, task, tell) {
  const most = 2 ** 29;
  const whole = new BehaviourFuzz(await load(), names);
  const { shapes } = whole;
  let reads = 0;
  let calls = 0;
  let refusals = 0;
  const figures = (more) => figuresOf(whole, { calls, refusals, reads, functions: shapes.size, ...more });
  for await (const { name, seed, variant, log, accessors } of unitsOf(whole, task)) {
    tell(figures({ doing: name }));
    let fuzz;
    let unit;
    for (const at of task.isLong ? log.keys() : accessors) {
      if (!fuzz || memoryOf(fuzz.pe).byteLength > most) {
        fuzz = new BehaviourFuzz(await load({ shared: false }), names, { shapes, only: seed.name });
        unit = fuzz.units.find((other) => other.variant === variant);
        unit.prepare();
      }
      const before = fuzz.refusals;
      const failure = tried(fuzz, unit, [{ at, behaviour: growth, which: 0 }]);
      calls += 1;
      refusals += fuzz.refusals - before;
      if (failure) return { figures: figures(), failure };
    }
    reads += log.length;
  }
  return { figures: figures() };
}

/** Two behaviours at two reads of a call, chosen by a seed: `calls` of them from number `from` on. */
async function pairs(load, { seed, from = 0, calls, thread, threads }, tell) {
  const fuzz = new BehaviourFuzz(await load(), names);
  const units = [];
  for await (const unit of unitsOf(fuzz, { thread: 0, threads: 1 }))
    if (unit.log.length > 0) units.push({ unit, cases: [...unit.cases(all)] });
  const figures = (more) => figuresOf(fuzz, { functions: fuzz.shapes.size, ...more });
  for (let i = 0; i < calls; ++i) {
    const number = from + i * threads + thread;
    const next = random(seed, number);
    const { unit, cases } = units[next(units.length)];
    const chosen = [cases[next(cases.length)], cases[next(cases.length)]];
    const failure = tried(fuzz, unit, chosen);
    if (failure) {
      const again = `again: npm run test:fuzz -- --only behaviours --seed ${seed} --from ${number} --calls 1`;
      return { figures: figures(), failure: `seed ${seed}, number ${number}: ${failure}\n${again}` };
    }
    if (i % 1000 !== 999) continue;
    tell(figures({ doing: `the ${1000 * threads} calls after number ${number}, seed ${seed}` }));
    await setImmediate();
  }
  return { figures: figures() };
}

/** How many calls have one seed. */
const chunk = 20_000;

/** Wrong and right values mixed, by fast-check, which makes a failure as small as it can be. */
async function values(load, { seed, from = 0, calls, thread, threads }, tell) {
  const fuzz = new Fuzz(await load(), names);
  const figures = (more) => figuresOf(fuzz, { functions: fuzz.functions, missing: fuzz.missing, ...more });
  for (let i = 0; i * chunk < calls; ++i) {
    const number = from + i * threads + thread;
    tell(figures({ doing: `values, seed ${seed}, number ${number}` }));
    try {
      fuzz.run({ calls: Math.min(chunk, calls - i * chunk), seed: seed + number });
    } catch (error) {
      const again = `again: npm run test:fuzz -- --only values --seed ${seed} --from ${number} --calls ${chunk}`;
      return { figures: figures(), failure: `seed ${seed}, number ${number}: ${failed("values", error)}\n${again}` };
    }
    await setImmediate();
  }
  return { figures: figures() };
}

export const fuzzers = { behaviours, growing, pairs, values };
