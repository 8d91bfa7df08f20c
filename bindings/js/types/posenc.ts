import type { AttentionModules, AttentionOf, AttentionOptions, Only, QueryTemperatureOptions } from "./attention.js";
import type {
  Conversions,
  Float32Option,
  FloatBuffer,
  HalfBuffer,
  HalfData,
  HalfDType,
  HalfOption,
  HalfTensor,
  OutOption,
  Tensor,
  TensorInput,
  WithoutShape,
} from "./base.js";
import type { DiagnoseOptions, Diagnosis, KnownMistake, MistakeOptions, Samples } from "./diagnosis.js";
import type { FixtureOptions, FixturePlan, Fixtures } from "./fixtures.js";
import type { FrequencyList, FrequencyListOptions, SequenceAxis } from "./frequencies.js";
import type {
  GridRotary,
  GridRotaryOptions,
  MixedFrequencyOptions,
  MixedRotaryOptions,
  Mrope,
  MropeOptions,
  MropePositionOptions,
  MropePositions,
  SinusoidalGridOptions,
} from "./grid.js";
import type { CompareOptions, Comparison, HubConfig, Model, ModelOptions } from "./hub.js";
import type { EditedKeys, EditKeysOptions, KeyArray } from "./key-cache.js";
import type { KvCache, KvCacheOptions } from "./kv-cache.js";
import type { LearnedTables } from "./learned.js";
import type { Training, TrainingOptions } from "./learning.js";
import type { RelativeEncodings } from "./relative.js";
import type { PreciseRotaryOptions, Rotary, RotaryOptions, RotaryTools, StoredRotary } from "./rotary.js";
import type {
  FourierOptions,
  NerfOptions,
  PaddedSinusoidalOptions,
  ShiftMatrixOptions,
  ShiftOptions,
  SinusoidalOptions,
  SinusoidalPlan,
  SinusoidOptions,
} from "./sinusoidal.js";
import type { TrainingRun, TrainOptions } from "./training-run.js";

/** The library, loaded from `posenc`. */
export interface Posenc {
  /** A table of sinusoids, [positions, dim]. */
  sinusoidal(options: SinusoidalOptions): Tensor;
  /**
   * Returns what the options resolve to, and which dimension of a row has which sine or cosine; errors as in
   * `sinusoidal`.
   */
  sinusoidalPlan(options: SinusoidOptions): SinusoidalPlan;
  /** Inverse frequencies, [ceil(dim / 2)] ([floor(dim / 2)] for the exponent `"half"`), and the attention factor. */
  frequencies(options: FrequencyListOptions): FrequencyList;
  /** Rotary position embedding (RoPE): a plan that rotates queries and keys by their positions. */
  rotary(options: RotaryOptions): Rotary;
  /** Room for `length` float32 values in the library's own memory, all 0. */
  buffer(length: number): FloatBuffer;
  /**
   * Absolute encoding added to embeddings: x [..., dim] with n tokens along `seqAxis` + table [n' >= n, dim], row by
   * row; a new tensor. `{ seqAxis: 1 }` for [batch, n, dim], `{ seqAxis: 0 }` for [n, batch, dim].
   */
  add(x: TensorInput, table: TensorInput, options?: SequenceAxis & OutOption): Tensor;
  /** x Wᵀ, as torch.nn.functional.linear without bias: x [..., in], weight [out, in], result [..., out]. */
  linear(x: TensorInput, weight: TensorInput, options?: OutOption): Tensor;
  /**
   * Scaled dot-product attention, softmax(scale · Q Kᵀ) V, causal or not, with a bias, ALiBi, a window, masked keys,
   * and heads that share keys; with `weights: true` also the softmax's rows. Masks of pairs, dropout and sums in
   * double are in `posenc/full`.
   */
  attention<const Options extends AttentionOptions>(options: Only<Options, AttentionOptions>): AttentionOf<Options>;
  /**
   * Room for the keys and values of earlier tokens, in the library's memory: a decoder's cache. `append` rotates and
   * keeps new ones, `attend` attends to all.
   *
   * @example
   * ```ts
   * const rope = pe.rotary({ dim: 64, layout: "half" });
   * const cache = pe.kvCache({ heads: 2, capacity: 1024, dim: 64, seqAxis: 1, rope });
   * const x = { data: new Float32Array(3 * 2 * 64).fill(1), shape: [1, 3, 2, 64] }; // of three tokens
   * cache.append(x, x);
   * console.log(cache.attend(x).output.shape, cache.lengths); // [ 1, 3, 2, 64 ] [ 3 ]
   * ```
   *
   * Errors: what is no count, a dtype or `seqAxis` that there is not, a rope of another dim; memory.
   */
  kvCache(options: KvCacheOptions): KvCache;
}

/** The library, loaded from `posenc/full`. */
export interface PosencFull
  extends Omit<Posenc, "attention" | "buffer" | "linear">,
    AttentionModules,
    RelativeEncodings,
    LearnedTables,
    RotaryTools,
    Conversions {
  /** As in `posenc`, with a choice of precision, and for values of 16 bits too. */
  rotary(options: PreciseRotaryOptions): StoredRotary;
  /** Room for `length` values in the library's own memory, all 0; of float32, or of the `dtype` that is given. */
  buffer(length: number, options?: Float32Option): FloatBuffer;
  /** Room for `length` values of 16 bits, all 0. */
  buffer<D extends HalfDType>(length: number, options: HalfOption<D>): HalfBuffer<D>;
  /** As in `posenc`; with a `dtype` of 16 bits each value is rounded from double to it, once. */
  sinusoidal(options: PaddedSinusoidalOptions & Float32Option): Tensor;
  /** The table in a type of 16 bits. */
  sinusoidal<D extends HalfDType>(
    options: Omit<PaddedSinusoidalOptions, "out"> & OutOption<HalfData<D>> & HalfOption<D>,
  ): HalfTensor<D>;
  /** Sinusoids of a grid's coordinates, [...shape, dim], or [prefixTokens + cells, dim]. */
  sinusoidalGrid(options: SinusoidalGridOptions & OutOption & Float32Option): Tensor;
  /** The same, each value rounded from double to a `dtype` of 16 bits, once. */
  sinusoidalGrid<D extends HalfDType>(
    options: SinusoidalGridOptions & OutOption<HalfData<D>> & HalfOption<D>,
  ): HalfTensor<D>;
  /**
   * The matrix M [dim, dim] that takes every encoding to the one `by` positions on: M · row(p) = row(p + by). Needs a
   * cosine for every sine: an even dim, or the exponent `"half"`.
   */
  shiftMatrix(options: ShiftMatrixOptions): Tensor;
  /** Applies that map to a table [..., dim], without the matrix; a new tensor. */
  shift(table: TensorInput, options: ShiftOptions): Tensor;
  /** Fourier features of points, [points, 2 * features]. */
  fourier(options: FourierOptions): Tensor;
  /** NeRF's encoding of points, [points, dimensions]. */
  nerf(options: NerfOptions): Tensor;
  /** Rotary position embeddings of images, videos and other grids, or of any points. */
  rotaryGrid(options: GridRotaryOptions): GridRotary;
  /** RoPE-Mixed: every pair rotates with all coordinates. */
  rotaryMixed(options: MixedRotaryOptions): GridRotary;
  /**
   * Returns the frequencies from which training of RoPE-Mixed starts, [2, heads, dim / 2], x's first, the same for the
   * same seed everywhere.
   */
  mixedFrequencies(options: MixedFrequencyOptions): Float64Array;
  /** Rotary position embedding with three positions a token, time, height and width (Qwen2-VL to Qwen3-VL). */
  mrope(options: MropeOptions): Mrope;
  /** The three positions of every token of texts, images and videos, and what follows them: `get_rope_index`. */
  mropePositions(options: MropePositionOptions): MropePositions;
  /**
   * Reads the rotary plans out of the object parsed from a model's config.json (Hugging Face transformers 4 and 5).
   * A RangeError names a wrong key with its path: "rope_scaling.factor: …". So it does where a config has more than
   * 10,000 values or 200,000 characters, keys included (it takes some 20 ms, at most). What is nested in more than six
   * objects and lists is read as null.
   */
  hubConfig(config: object): HubConfig;
  /**
   * Returns what a model does with positions, layer by layer: all of `hubConfig`, and which dimensions rotate, what a
   * query reaches, the scores' scale, temperatures, indexers and how tokens are numbered, as the model's own code has
   * them, and for each of these how it is known (`evidence`). Reads and refuses what `hubConfig` does, and a `part`
   * that is not one of its `parts`. `layout` replaces the layout, where weights were permuted.
   */
  model(config: object, options?: ModelOptions): Model;
  /**
   * Returns what differs between two models, in which layers, and how far that takes angles, cosines and scores apart.
   */
  compare(a: Model, b: Model, options?: CompareOptions): Comparison;
  /**
   * Multiplies queries by a temperature that grows with their position, in place: 1 + slope · ln(1 + ⌊(p + shift) /
   * period⌋) (Llama 4, Ministral 3). Largest error: one rounding of the factor to float32, and one of the product.
   */
  queryTemperature(x: Float32Array, options: QueryTemperatureOptions): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  queryTemperature<X extends TensorInput>(x: X, options: WithoutShape<QueryTemperatureOptions>): X;
}

/** The library, loaded from `posenc/tools`. */
export interface PosencTools extends PosencFull {
  /**
   * Finds what was done to numbers that came from elsewhere: which plan, layout, first position, sign and arithmetic
   * explain them, how sure that is, and, beside what was meant, which known mistake it is and what mends it.
   */
  diagnose(samples: Samples, options?: DiagnoseOptions): Diagnosis;
  /** The mistakes that `diagnose` knows by name, each with what it means. */
  mistakes(options?: MistakeOptions): KnownMistake[];
  /**
   * Cached keys as they are after a list of edits: composed in double, every key rotated and rounded once. In place
   * where dtype and room allow it, else in a new array. No dimension is further from what real numbers make of it than
   * the bound that comes with them.
   */
  editKeys<K extends KeyArray>(keys: K, options: EditKeysOptions): EditedKeys<K>;
  /**
   * A few kilobytes to put beside a port: inputs, positions and outputs by which each known mistake of rotating queries
   * and keys fails, and is named, and tests for PyTorch, JAX, NumPy, C++ and JavaScript that read them. A port that is
   * right in float32 or bfloat16 passes.
   *
   * ```ts
   * const { files } = pe.fixtures(pe.model(JSON.parse(text)));
   * for (const { name, data } of files) await writeFile(name, data);
   * ```
   *
   * Each mistake moves outputs by at least 100 tolerances, in bfloat16 by 10 where it changes little; `undetected`
   * lists those that cannot be told below the length. O(mistakes² · positions · dim).
   *
   * Throws where a model does not rotate, a layout is not known, or a plan is wrong; a RangeError for heads of more
   * than 1024 dimensions.
   */
  fixtures(model: Model | FixturePlan, options?: FixtureOptions): Fixtures;
}

/** The library, loaded from `posenc/lab`. */
export interface PosencLab extends Pick<Posenc, "buffer"> {
  /**
   * A small transformer that learns a task, before its first step.
   *
   * ```ts
   * const training = lab.training({ task: { type: "order" }, encoding: { type: "alibi" }, optimizer: { steps: 500 } });
   * const { step, loss, accuracy } = training.step(500);
   * ```
   *
   * A RangeError names an option that cannot be used with what it is in, "optimizer.rate".
   */
  training(options: TrainingOptions): Training;
  /**
   * Trains in a worker while the page or program does other things.
   *
   * ```ts
   * const run = lab.train({ task: { type: "order" }, encoding: { type: "alibi" }, optimizer: { steps: 500 } });
   * for await (const { step, loss, tests } of run) console.log(step, loss, tests);
   * await run.dispose();
   * ```
   *
   * A TypeError at once for an option of the wrong type; what else is wrong the run's promises tell.
   */
  train(options: TrainOptions): TrainingRun;
}
