// A training in a worker, as its caller sees it: points as they come, questions and answers, and its end.

import { whole, wrongType } from "../base/check.js";
import type * as t from "../types/index.js";
import { errorOf, type Questions, type Response } from "./protocol.js";
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
  #worker: WorkerEnd | undefined;
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
  #over: unknown;

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
    const { training: options, plan, worker } = this.#options;
    try {
      this.#worker = workerEnd(worker, {
        receive: (response) => this.#closed || this.#receive(response),
        fail: (error) => this.#close("failed", error),
      });
      this.#worker.send({ kind: "start", module: this.#module, options, plan });
    } catch (error) {
      this.#close("failed", error);
    }
  }

  #receive(response: Response): void {
    if (response.kind === "ready") this.#prepare(response.facts);
    else if (response.kind === "point") {
      whole("step", response.point.step);
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

  /** Resolves `ready`. */
  #prepare({ options, ...facts }: t.TrainingFacts): void {
    const { text } = this.#options.training.task;
    const whole = text === undefined ? options : { ...options, task: { ...options.task, text } };
    this.#begin?.resolve({ ...facts, options: whole });
    this.#begin = undefined;
    this.#updateKeepAlive();
  }

  /** Ends the points. */
  #stopped(state: t.TrainingRunState, end: End): void {
    if (this.#end) return;
    this.#end = end;
    this.#state = state;
    this.#updateKeepAlive();
    this.#notify();
  }

  /** Ends points and answers, and the worker. */
  #close(state: t.TrainingRunState, error: unknown): void {
    if (this.#closed) return;
    this.#closed = { error };
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#stopped(state, { error });
    this.#state = state;
    this.#begin?.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#over = this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Keeps Node's process alive while points or answers are awaited. */
  #updateKeepAlive(): void {
    this.#worker?.keepAlive(this.#waiting.size > 0 || this.#begin !== undefined || this.#state === "training");
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
    this.#worker?.send({ kind });
    this.#updateKeepAlive();
  }

  pause(): void {
    this.#changeState("training", "paused", "pause");
  }

  resume(): void {
    this.#changeState("paused", "training", "resume");
  }

  stop(): void {
    if (!this.#end) this.#worker?.send({ kind: "stop" });
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
      this.#worker?.send({ kind: "ask", id, question, given });
    } catch (error) {
      this.#take(id)?.reject(unsendable(question, error));
    }
    this.#updateKeepAlive();
    return answer as Promise<ReturnType<Questions[Question]>>;
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

/** Starts a run. Its worker gets the module that this entry compiled. */
export const train = (module: WebAssembly.Module, options: t.TrainOptions): t.TrainingRun =>
  new WorkerRun(module, readTrainOptions(options));
