import type { Global, Tensor } from "./base.js";
import type {
  Evaluation,
  EvaluationOptions,
  GenerateOptions,
  LengthEvaluation,
  StepReport,
  StretchOptions,
  TrainingFacts,
  TrainingOptions,
} from "./learning.js";

/** A worker as browsers, Node, Deno or Bun make one. */
export interface TrainingWorker {
  /** Gives it a message. */
  postMessage(message: unknown): void;
  /** Ends it. */
  terminate(): unknown;
}

/** The options of `train`: those of `training`, and those of the run. */
export interface TrainOptions extends TrainingOptions {
  /** How many steps there are from one point to the next; by default a fiftieth of all, at least 1. */
  every?: number;
  /** The sizes of the examples that the model is tested with at each point, as in `stretch`; `[]` for no tests. */
  lengths?: readonly number[];
  /** How many examples of each size, 1 … 2^20; 32 by default. */
  sequences?: number;
  /**
   * A worker in which the module "posenc/lab-worker" runs, or a function that makes one: needed where a bundler does
   * not find it by itself, or a Content-Security-Policy forbids `blob:`. It is the run's from then on, which ends it. By
   * default the file lab-worker.js beside lab.js; where that is of another origin than the page, through a `blob:` URL.
   */
  worker?: TrainingWorker | (() => TrainingWorker);
  /** Ends the run: its promises reject with the signal's reason. */
  signal?: Global<"AbortSignal">;
}

/**
 * How far a training is. The first point comes before any step, with the tests of the untrained model; it has no `loss`,
 * `accuracy`, `rate` and `norm`, which the others have of their last step.
 */
export interface TrainingPoint extends Partial<StepReport> {
  /** How many steps have been made. */
  step: number;
  /** How many there will be. */
  steps: number;
  /** One for each of `lengths`. */
  tests: LengthEvaluation[];
  /** The seconds that the steps of this run have taken so far, without tests and pauses. */
  seconds: number;
  /** The seconds that are left, estimated from steps and tests so far; not at the first point. */
  remaining?: number;
  /** Multiplications and additions in the products of this run's steps so far. */
  operations: number;
}

/**
 * The state of a run: `"done"` when all steps are made, `"stopped"` after `stop`, `"failed"` where a step could not be
 * made or a worker ended, `"disposed"` when there is no worker any more.
 */
export type TrainingRunState = "training" | "paused" | "done" | "stopped" | "failed" | "disposed";

/**
 * A training in a worker. Its points can be gone through at any time and as often as wanted, from the first on, by several
 * loops at once: none is lost. Leaving a loop ends nothing.
 *
 * The worker answers between steps, and after the last until the run is disposed of. Promises, and loops over points, reject
 * with the error that ended it: the TypeError or RangeError of a wrong option; a RangeError for a loss that is not finite, after which
 * questions are still answered; the reason of an aborted signal; an Error when a worker ended; a TypeError after `dispose`.
 *
 * In Node a run keeps the process alive while it trains or is asked something.
 */
export interface TrainingRun extends AsyncIterable<TrainingPoint> {
  /** The facts of the training, once they are known. */
  readonly ready: Promise<TrainingFacts>;
  /** Its state. */
  readonly state: TrainingRunState;
  /** All points so far. */
  readonly points: readonly TrainingPoint[];
  /** Makes no more steps until `resume`. */
  pause(): void;
  /** Goes on. */
  resume(): void;
  /** Makes no more steps at all, and ends loops over points. The model as it is can be asked. */
  stop(): void;
  /** The same as `values` of a training. */
  values(): Promise<Float32Array>;
  /** The same as `evaluate` of a training. */
  evaluate(options?: EvaluationOptions): Promise<Evaluation>;
  /** The same as `stretch` of a training. */
  stretch(options?: StretchOptions): Promise<LengthEvaluation[]>;
  /** The same as `attention` of a training. */
  attention(tokens: ArrayLike<number>): Promise<Tensor>;
  /** The same as `generate` of a training. */
  generate(prompt: ArrayLike<number>, options: GenerateOptions): Promise<number[]>;
  /** The same as `encode` of a training. */
  encode(text: string): Promise<number[]>;
  /** The same as `decode` of a training. */
  decode(tokens: ArrayLike<number>): Promise<string>;
  /** Ends its worker; its promises reject. A second call does nothing. */
  dispose(): Promise<void>;
  /** Called at the end of a block by `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
