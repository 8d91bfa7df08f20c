import type { Checkpoint, Evaluation, EvaluationOptions, StepReport, Tensor, TrainingOptions } from "posenc/lab";

/** One training, in a worker of its own. */
export class Run implements AsyncIterable<StepReport> {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, { done(value: never): void; fail(error: Error): void }>();
  private readonly points: StepReport[] = [];
  private last = 0;
  private isOver = false;
  private failure: Error | undefined;
  private wake = () => {};
  private readonly made: Promise<{ words: string[] }>;

  constructor({ every, ...options }: TrainingOptions & { every: number }) {
    const name = `training ${Math.random()}`;
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.fail(new Error(event.message || "worker"));
    });
    this.worker.addEventListener("message", ({ data }) => {
      if (data.point) this.points.push(data.point);
      else if (data.over) this.isOver = true;
      else if (data.failure) this.waiting.get(data.id)?.fail(new Error(data.failure));
      else this.waiting.get(data.id)?.done(data.answer as never);
      this.wake();
    });
    this.made = this.ask("start", options, every);
    this.made.then(
      () => navigator.locks?.request(name, () => this.fail(new Error("worker"))),
      (error) => this.fail(error),
    );
  }

  private ask<T>(call: string, ...given: unknown[]): Promise<T> {
    if (this.failure) return Promise.reject(this.failure);
    const id = ++this.last;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.worker.postMessage({ id, call, given });
    });
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.worker.terminate();
    for (const { fail } of this.waiting.values()) fail(error);
    this.waiting.clear();
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<StepReport> {
    for (;;) {
      const point = this.points.shift();
      if (point) yield point;
      else if (this.failure) throw this.failure;
      else if (this.isOver) return;
      else
        await new Promise<void>((done) => {
          this.wake = done;
        });
    }
  }

  get ready() {
    return this.made;
  }
  pause = () => {
    this.ask("pause").catch(() => {});
  };
  resume = () => {
    this.ask("resume").catch(() => {});
  };
  attention = (tokens: readonly number[]) => this.ask<Tensor>("attention", tokens);
  values = async () => (await this.ask<Checkpoint>("checkpoint")).values;
  dispose = () => this.worker.terminate();
  evaluate = (options: EvaluationOptions) => this.ask<Evaluation>("evaluate", options);
}
