import type { OutOption, Releasable, TensorResult } from "./base.js";
import type { Scaling } from "./frequencies.js";
import type { PositionRule } from "./position-map.js";

/**
 * The tasks that a model can learn. The length of an example is counted in n; symbols are drawn at random:
 *
 * - `"order"`: n symbols, among them A and B once each, and a question mark: is A before B?
 * - `"roles"`: "A loves B", and who: which of the two loves, or is loved? Always four tokens, n is always 3.
 * - `"back"`: n symbols: at each, which one was `distance` before it?
 * - `"text"`: n characters of a text: at each, which is next? The last tenth of the text is for tests.
 */
export type TaskType = "order" | "roles" | "back" | "text";

/** The task that a model learns, and the sizes of the examples that it is trained on. */
export interface TaskOptions {
  /** Has no default. */
  type: TaskType;
  /**
   * The smallest n in training, 2 … 2^20. By default n is 2 … 16 for `"order"`, 8 … 32 for `"back"`, 3 for `"roles"`, 32 for
   * `"text"`.
   */
  shortest?: number;
  /** The largest. A step has one n, drawn from shortest … longest; that of `"text"` is the longest. */
  longest?: number;
  /**
   * How many different symbols there are, up to 1024: by default 8 for `"order"` (besides A and B), 4 for `"roles"`, 16 for
   * `"back"`. A text has its characters.
   */
  symbols?: number;
  /** The distance of the task `"back"`: 1 … shortest - 1; 3 by default. */
  distance?: number;
  /** The text of the task `"text"`, of at least 10 · (longest + 1) characters. */
  text?: string;
}

/**
 * How a model learns the positions of its tokens:
 *
 * - `"none"`: not at all, but for the causal mask.
 * - `"sinusoid"`: a table added at the input (Vaswani et al. 2017); `"learned"`: the same, learned (BERT, GPT-2).
 * - `"concatenated"`: such a table beside the words: its rows are the upper half of the input's dimensions, words the lower.
 * - `"rope"`: queries and keys rotate, layout `"half"` (Su et al. 2021).
 * - `"alibi"` (Press et al. 2022), `"t5"` (Raffel et al. 2020), `"fire"` (Li et al. 2024): a bias on scores. What is learned
 *   of it is the same in all layers.
 * - `"shaw"` (Shaw et al. 2018): learned rows for distances, added to keys and values.
 * - `"fox"`: the Forgetting Transformer (Lin et al. 2025), without rotation.
 */
export type EncodingType =
  | "none"
  | "sinusoid"
  | "concatenated"
  | "learned"
  | "rope"
  | "alibi"
  | "t5"
  | "fire"
  | "shaw"
  | "fox";

/** An encoding, which reads the options that name it and ignores the others. */
export interface EncodingOptions {
  /** Has no default. */
  type: EncodingType;
  /** The base of `"sinusoid"`, `"concatenated"` and `"rope"`: finite, > 0; 10000 by default. */
  base?: number;
  /** The share of a head's dimensions that `"rope"` rotates, > 0 … 1; 1 by default. */
  rotated?: number;
  /** The scaling rule of `"rope"`, as in `rotary`; `length` is the number of positions that the model reaches. */
  scaling?: Scaling;
  /** Maps the positions of a trained model with `"rope"`; only `evaluate` takes it. */
  map?: PositionRule;
  /** The rows of the table of `"learned"`; by default one for each position that the model reaches. */
  rows?: number;
  /** The buckets of `"t5"`; 16 by default. */
  buckets?: number;
  /** For `"t5"`, as in `t5Buckets`; for `"shaw"`, the distance at which distances are clipped. 16 by default. */
  maxDistance?: number;
  /** The units of the perceptron of `"fire"`, 1 … 4096; 32 by default. */
  hidden?: number;
}

/** The extents of a transformer: norms without means before attention and MLP, and before the output (Pre-RMSNorm). */
export interface TransformerOptions {
  /** Blocks of attention and MLP. */
  layers?: number;
  /** Numbers of a token: a multiple of 2 · heads, at most 512; 32 by default. */
  width?: number;
  /** Heads of a layer. */
  heads?: number;
  /** Units of the MLP, at most 4096; twice the width by default. */
  hidden?: number;
  /** Whether a token sees none that come after it; true by default. */
  causal?: boolean;
  /** Whether logits are products with the embedding's rows, and not with a matrix of their own; false by default. */
  tiesOutput?: boolean;
  /** Dropout of what attention and MLP add (Srivastava et al. 2014). */
  dropout?: number;
}

/** How a model is trained: by Adam, with β 0.9 and 0.98. The rate rises in a line, then falls as half a cosine wave. */
export interface OptimizerOptions {
  /** How many steps there are. */
  steps?: number;
  /** Examples in a step. */
  batch?: number;
  /** The largest rate. */
  rate?: number;
  /** The number of steps in which the rate rises. */
  warmUp?: number;
  /** The largest norm of all gradients together; 0 for any. */
  clip?: number;
  /** Decoupled, as in AdamW. */
  weightDecay?: number;
  /** The rate of the encoding's own parameters, in rates of the others. */
  encodingRate?: number;
}

/**
 * The positions of an example's tokens: `"plain"`, 0, 1, 2, …; `"offset"`, the same from a random one
 * on, another for each sequence; `"random"`, random ones in order, of all that positions reach (Ruoss et al. 2023).
 */
export type PositionSampling = "plain" | "offset" | "random";

/** The options of `training`. */
export interface TrainingOptions {
  /** The task that is learned. */
  task: TaskOptions;
  /** The positional encoding. */
  encoding: EncodingOptions;
  /** The extents of the transformer. */
  model?: TransformerOptions;
  /** The optimizer's options. */
  optimizer?: OptimizerOptions;
  /** `"plain"` by default. */
  sampling?: PositionSampling;
  /** Positions reach so many times as far as the longest example trained on. */
  stretch?: number;
  /** The seed of first parameters, examples, positions and dropout. */
  seed?: number;
}

/** The options of a training, all of them; defaults have been filled in. */
export interface CompleteTrainingOptions extends Required<Omit<TrainingOptions, "task" | "encoding">> {
  /** The task's options, with its text if it has one. */
  task: Required<Omit<TaskOptions, "text">> & Pick<TaskOptions, "text">;
  /** The encoding's options without a map, which only tests of a model take. */
  encoding: Required<Omit<EncodingOptions, "map">>;
  /** All of them. */
  model: Required<TransformerOptions>;
  /** All of them. */
  optimizer: Required<OptimizerOptions>;
}

/** One learned array. */
export interface TrainingParameter {
  /** "layers.0.up" */
  name: string;
  /** [rows, columns], row-major. */
  shape: [number, number];
  /** The index in `values` at which it begins. */
  offset: number;
}

/** The results of a step. */
export interface StepReport {
  /** How many have been made, this one included. */
  step: number;
  /** The mean loss of what was asked, in nats, before the step. */
  loss: number;
  /** The share of what was asked whose right answer had the largest logit. */
  accuracy: number;
  /** The rate of this step. */
  rate: number;
  /** The norm of all gradients together, before they were clipped. */
  norm: number;
}

/** The examples that a model is tested with. */
export interface EvaluationOptions {
  /** The size of the examples, up to `stretch` times the longest trained on, which is the default. */
  n?: number;
  /** How many examples, 1 … 2^20; 256 by default. */
  sequences?: number;
  /**
   * Another encoding, or the same with other options, without parameters that the model has not learned. An option that is
   * left out has its default, not its value in training: `{ ...training.options.encoding, map }`.
   */
  encoding?: EncodingOptions;
}

/** How a model has answered. */
export interface Evaluation {
  /** The mean loss of what was asked, in nats. */
  loss: number;
  /** The share that was answered rightly. */
  accuracy: number;
  /** e to the loss. */
  perplexity: number;
  /** How much was asked. */
  asked: number;
}

/** The lengths at which a model is tested. */
export interface StretchOptions {
  /**
   * The sizes of the examples, each as in `evaluate`: by default 1, 2, 4 and 8 times the longest trained on, as far as
   * `stretch` goes; those of `"roles"` have one size, 3.
   */
  lengths?: readonly number[];
  /** How many examples of each size, 1 … 2^20; 256 by default. */
  sequences?: number;
  /** As in `evaluate`; or a function of how many times the longest trained on a length is. */
  encoding?: EncodingOptions | ((factor: number) => EncodingOptions | undefined);
}

/** How a model has answered examples of one size. */
export interface LengthEvaluation extends Evaluation {
  /** Their size. */
  n: number;
}

/** How a text goes on. */
export interface GenerateOptions {
  /** How many tokens are wanted. */
  count: number;
  /** How many tokens the model reads, the last ones; by default as many as the longest example trained on has. */
  window?: number;
  /** The divisor of the logits, 0 … 100; 1 by default. At 0 the likeliest token is taken. */
  temperature?: number;
  /** A whole number; 0 by default. The same seed gives the same tokens everywhere. */
  seed?: number;
}

/** The facts of a training, which never change. */
export interface TrainingFacts {
  /** The options, with defaults for those that were not given. */
  readonly options: CompleteTrainingOptions;
  /** The word of each token: "A", "?", "w". A text has its characters; beyond 1024 rare ones are "\uFFFD". */
  readonly words: string[];
  /** The learned arrays and their offsets. */
  readonly parameters: TrainingParameter[];
}

/**
 * A transformer while it learns. All is float32 in a fixed order: after so many steps parameters have the same bits on every
 * machine, with SIMD and without.
 */
export interface Training extends TrainingFacts, Releasable {
  /** How many steps have been made. */
  readonly steps: number;
  /** Multiplications and additions in the products of all steps so far, forward and backward. */
  readonly operations: number;
  /**
   * Makes `count` steps, 1 by default, and returns the report of the last. A RangeError where there are fewer left; where a loss is not
   * finite, which a lower rate may cure: parameters are then those before that step.
   */
  step(count?: number): StepReport;
  /** Tests the model on examples that no training sees, the same for all seeds. */
  evaluate(options?: EvaluationOptions): Evaluation;
  /** Tests it at several lengths, one after the other. */
  stretch(options?: StretchOptions): LengthEvaluation[];
  /** The weights of attention for a sequence of tokens, [layers, heads, tokens, tokens], a query a row. */
  attention(tokens: ArrayLike<number>, options?: OutOption): TensorResult;
  /** Tokens that follow those of a prompt, each drawn with the probability that the model gives it. */
  generate(prompt: ArrayLike<number>, options: GenerateOptions): number[];
  /** The tokens of a text: of its characters where the task is a text, else of words with spaces between them. */
  encode(text: string): number[];
  /** The text of tokens. */
  decode(tokens: ArrayLike<number>): string;
  /** A copy of all parameters, one after the other, in the order of `parameters`. */
  values(options?: OutOption): Float32Array;
}
