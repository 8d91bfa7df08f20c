// Named steps with progress and durations: "[2/7] Emscripten 3.1.69: unpacking 40 % … 8 s".
import { performance } from "node:perf_hooks";

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

  /** Shows how far the step is. */
  progress(text) {
    const now = performance.now();
    if (now - this.#shown < EVERY_MS[this.#out.isTTY ? "terminal" : "plain"]) return;
    this.#shown = now;
    this.#write(`${this.#label}: ${text} …`, false);
  }

  /** Shows a line of its own (a warning, whom we wait for). */
  note(text) {
    this.#out.write(`${this.#out.isTTY ? "\r\x1b[K" : ""}${this.#label}: ${text}\n`);
  }

  finish(text) {
    this.#write(`${this.#label}: ${text}`, true);
    return performance.now() - this.#began;
  }
}

/**
 * Runs steps in order. A step is { title, run(line) }; what run resolves to is shown as its outcome.
 * The output goes to standard error when standard output is for a machine to read.
 */
export async function runSteps(steps, out = process.stdout) {
  for (const [index, step] of steps.entries()) {
    const line = new StepLine(`[${index + 1}/${steps.length}] ${step.title}`, out);
    try {
      line.finish((await step.run(line)) ?? "done");
    } catch (error) {
      line.finish("failed");
      throw error;
    }
  }
}
