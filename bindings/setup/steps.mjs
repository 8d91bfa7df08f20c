// Named steps with progress and times: "[2/7] Toolchain: unpacking …, 8 s". Steps that do not need each other run at the
// same time, as far as the processors go.
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { explain, SetupFailure } from "./failure.mjs";
import { fingerprint, isMade, stamp } from "./stamps.mjs";

const SHOWN_EVERY_MS = { terminal: 100, plain: 10_000 };

/** Seconds with one digit below ten. */
export const seconds = (ms) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;

/** Prints lines that stay, and on a terminal one below them that is overwritten: the steps under way. */
function makeBoard(out) {
  const under = new Map(); // from a step's label to what it does
  const every = SHOWN_EVERY_MS[out.isTTY ? "terminal" : "plain"];
  const cut = (text) => (out.isTTY ? text.slice(0, out.columns - 1) : text);
  const now = ([label, { doing, began }]) => `${label}${doing}, ${seconds(performance.now() - began)}`;
  const draw = () => out.isTTY && out.write(`\r\x1b[K${cut([...under].map(now).join(" · "))}`);
  const write = (text) => {
    out.write(`${out.isTTY ? "\r\x1b[K" : ""}${text}\n`);
    if (under.size > 0) draw();
  };
  /** One step's line, which its `run` gets. */
  const begin = (label) => {
    const state = { doing: "", began: performance.now(), shown: performance.now() };
    under.set(label, state);
    draw();
    return {
      /** Shows what the step does: now and then, however often it is called. */
      progress(text) {
        state.doing = `: ${text} …`;
        if (performance.now() - state.shown < every) return;
        state.shown = performance.now();
        if (!draw()) write(now([label, state]));
      },
      /** Prints a line, or what a program printed, in one piece: others run beside it. */
      print: (text) => write(`${label}: ${text.trimEnd()}`),
      /** Ends the line; returns how long the step took, in milliseconds. */
      finish(outcome) {
        under.delete(label);
        const ms = performance.now() - state.began;
        write(cut(`${label}: ${outcome}, ${seconds(ms)}`));
        return ms;
      },
    };
  };
  return { begin, write };
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

async function runStep(step, label, board, again) {
  const line = board.begin(label);
  try {
    const outcome = (await work(step, line, again && step.isTest)) ?? "done";
    step.after?.();
    return { ...step, state: outcome === "up to date" ? outcome : "ok", ms: line.finish(outcome) };
  } catch (error) {
    return { ...step, state: "failed", ms: line.finish("failed"), error };
  }
}

/**
 * Runs steps, each { name, title, run(line), after?, needs?, processors?, inputs?, facts?, outputs?, isTest? }; what run
 * resolves to is shown as its outcome. A step with inputs is "up to date" when they did not change since it succeeded; with
 * `again`, tests run all the same. A step starts when those that it needs are over and as many processors are free as it
 * keeps busy: all of them unless it says otherwise, none when it waits for a network. The first in the list starts first.
 * After a failure no other step starts, and it is thrown when those under way are over; with keepGoing it is printed,
 * and only the steps that need the failed one are left out. Resolves to the results in the order of the list.
 */
export async function runSteps(steps, options = {}) {
  const { out = process.stdout, keepGoing = false, again = false, machine = availableParallelism() } = options;
  const board = makeBoard(out);
  const names = new Set(steps.map(({ name }) => name));
  if (names.size < steps.length) throw new Error("two steps have the same name, and only one of them would run");
  const results = new Map();
  const running = new Map();
  const busyWith = ({ processors = machine }) => Math.min(processors, machine);
  const labelOf = (step) => `[${steps.indexOf(step) + 1}/${steps.length}] ${step.title}`;
  const failures = () => [...results.values()].filter(({ error }) => error);

  const end = (result) => {
    results.set(result.name, result);
    running.delete(result.name);
    if (result.error && keepGoing) board.write(explain(result.error));
  };

  /** Starts what can start, and gives up what never can. */
  const startReady = () => {
    let free = machine - Array.from(running.values(), ({ step }) => busyWith(step)).reduce((a, b) => a + b, 0);
    for (const step of steps) {
      const { name, needs = [] } = step;
      if (results.has(name) || running.has(name) || (failures().length > 0 && !keepGoing)) continue;
      const missing = needs.find((need) => results.get(need)?.error || results.get(need)?.state === "not run");
      if (missing) {
        board.write(`${labelOf(step)}: not run, it needs ${missing}`);
        results.set(name, { ...step, state: "not run", ms: 0 });
      } else if (needs.every((need) => !names.has(need) || results.has(need))) {
        const wanted = busyWith(step);
        if (wanted === 0 || wanted <= free)
          running.set(name, { step, over: runStep(step, labelOf(step), board, again).then(end) });
        free -= wanted; // also where it has to wait: what comes later is not to overtake it for ever
      }
    }
  };

  for (startReady(); running.size > 0; startReady())
    await Promise.race(Array.from(running.values(), ({ over }) => over));
  const errors = failures().map(({ error }) => error);
  if (errors.length > 0 && !keepGoing)
    throw errors.length === 1 ? errors[0] : new SetupFailure([...new Set(errors.map(explain))].join("\n\n"));
  return steps.filter(({ name }) => results.has(name)).map(({ name }) => results.get(name));
}

/** The steps of `steps` with these names and all that they need, in the list's order. */
export function only(names, steps) {
  const wanted = new Set();
  const add = (name) => {
    const step = steps.find((candidate) => candidate.name === name);
    if (!step) throw new SetupFailure(`${name}, expected one of ${steps.map((known) => known.name).join(", ")}`);
    wanted.add(name);
    for (const need of step.needs ?? []) if (steps.some((candidate) => candidate.name === need)) add(need);
  };
  for (const name of names) add(name);
  return steps.filter(({ name }) => wanted.has(name));
}

/** The closing table: a row for each step, how many passed, and what failed, which may be far above. */
export function table(results) {
  const widthOf = (key) => Math.max(...results.map((result) => result[key].length));
  const [titles, states] = [widthOf("title"), widthOf("state")];
  const rows = results.map(({ title, ms, state, guards = "" }) =>
    `${title.padEnd(titles)}  ${seconds(ms).padStart(7)}  ${state.padEnd(states)}  ${guards}`.trimEnd(),
  );
  const failed = results.filter(({ state }) => state === "failed" || state === "not run").length;
  const reasons = results
    .filter(({ error }) => error)
    .map(({ title, error }) => `\n${title}:\n${error.gist ?? explain(error)}`);
  return [...rows, "", `${results.length - failed} passed, ${failed} failed`, ...reasons].join("\n");
}
