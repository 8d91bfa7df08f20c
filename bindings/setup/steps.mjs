// Named steps with progress and durations: "[2/7] Emscripten 3.1.69: unpacking 40 % … 8 s".
import { performance } from "node:perf_hooks";
import { explain } from "./failure.mjs";

const EVERY_MS = { terminal: 100, plain: 5000 };

/** Seconds with one digit below ten. */
export const seconds = (ms) => `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;

/** One step's line: overwritten in place on a terminal, a new line now and then elsewhere. */
class StepLine {
  #label;
  #out;
  #began = performance.now();
  #shown = this.#began;

  constructor(label, out) {
    this.#label = label;
    this.#out = out;
    if (out.isTTY) this.#write(label, false);
  }

  #write(text, final) {
    const line = `${text}, ${seconds(performance.now() - this.#began)}`;
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${line.slice(0, this.#out.columns - 1)}${final ? "\n" : ""}`);
    else this.#out.write(`${line}\n`);
  }

  /** Shows the step's progress. */
  progress(text) {
    const now = performance.now();
    if (now - this.#shown < EVERY_MS[this.#out.isTTY ? "terminal" : "plain"]) return;
    this.#shown = now;
    this.#write(`${this.#label}: ${text} …`, false);
  }

  /** Leaves the line, for a program that writes to the terminal itself. */
  letThrough() {
    this.#out.write(`${this.#out.isTTY ? "\r\x1b[K" : ""}${this.#label} …\n`);
  }

  /** Shows a line of its own (a warning, or the process we wait for). */
  note(text) {
    this.#out.write(`${this.#out.isTTY ? "\r\x1b[K" : ""}${this.#label}: ${text}\n`);
  }

  finish(text) {
    this.#write(`${this.#label}: ${text}`, true);
    return performance.now() - this.#began;
  }
}

/** Runs one step: its result is { name, title, ms, state } with the error if it failed. */
async function runStep(step, label, out) {
  const line = new StepLine(label, out);
  try {
    const outcome = (await step.run(line)) ?? "done";
    return { ...step, state: "ok", ms: line.finish(outcome) };
  } catch (error) {
    return { ...step, state: "failed", ms: line.finish("failed"), error };
  }
}

/**
 * Runs steps in order. A step is { name, title, run(line), needs? }; what run resolves to is shown as its outcome.
 * The first failure is thrown; with keepGoing it is printed, and only the steps that need the failed one are left out.
 */
export async function runSteps(steps, { out = process.stdout, keepGoing = false } = {}) {
  const results = [];
  const lost = new Set();
  for (const [index, step] of steps.entries()) {
    const label = `[${index + 1}/${steps.length}] ${step.title}`;
    const missing = step.needs?.find((name) => lost.has(name));
    if (missing) out.write(`${label}: not run, it needs ${missing}\n`);
    const result = missing ? { ...step, state: "not run", ms: 0 } : await runStep(step, label, out);
    if (result.state !== "ok") lost.add(step.name);
    if (result.error && !keepGoing) throw result.error;
    if (result.error) out.write(`${explain(result.error)}\n`);
    results.push(result);
  }
  return results;
}
