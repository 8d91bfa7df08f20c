// Named steps with progress and times: "[2/7] toolchain: unpacking …, 8 s". Steps that do not need each other run at the
// same time, as far as the processors go.
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { explain, SetupFailure } from "./failure.mjs";
import { fingerprint, isMade, stamp } from "./stamps.mjs";

/** Seconds with one digit below ten. */
export const seconds = (ms) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;

/** Prints lines that stay, and the steps under way: on a terminal below them, overwritten; else every ten seconds. */
function makeBoard(out) {
  const under = new Map(); // from a step's label to what it does, and since when
  const since = (began) => seconds(performance.now() - began);
  const now = () => [...under].map(([label, { doing, began }]) => `${label}${doing}, ${since(began)}`).join(" · ");
  const clear = out.isTTY ? "\r\x1b[K" : "";
  const draw = () => out.isTTY && out.write(`${clear}${now().slice(0, out.columns - 1)}`);
  const write = (text) => {
    out.write(`${clear}${text}\n`);
    draw();
  };
  const timer = setInterval(() => draw() || write(now()), out.isTTY ? 200 : 10_000);
  /** One step's line, which its `run` gets. */
  const begin = (label) => {
    const state = { doing: "", began: performance.now() };
    under.set(label, state);
    draw();
    return {
      progress(text) {
        state.doing = `: ${text} …`;
      },
      /** Prints a line, or what a program printed, in one piece: others run beside it. */
      print: (text) => write(`${label}: ${text.trimEnd()}`),
      /** Ends the line; returns how long the step took, in milliseconds. */
      finish(outcome) {
        under.delete(label);
        write(`${label}: ${outcome}, ${since(state.began)}`);
        return performance.now() - state.began;
      },
    };
  };
  return { begin, write, end: () => clearInterval(timer) };
}

/** Does the step's work, unless it is stamped: none of its inputs changed since it succeeded, and its outputs are there. */
async function work({ name, run, inputs, facts = () => ({}), outputs = () => [] }, line, again) {
  if (!inputs) return run(line);
  const value = fingerprint(inputs, facts()); // before the work: a file edited meanwhile makes the next run do it again
  if (!again && isMade(name, value, outputs())) return "up to date";
  const outcome = await run(line);
  stamp(name, value);
  return outcome;
}

async function runStep(step, line, again) {
  try {
    const outcome = (await work(step, line, again && step.isTest)) ?? "done";
    return { ...step, state: outcome === "up to date" ? outcome : "ok", ms: line.finish(outcome) };
  } catch (error) {
    return { ...step, state: "failed", ms: line.finish("failed"), error };
  }
}

/**
 * Runs steps, each { name, title, run(line), needs?, processors?, inputs?, facts?, outputs?, isTest? }; what run resolves
 * to is shown as its outcome. A step with inputs is "up to date" when they did not change since it succeeded; with
 * `again`, tests run all the same. A step starts when those that it needs are over and as many processors are free as it
 * keeps busy: all of them unless it says otherwise, none when it waits for a network. The first in the list starts first.
 * After a failure no other step starts, and it is thrown when those under way are over; with keepGoing it is printed,
 * and only the steps that need the failed one are left out. Resolves to the results in the order of the list.
 */
export async function runSteps(steps, options = {}) {
  const { out = process.stdout, keepGoing = false, again = false, machine = availableParallelism() } = options;
  const board = makeBoard(out);
  const results = new Map(); // by a step's name
  const running = new Map(); // the same: how many processors it keeps busy, and the promise of its end
  const errors = [];

  const run = async (step, label) => {
    const result = await runStep(step, board.begin(label), again);
    running.delete(step.name);
    results.set(step.name, result);
    if (!result.error) return;
    errors.push(result.error);
    if (keepGoing) board.write(explain(result.error));
  };

  /** Starts what can start, and gives up what never can. */
  const startReady = () => {
    let free = machine - Array.from(running.values(), ({ busy }) => busy).reduce((a, b) => a + b, 0);
    for (const [index, step] of steps.entries()) {
      const { name, needs = [], processors = machine } = step;
      if (results.has(name) || running.has(name) || (errors.length > 0 && !keepGoing)) continue;
      const label = `[${index + 1}/${steps.length}] ${name}`;
      const missing = needs.find((need) => ["failed", "not run"].includes(results.get(need)?.state));
      if (missing) {
        board.write(`${label}: not run, it needs ${missing}`);
        results.set(name, { ...step, state: "not run", ms: 0 });
      } else if (needs.every((need) => results.has(need))) {
        const busy = Math.min(processors, machine);
        if (busy === 0 || busy <= free) running.set(name, { busy, over: run(step, label) });
        free -= busy; // also where it has to wait: what comes later is not to overtake it for ever
      }
    }
  };

  for (startReady(); running.size > 0; startReady())
    await Promise.race(Array.from(running.values(), ({ over }) => over));
  board.end();
  if (errors.length > 0 && !keepGoing)
    throw errors.length === 1 ? errors[0] : new SetupFailure([...new Set(errors.map(explain))].join("\n\n"));
  return steps.filter(({ name }) => results.has(name)).map(({ name }) => results.get(name));
}

/** The steps of `steps` with these names and all that they need, in the list's order. */
export function only(names, steps) {
  const known = steps.map(({ name }) => name);
  const wanted = new Set(names);
  for (const name of wanted) {
    if (!known.includes(name)) throw new SetupFailure(`${name}, expected one of ${known.join(", ")}`);
    for (const need of steps[known.indexOf(name)].needs ?? []) wanted.add(need);
  }
  return steps.filter(({ name }) => wanted.has(name));
}

/** The closing table: a row for each step, how many passed, and what failed, which may be far above. */
export function table(results) {
  const widthOf = (key) => Math.max(...results.map((result) => result[key].length));
  const [names, states] = [widthOf("name"), widthOf("state")];
  const rows = results.map(
    ({ name, ms, state, title }) =>
      `${name.padEnd(names)}  ${seconds(ms).padStart(7)}  ${state.padEnd(states)}  ${title}`,
  );
  const failed = results.filter(({ state }) => state === "failed" || state === "not run").length;
  const reasons = results
    .filter(({ error }) => error)
    .map(({ name, error }) => `\n${name}:\n${error.gist ?? explain(error)}`);
  return [...rows, "", `${results.length - failed} passed, ${failed} failed`, ...reasons].join("\n");
}
