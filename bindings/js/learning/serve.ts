// The end of a run in its worker: makes steps, lets messages in between them, and says how far it is.

import type * as t from "../types/index.js";
import {
  type Problem,
  problemOf,
  type Questions,
  type Request,
  type Response,
  type Share,
  type Start,
} from "./protocol.js";
import { sharedSteps } from "./shared-steps.js";
import { runTests, testsOf } from "./stretch.js";
import { type GivenPlan, planOf } from "./train-options.js";

/** For so many milliseconds steps are made one after the other, before messages are let in. */
const patience = 10;

/** What a worker hears and says messages by. */
export interface Scope {
  listen(hear: (request: Request) => void): void;
  say(response: Response): void;
}

/** Starts the library from a compiled module. */
export type Open = (module: WebAssembly.Module) => Promise<{ training(options: t.TrainingOptions): t.Training }>;

/**
 * Waits until messages that have come are heard. Timers wait four milliseconds and more; of a port, Node takes a thousand
 * messages before it looks at another.
 */
function turns(): () => Promise<void> {
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

async function started(open: Open, { module, options, checkpoint }: Start): Promise<t.Training> {
  const training = (await open(module)).training(options);
  if (checkpoint) training.restore(checkpoint);
  return training;
}

/** A text is not sent back: who asked has it. */
function factsOf({ options, words, parameters, shards }: t.Training): t.TrainingFacts {
  const { text: _, ...task } = options.task;
  return { options: { ...options, task }, words, parameters, shards };
}

const questionsOf = (training: t.Training): Questions => ({
  evaluate: (options) => training.evaluate(options),
  tests: (tests) => runTests(training, tests),
  attention: (tokens) => training.attention(tokens),
  generate: (prompt, options) => training.generate(prompt, options),
  encode: (text) => training.encode(text),
  decode: (tokens) => training.decode(tokens),
  save: () => training.save(),
  values: () => training.checkpoint().values,
});

/** The run's first worker. */
class Leader {
  readonly #scope: Scope;
  readonly #training: t.Training;
  readonly #plan: ReturnType<typeof planOf>;
  readonly #questions: Questions;
  #step: () => t.StepReport | Promise<t.StepReport>;
  #isPaused = false;
  #isStopped = false;
  #wake = () => {};
  /** In steps and in tests, in milliseconds. */
  #spent = { steps: 0, tests: 0 };

  constructor(scope: Scope, training: t.Training, given: GivenPlan) {
    this.#scope = scope;
    this.#training = training;
    this.#plan = planOf(given, training);
    this.#questions = questionsOf(training);
    this.#step = () => training.step();
  }

  get workers(): number {
    return this.#plan.workers;
  }

  share({ place, ports, memory }: Share): void {
    this.#step = sharedSteps(this.#training, place, ports, memory);
  }

  hear(request: Request): void {
    if (request.kind === "ask") this.#answer(request.id, request.question, request.given);
    if (request.kind === "pause") this.#isPaused = true;
    if (request.kind === "resume") this.#isPaused = false;
    if (request.kind === "stop") this.#isStopped = true;
    this.#wake();
  }

  #answer(id: number, question: keyof Questions, given: unknown[]): void {
    try {
      const ask = this.#questions[question] as (...given: unknown[]) => unknown;
      this.#scope.say({ kind: "answer", id, answer: ask(...given) });
    } catch (error) {
      this.#scope.say({ kind: "refusal", id, problem: problemOf(error) });
    }
  }

  #say(report?: t.StepReport): void {
    const { steps: step, operations } = this.#training;
    const { steps, tests: wanted } = this.#plan;
    const began = performance.now();
    const tests = runTests(this.#training, testsOf(wanted, this.#training.options));
    const seconds = this.#spent.steps / 1000;
    if (report) this.#spent.tests += performance.now() - began;
    const point = { step, steps, ...report, tests, seconds, operations };
    const remaining = this.#remaining(step);
    this.#scope.say({ kind: "point", point: remaining === undefined ? point : { ...point, remaining } });
  }

  #first = 0;

  /** In seconds, from what has been made. */
  #remaining(step: number): number | undefined {
    if (step === this.#first) return undefined;
    const { steps, tests } = this.#spent;
    return (((steps + tests) / 1000) * (this.#plan.steps - step)) / (step - this.#first);
  }

  async run(): Promise<void> {
    const training = this.#training;
    const { steps, every } = this.#plan;
    const turn = turns();
    this.#first = training.steps;
    this.#say();
    let heard = Number.NEGATIVE_INFINITY;
    while (true) {
      if (performance.now() - heard >= patience) {
        await turn();
        heard = performance.now();
      }
      if (this.#isStopped || training.steps >= steps) break;
      if (this.#isPaused) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const began = performance.now();
      const made = this.#step();
      const report = made instanceof Promise ? await made : made;
      this.#spent.steps += performance.now() - began;
      if (report.step % every === 0 || report.step === steps) this.#say(report);
    }
    this.#scope.say({ kind: "ended" });
  }
}

/** Makes the other workers' steps, as long as there are any. */
async function follow(training: t.Training, { place, ports, memory }: Share): Promise<void> {
  const step = sharedSteps(training, place, ports, memory);
  while (training.steps < training.options.optimizer.steps) await step();
}

/** Serves one run. */
export function serve(scope: Scope, open: Open): void {
  let leader: Leader | undefined;
  /** What came before there was one. */
  const early: Request[] = [];
  const fail = (error: unknown) => scope.say({ kind: "failed", problem: problemOf(error) satisfies Problem });

  async function hear(request: Request): Promise<void> {
    if (request.kind === "start") {
      const training = await started(open, request);
      leader = new Leader(scope, training, request.plan);
      for (const each of early) leader.hear(each);
      scope.say({ kind: "ready", facts: factsOf(training), workers: leader.workers });
      if (leader.workers === 1) await leader.run();
    } else if (request.kind === "share" && request.start) {
      await follow(await started(open, request.start), request);
    } else if (request.kind === "share") {
      leader?.share(request);
      await leader?.run();
    } else if (leader) leader.hear(request);
    else early.push(request);
  }

  scope.listen((request) => void hear(request).catch(fail));
}
