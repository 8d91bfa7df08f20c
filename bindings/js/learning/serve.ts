// The worker's side of a run: makes steps, receives messages between them, and reports points.

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

async function started(open: Open, { module, options, checkpoint }: Start): Promise<t.Training> {
  const training = (await open(module)).training(options);
  if (checkpoint) training.restore(checkpoint);
  return training;
}

/** The facts without the text, which the caller has. */
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
  /** Milliseconds spent in steps and in tests. */
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

  share({ index, ports, memory }: Share): void {
    this.#step = sharedSteps(this.#training, index, ports, memory);
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

  #first = 0;

  /** Seconds that are left, estimated from the steps made. */
  #remaining(step: number): number | undefined {
    if (step === this.#first) return undefined;
    const { steps, tests } = this.#spent;
    return (((steps + tests) / 1000) * (this.#plan.steps - step)) / (step - this.#first);
  }

  async run(): Promise<void> {
    const training = this.#training;
    const { steps, every } = this.#plan;
    const yieldToMessages = messageYielder();
    this.#first = training.steps;
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
      const made = this.#step();
      const report = made instanceof Promise ? await made : made;
      this.#spent.steps += performance.now() - began;
      if (report.step % every === 0 || report.step === steps) this.#sendPoint(report);
    }
    this.#scope.send({ kind: "ended" });
  }
}

/** Makes the other workers' steps, as long as there are any. */
async function follow(training: t.Training, { index, ports, memory }: Share): Promise<void> {
  const step = sharedSteps(training, index, ports, memory);
  while (training.steps < training.options.optimizer.steps) await step();
}

/** Serves one run. */
export function serve(scope: Scope, open: Open): void {
  let leader: Leader | undefined;
  /** Requests that came before there was a leader. */
  const early: Request[] = [];
  const fail = (error: unknown) => scope.send({ kind: "failed", problem: problemOf(error) satisfies Problem });

  async function receive(request: Request): Promise<void> {
    if (request.kind === "start") {
      const training = await started(open, request);
      leader = new Leader(scope, training, request.plan);
      for (const each of early) leader.receive(each);
      scope.send({ kind: "ready", facts: factsOf(training), workers: leader.workers });
      if (leader.workers === 1) await leader.run();
    } else if (request.kind === "share" && request.start) {
      await follow(await started(open, request.start), request);
    } else if (request.kind === "share") {
      leader?.share(request);
      await leader?.run();
    } else if (leader) leader.receive(request);
    else early.push(request);
  }

  scope.listen((request) => void receive(request).catch(fail));
}
