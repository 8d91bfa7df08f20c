// Named steps with progress and durations: "[2/7] Emscripten 3.1.69: unpacking 40 % … 8 s". Steps that do not need each
// other run at the same time, as far as the processors go.
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { explain, SetupFailure } from "./failure.mjs";

const EVERY_MS = { terminal: 100, plain: 5000 };

/** Seconds with one digit below ten. */
export const seconds = (ms) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;

/** What steps print: lines that stay, and on a terminal one below them, overwritten in place: the steps under way. */
class Board {
  #out;
  #under = new Set();
  #silent = false;

  constructor(out) {
    this.#out = out;
  }

  get isTerminal() {
    return this.#out.isTTY === true;
  }

  /** Shows the steps under way; elsewhere than on a terminal `text` alone, on a line that stays. */
  show(text) {
    if (!this.isTerminal && text !== undefined) this.#out.write(`${text}\n`);
    if (!this.isTerminal || this.#silent) return;
    const all = Array.from(this.#under, (line) => line.now()).join(" · ");
    this.#out.write(`\r\x1b[K${this.#cut(all)}`);
  }

  /** Writes lines that stay; with `cut`, no wider than the terminal. */
  write(text, { cut = false } = {}) {
    this.#out.write(`${this.isTerminal ? "\r\x1b[K" : ""}${cut ? this.#cut(text) : text}\n`);
    if (this.#under.size > 0) this.show();
  }

  #cut(text) {
    return this.isTerminal ? text.slice(0, this.#out.columns - 1) : text;
  }

  add(line) {
    this.#under.add(line);
    this.show();
  }

  remove(line) {
    this.#under.delete(line);
    this.#silent = false;
  }

  /** Leaves the terminal to a program, until the step that started it is over. */
  letThrough() {
    this.#silent = true;
  }
}

/** One step's line. */
class StepLine {
  #label;
  #board;
  #began = performance.now();
  #shown = this.#began;
  #doing = "";

  constructor(label, board) {
    this.#label = label;
    this.#board = board;
    board.add(this);
  }

  #with(text) {
    return `${this.#label}${text}, ${seconds(performance.now() - this.#began)}`;
  }

  /** The line as it stands. */
  now() {
    return this.#with(this.#doing);
  }

  /** Shows the step's progress: now and then, however often it is told. */
  progress(text) {
    this.#doing = `: ${text} …`;
    const now = performance.now();
    if (now - this.#shown < EVERY_MS[this.#board.isTerminal ? "terminal" : "plain"]) return;
    this.#shown = now;
    this.#board.show(this.now());
  }

  /** Leaves the terminal to a program that writes to it itself: for a step that runs alone. */
  letThrough() {
    this.#board.write(`${this.#label} …`);
    this.#board.letThrough();
  }

  /** Shows a line of its own (a warning, or the process we wait for). */
  note(text) {
    this.#board.write(`${this.#label}: ${text}`);
  }

  /** Shows what a program had to say, in one piece: others run beside it. */
  print(text) {
    this.#board.write(`${this.#label}:\n${text.trimEnd()}`);
  }

  /** Ends the line; returns how long the step took, in milliseconds. */
  finish(text) {
    this.#board.remove(this);
    this.#board.write(this.#with(`: ${text}`), { cut: true });
    return performance.now() - this.#began;
  }
}

/** Runs one step: its result is { name, title, ms, state } with the error if it failed. */
async function runStep(step, label, board) {
  const line = new StepLine(label, board);
  try {
    const outcome = (await step.run(line)) ?? "done";
    return { ...step, state: "ok", ms: line.finish(outcome) };
  } catch (error) {
    return { ...step, state: "failed", ms: line.finish("failed"), error };
  }
}

/** What several steps failed with, as one error. */
const asOne = (failures) =>
  failures.length === 1 ? failures[0] : new SetupFailure([...new Set(failures.map(explain))].join("\n\n"));

/**
 * Runs steps, each { name, title, run(line), needs?, processors? }; what run resolves to is shown as its outcome. A step
 * starts when those that it needs are over and as many processors are free as it keeps busy: all of them unless it says
 * otherwise, none when it waits for a network. Whoever stands first in the list starts first.
 * After a failure no other step starts, and it is thrown when those under way are over; with keepGoing it is printed,
 * and only the steps that need the failed one are left out. Resolves to the results in the order of the list.
 */
export async function runSteps(steps, options = {}) {
  const { out = process.stdout, keepGoing = false, machine = availableParallelism() } = options;
  const board = new Board(out);
  const names = new Set(steps.map(({ name }) => name));
  if (names.size < steps.length) throw new Error("two steps have the same name, and only one of them would run");
  const results = new Map();
  const running = new Map();
  const failures = [];
  const busyWith = ({ processors = machine }) => Math.min(processors, machine);
  const labelOf = (step) => `[${steps.indexOf(step) + 1}/${steps.length}] ${step.title}`;
  const isOver = (name) => !names.has(name) || results.has(name);

  const end = (step, result) => {
    results.set(step.name, result);
    running.delete(step.name);
    if (!result.error) return;
    failures.push(result.error);
    if (keepGoing) board.write(explain(result.error));
  };

  /** Starts what can start, and gives up what never can. */
  const startReady = () => {
    let free = machine - Array.from(running.values(), ({ step }) => busyWith(step)).reduce((a, b) => a + b, 0);
    for (const step of steps) {
      const { name, needs = [] } = step;
      if (results.has(name) || running.has(name) || (failures.length > 0 && !keepGoing)) continue;
      const missing = needs.find((need) => results.has(need) && results.get(need).state !== "ok");
      if (missing) {
        board.write(`${labelOf(step)}: not run, it needs ${missing}`);
        results.set(name, { ...step, state: "not run", ms: 0 });
      } else if (needs.every(isOver)) {
        const wanted = busyWith(step);
        if (wanted === 0 || wanted <= free)
          running.set(name, { step, over: runStep(step, labelOf(step), board).then((result) => end(step, result)) });
        free -= wanted; // also where it has to wait: what comes later is not to overtake it for ever
      }
    }
  };

  for (startReady(); running.size > 0; startReady())
    await Promise.race(Array.from(running.values(), ({ over }) => over));
  if (failures.length > 0 && !keepGoing) throw asOne(failures);
  return steps.filter(({ name }) => results.has(name)).map(({ name }) => results.get(name));
}
