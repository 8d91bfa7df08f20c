// A training in workers, as its caller sees it: points as they come, questions and answers, and its end.

import { wrongType } from "../base/check.js";
import type * as t from "../types/index.js";
import { errorOf, type Questions, type Request, type Response } from "./protocol.js";
import { sharedMemory } from "./shared-steps.js";
import { readStretch, testsOf } from "./stretch.js";
import { type ReadTrainOptions, readTrainOptions } from "./train-options.js";
import { type WorkerEnd, workerEnd } from "./worker-end.js";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** The end of points or answers, and its error if it has one. */
interface End {
  readonly error?: unknown;
}

const disposed = () => wrongType("run", "a deleted one", "one that is still alive");

/** The error of a question whose arguments cannot be sent. */
const unsendable = (question: string, error: unknown) =>
  new TypeError(`${question}: ${(error as Error).message}, expected what can be sent to a worker`);

class WorkerRun implements t.TrainingRun {
  readonly ready: Promise<t.TrainingFacts>;
  readonly points: readonly t.TrainingPoint[];
  readonly #points: t.TrainingPoint[] = [];
  readonly #options: ReadTrainOptions;
  readonly #module: WebAssembly.Module;
  /** The first one answers questions. */
  readonly #workers: WorkerEnd[] = [];
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #begin: Waiting | undefined;
  #state: t.TrainingRunState = "training";
  /** Set when there are no more points. */
  #end: End | undefined;
  /** Set when there are no more answers either. */
  #closed: End | undefined;
  #news = () => {};
  #next: Promise<void> = Promise.resolve();
  #over: Promise<unknown> = Promise.resolve();

  constructor(module: WebAssembly.Module, options: ReadTrainOptions) {
    this.points = this.#points;
    this.#module = module;
    this.#options = options;
    this.#await();
    this.ready = new Promise((resolve, reject) => {
      this.#begin = { resolve: resolve as Waiting["resolve"], reject };
    });
    // Points and answers reject with the error too: a caller may ignore this promise.
    this.ready.catch(() => {});
    const { signal } = options;
    if (signal?.aborted) this.#close("disposed", signal.reason);
    else this.#start();
    signal?.addEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = () => this.#close("disposed", this.#options.signal?.reason);

  #start(): void {
    const { training: options, plan, checkpoint } = this.#options;
    try {
      this.#worker((response) => this.#receive(response)).send({
        kind: "start",
        module: this.#module,
        options,
        plan,
        checkpoint,
      });
    } catch (error) {
      this.#close("failed", error);
    }
  }

  /** Starts one more worker. The failure of the first closes the run, that of another stops its training. */
  #worker(receive: (response: Response) => void): WorkerEnd {
    const isFirst = this.#workers.length === 0;
    const made = workerEnd(this.#options.worker, {
      receive: (response) => this.#closed || receive(response),
      fail: (error) => (isFirst ? this.#close("failed", error) : this.#stopped("failed", { error })),
    });
    this.#workers.push(made);
    return made;
  }

  #receive(response: Response): void {
    if (response.kind === "ready") this.#prepare(response.facts, response.workers);
    else if (response.kind === "point") {
      this.#points.push(response.point);
      this.#notify();
    } else if (response.kind === "ended") {
      const { step, steps } = this.#points.at(-1) as t.TrainingPoint;
      this.#stopped(step === steps ? "done" : "stopped", {});
    } else if (response.kind === "failed") {
      const error = errorOf(response.problem);
      if (this.#begin) this.#close("failed", error);
      else this.#stopped("failed", { error });
    } else if (response.kind === "answer") this.#take(response.id)?.resolve(response.answer);
    else if (response.kind === "refusal") this.#take(response.id)?.reject(errorOf(response.problem));
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#updateKeepAlive();
    return waiting;
  }

  /** Starts the workers that share its steps, and resolves `ready`. */
  #prepare({ options, ...facts }: t.TrainingFacts, workers: number): void {
    const { text } = this.#options.training.task;
    const whole = text === undefined ? options : { ...options, task: { ...options.task, text } };
    const [leader] = this.#workers as [WorkerEnd];
    if (workers > 1) this.#share(leader, { ...facts, options: whole }, workers);
    this.#begin?.resolve({ ...facts, options: whole });
    this.#begin = undefined;
    this.#updateKeepAlive();
  }

  #share(leader: WorkerEnd, facts: t.TrainingFacts, workers: number): void {
    const ports: MessagePort[][] = Array.from({ length: workers }, () => []);
    for (let a = 0; a < workers; ++a)
      for (let b = a + 1; b < workers; ++b) {
        const { port1, port2 } = new MessageChannel();
        ports[a]?.push(port1);
        ports[b]?.push(port2);
      }
    const { checkpoint } = this.#options;
    const start = { kind: "start", module: this.#module, options: facts.options, checkpoint } as const;
    try {
      const memory = sharedMemory(workers, facts);
      for (const [index, own] of ports.entries()) {
        const share: Request = { kind: "share", index, ports: own, memory, ...(index > 0 && { start }) };
        const worker = index === 0 ? leader : this.#worker((response) => this.#receiveFromOther(response));
        if (index > 0) worker.keepAlive(false);
        worker.send(share, own);
      }
    } catch (error) {
      this.#close("failed", error);
    }
  }

  #receiveFromOther(response: Response): void {
    if (response.kind === "failed") this.#stopped("failed", { error: errorOf(response.problem) });
  }

  /** Ends the points. */
  #stopped(state: t.TrainingRunState, end: End): void {
    if (this.#end) return;
    this.#end = end;
    this.#state = state;
    const others = this.#workers.splice(1).map((worker) => worker.terminate());
    this.#over = Promise.all(others);
    this.#updateKeepAlive();
    this.#notify();
  }

  /** Ends points and answers, and the workers. */
  #close(state: t.TrainingRunState, error: unknown): void {
    if (this.#closed) return;
    this.#closed = { error };
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#stopped(state, { error });
    this.#state = state;
    this.#begin?.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#over = Promise.all([this.#over, ...this.#workers.splice(0).map((worker) => worker.terminate())]);
  }

  /** Keeps Node's process alive while points or answers are awaited. */
  #updateKeepAlive(): void {
    this.#workers[0]?.keepAlive(this.#waiting.size > 0 || this.#begin !== undefined || this.#state === "training");
  }

  #notify(): void {
    const notify = this.#news;
    this.#await();
    notify();
  }

  #await(): void {
    this.#next = new Promise((resolve) => {
      this.#news = resolve;
    });
  }

  get state(): t.TrainingRunState {
    return this.#state;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<t.TrainingPoint, void, undefined> {
    for (let at = 0; ; ++at) {
      while (at >= this.#points.length) {
        if (this.#end && "error" in this.#end) throw this.#end.error;
        if (this.#end) return;
        await this.#next;
      }
      yield this.#points[at] as t.TrainingPoint;
    }
  }

  #changeState(from: t.TrainingRunState, to: t.TrainingRunState, kind: "pause" | "resume"): void {
    if (this.#state !== from) return;
    this.#state = to;
    this.#workers[0]?.send({ kind });
    this.#updateKeepAlive();
  }

  pause(): void {
    this.#changeState("training", "paused", "pause");
  }

  resume(): void {
    this.#changeState("paused", "training", "resume");
  }

  stop(): void {
    if (!this.#end) this.#workers[0]?.send({ kind: "stop" });
  }

  async #ask<Question extends keyof Questions>(
    question: Question,
    ...given: Parameters<Questions[Question]>
  ): Promise<ReturnType<Questions[Question]>> {
    await this.ready;
    if (this.#closed) throw this.#closed.error;
    const id = ++this.#asked;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    try {
      this.#workers[0]?.send({ kind: "ask", id, question, given });
    } catch (error) {
      this.#take(id)?.reject(unsendable(question, error));
    }
    this.#updateKeepAlive();
    return answer as Promise<ReturnType<Questions[Question]>>;
  }

  checkpoint(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#ask("save");
  }

  values(): Promise<Float32Array> {
    return this.#ask("values");
  }

  evaluate(options?: t.EvaluationOptions): Promise<t.Evaluation> {
    return this.#ask("evaluate", options);
  }

  async stretch(options: t.StretchOptions = {}): Promise<t.LengthEvaluation[]> {
    const given = readStretch(options);
    const facts = await this.ready;
    return this.#ask("tests", testsOf(given, facts.options));
  }

  attention(tokens: ArrayLike<number>): Promise<t.Tensor> {
    return this.#ask("attention", tokens);
  }

  generate(prompt: ArrayLike<number>, options: t.GenerateOptions): Promise<number[]> {
    return this.#ask("generate", prompt, options);
  }

  encode(text: string): Promise<number[]> {
    return this.#ask("encode", text);
  }

  decode(tokens: ArrayLike<number>): Promise<string> {
    return this.#ask("decode", tokens);
  }

  async dispose(): Promise<void> {
    this.#close("disposed", disposed());
    this.#state = "disposed";
    await this.#over;
  }

  /** In an engine without Symbol.asyncDispose this method is called "undefined" and unused. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

/** Starts a run. Its workers get the module that this entry compiled. */
export const train = (module: WebAssembly.Module, options: t.TrainOptions): t.TrainingRun =>
  new WorkerRun(module, readTrainOptions(options));
