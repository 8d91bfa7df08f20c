// The worker's side of a run: makes steps, receives messages between them, and reports points.

import type * as t from "../types/index.js";
import { type Problem, problemOf, type Questions, type Request, type Response } from "./protocol.js";
import { runTests, testsOf } from "./stretch.js";
import { type GivenPlan, planOf } from "./train-options.js";

/** Milliseconds of steps before messages are received. */
const patience = 10;

/** How a worker receives and sends messages. */
export interface Scope {
  listen(onRequest: (request: Request) => void): void;
  send(response: Response): void;
}

/** Starts the library from a compiled module. */
export type Open = (module: WebAssembly.Module) => Promise<{ training(options: t.TrainingOptions): t.Training }>;

/**
 * Returns a function that waits until messages which have arrived are received. Timers wait four milliseconds and more; of
 * a port, Node takes a thousand messages before it looks at another.
 */
function messageYielder(): () => Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (go: () => void) => void };
  if (setImmediate) return () => new Promise((go) => setImmediate(go));
  const { port1, port2 } = new MessageChannel();
  let go = () => {};
  port1.onmessage = () => go();
  return () =>
    new Promise((resolve) => {
      go = resolve;
      port2.postMessage(0);
    });
}

/** The facts without the text, which the caller has. */
function factsOf({ options, words, parameters }: t.Training): t.TrainingFacts {
  const { text: _, ...task } = options.task;
  return { options: { ...options, task }, words, parameters };
}

const questionsOf = (training: t.Training): Questions => ({
  evaluate: (options) => training.evaluate(options),
  tests: (tests) => runTests(training, tests),
  attention: (tokens) => training.attention(tokens),
  generate: (prompt, options) => training.generate(prompt, options),
  encode: (text) => training.encode(text),
  decode: (tokens) => training.decode(tokens),
  values: () => training.values(),
});

/** Makes the steps of a run. */
class Trainer {
  readonly #scope: Scope;
  readonly #training: t.Training;
  readonly #plan: ReturnType<typeof planOf>;
  readonly #questions: Questions;
  #isPaused = false;
  #isStopped = false;
  #wake = () => {};
  /** Milliseconds spent in steps and in tests. */
  #spent = { steps: 0, tests: 0 };

  constructor(scope: Scope, training: t.Training, given: GivenPlan) {
    this.#scope = scope;
    this.#training = training;
    this.#plan = planOf(given, training);
    this.#questions = questionsOf(training);
  }

  receive(request: Request): void {
    if (request.kind === "ask") this.#answer(request.id, request.question, request.given);
    if (request.kind === "pause") this.#isPaused = true;
    if (request.kind === "resume") this.#isPaused = false;
    if (request.kind === "stop") this.#isStopped = true;
    this.#wake();
  }

  #answer(id: number, question: keyof Questions, given: unknown[]): void {
    try {
      const ask = this.#questions[question] as (...given: unknown[]) => unknown;
      this.#scope.send({ kind: "answer", id, answer: ask(...given) });
    } catch (error) {
      this.#scope.send({ kind: "refusal", id, problem: problemOf(error) });
    }
  }

  #sendPoint(report?: t.StepReport): void {
    const { steps: step, operations } = this.#training;
    const { steps, tests: wanted } = this.#plan;
    const began = performance.now();
    const tests = runTests(this.#training, testsOf(wanted, this.#training.options));
    const seconds = this.#spent.steps / 1000;
    if (report) this.#spent.tests += performance.now() - began;
    const point = { step, steps, ...report, tests, seconds, operations };
    const remaining = this.#remaining(step);
    this.#scope.send({ kind: "point", point: remaining === undefined ? point : { ...point, remaining } });
  }

  /** Seconds that are left, estimated from the steps made. */
  #remaining(step: number): number | undefined {
    if (step === 0) return undefined;
    const { steps, tests } = this.#spent;
    return (((steps + tests) / 1000) * (this.#plan.steps - step)) / step;
  }

  async run(): Promise<void> {
    const training = this.#training;
    const { steps, every } = this.#plan;
    const yieldToMessages = messageYielder();
    this.#sendPoint();
    let lastYield = Number.NEGATIVE_INFINITY;
    while (true) {
      if (performance.now() - lastYield >= patience) {
        await yieldToMessages();
        lastYield = performance.now();
      }
      if (this.#isStopped || training.steps >= steps) break;
      if (this.#isPaused) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const began = performance.now();
      const report = training.step();
      this.#spent.steps += performance.now() - began;
      if (report.step % every === 0 || report.step === steps) this.#sendPoint(report);
    }
    this.#scope.send({ kind: "ended" });
  }
}

/** Serves one run. */
export function serve(scope: Scope, open: Open): void {
  let trainer: Trainer | undefined;
  /** Requests that came before there was a training. */
  const early: Request[] = [];
  const fail = (error: unknown) => scope.send({ kind: "failed", problem: problemOf(error) satisfies Problem });

  async function receive(request: Request): Promise<void> {
    if (request.kind === "start") {
      const training = (await open(request.module)).training(request.options);
      trainer = new Trainer(scope, training, request.plan);
      for (const each of early) trainer.receive(each);
      scope.send({ kind: "ready", facts: factsOf(training) });
      await trainer.run();
    } else if (trainer) trainer.receive(request);
    else early.push(request);
  }

  scope.listen((request) => void receive(request).catch(fail));
}
