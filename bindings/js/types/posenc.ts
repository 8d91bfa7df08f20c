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
  TensorInput,
  TensorResult,
  WithoutShape,
} from "./base.js";
import type { DiagnoseOptions, Diagnosis, KnownMistake, MistakeOptions, Samples } from "./diagnosis.js";
import type { FixtureOptions, FixturePlan, Fixtures } from "./fixtures.js";
import type {
  AxisOf,
  FrequencyList,
  FrequencyListOptions,
  LengthOrPositions,
  OffsetOrPositions,
  SequenceAxis,
} from "./frequencies.js";
import type {
  GridRotary,
  GridRotaryOptions,
  MixedFrequencyOptions,
  MixedRotaryOptions,
  Mrope,
  MropeOptions,
  MropePositionOptions,
  MropePositions,
  NamedMergeSize,
  SegmentsOrRows,
  SinusoidalGridOptions,
} from "./grid.js";
import type { CompareOptions, Comparison, HubConfig, Model, ModelOptions } from "./hub.js";
import type { EditedKeys, EditKeysOptions, KeyArray } from "./key-cache.js";
import type { KvCache, KvCacheOptions } from "./kv-cache.js";
import type { LearnedTables } from "./learned.js";
import type { Training, TrainingOptions } from "./learning.js";
import type { RelativeEncodings } from "./relative.js";
import type { Applied, PreciseRotaryOptions, Rotary, RotaryOptions, RotaryTools, StoredRotary } from "./rotary.js";
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
  /**
   * A table of sinusoids, [positions, dim], a row for each position: the paper's, with sines in even dimensions and base
   * 10000, unless a `preset` names another implementation. Each value is within half a unit in the last place.
   *
   * Throws a TypeError for both or neither of `length` and `positions`, a RangeError for an option outside its range or a
   * position whose angle float64 does not hold.
   *
   * @example
   * ```ts
   * const table = pe.sinusoidal({ length: 6, dim: 512 });
   * console.log(table.shape, table.data[512].toFixed(6)); // [ 6, 512 ] 0.841471: sin 1
   * ```
   */
  sinusoidal(options: SinusoidalOptions & LengthOrPositions): TensorResult;
  /**
   * What the options of `sinusoidal` resolve to, without a table: base, exponent, order, and which dimension of a row has
   * which sine or cosine. Throws as `sinusoidal` does.
   *
   * @example
   * ```ts
   * const { base, sines, cosines } = pe.sinusoidalPlan({ dim: 6 });
   * console.log(base, sines, cosines); // 10000 [ 0, 2, 4 ] [ 1, 3, 5 ]
   * ```
   */
  sinusoidalPlan(options: SinusoidOptions): SinusoidalPlan;
  /**
   * Inverse frequencies in radians a position, [ceil(dim / 2)] ([floor(dim / 2)] for the exponent `"half"`), and the
   * attention factor. Takes options of `rotary` as they are, those of a model's plan too. 2^-100 relative, rounded once.
   *
   * Throws a RangeError for an option outside its range, and where a rule that depends on the `length` has none.
   *
   * @example
   * ```ts
   * const { data, attentionFactor } = pe.frequencies({ dim: 8 });
   * console.log([...data].map((each) => each.toFixed(3)).join(" "), attentionFactor); // 1.000 0.100 0.010 0.001 1
   * ```
   */
  frequencies(options: FrequencyListOptions): FrequencyList;
  /**
   * Rotary position embedding (RoPE): frequencies and layout, ready to rotate queries and keys [..., dim] by their
   * positions. The `layout` has no default; the base is 10000, without scaling.
   *
   * Throws a TypeError without a layout, a RangeError for an option outside its range, an odd `rotaryDim`, or a rule that
   * lacks what it depends on.
   *
   * @example
   * ```ts
   * const rope = pe.rotary({ dim: 8, layout: "half", base: 500000 });
   * const q = new Float32Array(4 * 2 * 8).fill(1);
   * rope.apply(q, { shape: [4, 2, 8], seqAxis: 0 }); // [seq, heads, dim]
   * console.log(q[16].toFixed(6)); // -0.301169: cos 1 - sin 1
   * rope.dispose();
   * ```
   */
  rotary(options: RotaryOptions): Rotary;
  /**
   * Room for `length` float32 values in the library's own memory, all 0: what is rotated or written there is not copied.
   * Freed by `dispose`, `using`, or once it is forgotten. Throws a RangeError for more than memory holds (2 GiB).
   *
   * @example
   * ```ts
   * const buffer = pe.buffer(16);
   * pe.sinusoidal({ length: 2, dim: 8, out: buffer.view });
   * console.log(buffer.view[8].toFixed(6)); // 0.841471
   * buffer.dispose();
   * ```
   */
  buffer(length: number): FloatBuffer;
  /**
   * Absolute encoding added to embeddings: x [..., dim] with n tokens along `seqAxis` + table [n' >= n, dim], row by row; a
   * new tensor. `{ seqAxis: 1 }` for [batch, n, dim], `{ seqAxis: 0 }` for [n, batch, dim].
   *
   * Throws a RangeError for another width, too few rows, or three axes of which none is named the sequence's.
   *
   * @example
   * ```ts
   * const x = { data: new Float32Array(2 * 3 * 4), shape: [2, 3, 4] };
   * const sum = pe.add(x, pe.sinusoidal({ length: 3, dim: 4 }), { seqAxis: 1 });
   * console.log(sum.shape, sum.data[1]); // [ 2, 3, 4 ] 1
   * ```
   */
  add(x: TensorInput, table: TensorInput, options?: SequenceAxis & OutOption): TensorResult;
  /**
   * x Wᵀ, as torch.nn.functional.linear without bias: x [..., in], weight [out, in], result [..., out]. Throws a RangeError
   * where the widths differ.
   *
   * @example
   * ```ts
   * const x = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
   * const weight = { data: Float32Array.of(1, 0, 0, 1, 1, 1), shape: [3, 2] };
   * console.log([...pe.linear(x, weight).data].join(" ")); // 1 2 3 3 4 7
   * ```
   */
  linear(x: TensorInput, weight: TensorInput, options?: OutOption): TensorResult;
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
  /**
   * {@inheritDoc Posenc.rotary}
   *
   * `precision` chooses the arithmetic of the angles; values of 16 bits are rotated too.
   */
  rotary(options: PreciseRotaryOptions): StoredRotary;
  /**
   * {@inheritDoc Posenc.buffer}
   */
  buffer(length: number, options?: Float32Option): FloatBuffer;
  /** Room for `length` values of 16 bits, all 0. */
  buffer<D extends HalfDType>(length: number, options: HalfOption<D>): HalfBuffer<D>;
  /**
   * {@inheritDoc Posenc.sinusoidal}
   *
   * With a `dtype` of 16 bits each value is rounded from double to it, once.
   */
  sinusoidal(options: PaddedSinusoidalOptions & LengthOrPositions & Float32Option): TensorResult;
  /** The table in a type of 16 bits. */
  sinusoidal<D extends HalfDType>(
    options: Omit<PaddedSinusoidalOptions, "out"> & LengthOrPositions & OutOption<HalfData<D>> & HalfOption<D>,
  ): HalfTensor<D>;
  /**
   * Sinusoids of a grid's coordinates, [...shape, dim], or [prefixTokens + cells, dim]; as exact as `sinusoidal`. The
   * `preset` has no default. Throws a TypeError without it, a RangeError for a dim that the axes cannot share.
   *
   * @example
   * ```ts
   * const table = pe.sinusoidalGrid({ shape: [14, 14], dim: 64, preset: "mae", prefixTokens: 1 });
   * console.log(table.shape); // [ 197, 64 ]
   * ```
   */
  sinusoidalGrid(options: SinusoidalGridOptions & OutOption & Float32Option): TensorResult;
  /** The same, each value rounded from double to a `dtype` of 16 bits, once. */
  sinusoidalGrid<D extends HalfDType>(
    options: SinusoidalGridOptions & OutOption<HalfData<D>> & HalfOption<D>,
  ): HalfTensor<D>;
  /**
   * The matrix M [dim, dim] that takes every encoding to the one `by` positions on: M · row(p) = row(p + by). Needs a
   * cosine for every sine: an even dim, or the exponent `"half"`.
   */
  shiftMatrix(options: ShiftMatrixOptions): TensorResult;
  /** Applies that map to a table [..., dim], without the matrix; a new tensor. */
  shift(table: TensorInput, options: ShiftOptions): TensorResult;
  /**
   * Fourier features of points, [points, 2 * features]. The `preset` has no default. Throws a TypeError without it, a
   * RangeError for points that do not divide by `inputs`, or where the logarithm of one that is not positive is wanted.
   *
   * @example
   * ```ts
   * const { shape, data } = pe.fourier({ points: [0, 0.25], weights: [1, 2], preset: "rff" });
   * console.log(shape, data[0]); // [ 2, 4 ] 1: cos 0
   * ```
   */
  fourier(options: FourierOptions): TensorResult;
  /**
   * NeRF's encoding of points, [points, dimensions]: the paper's by default. Throws a RangeError for levels outside 1 to 52.
   *
   * @example
   * ```ts
   * console.log(pe.nerf({ points: [0, 0, 0.5, 1], inputs: 2, levels: 10 }).shape); // [ 2, 40 ]
   * ```
   */
  nerf(options: NerfOptions): TensorResult;
  /**
   * Rotary position embeddings of images, videos and other grids, or of any points, as the implementation does that the
   * `preset` names; it has no default. Nor has `mergeSize` of `"qwen2-vl"`.
   *
   * Throws a TypeError without a preset, a RangeError for a dim that the axes cannot share, or an option that the preset does
   * not have.
   *
   * @example
   * ```ts
   * const rope = pe.rotaryGrid({ preset: "qwen2-vl", dim: 16, mergeSize: 2 });
   * console.log(rope.cache({ grid: [4, 6], row: "dims" }).cos.shape); // [ 24, 16 ]
   * ```
   */
  rotaryGrid(options: GridRotaryOptions & NamedMergeSize): GridRotary;
  /** RoPE-Mixed: every pair rotates with all coordinates. */
  rotaryMixed(options: MixedRotaryOptions): GridRotary;
  /**
   * Returns the frequencies from which training of RoPE-Mixed starts, [2, heads, dim / 2], x's first, the same for the
   * same seed everywhere.
   */
  mixedFrequencies(options: MixedFrequencyOptions): Float64Array;
  /**
   * Rotary position embedding with several positions a token, time, height and width (Qwen2-VL to Qwen3-VL). `layout`,
   * `sections` and `order` have no defaults. Throws a TypeError without them, a RangeError for sections that do not add up.
   *
   * @example
   * ```ts
   * const rope = pe.mrope({ dim: 8, layout: "half", sections: [2, 1, 1], order: "chunked" });
   * const positions = { data: [0, 1, 0, 1, 0, 1], shape: [3, 2] }; // text: all three are equal
   * console.log(rope.cache({ positions }).cos.shape); // [ 2, 4 ]
   * ```
   */
  mrope(options: MropeOptions): Mrope;
  /**
   * The positions of every token of texts, images and videos, and what follows them: `get_rope_index`. Images are [t, h, w]
   * in patches, and the `preset` has no default. Throws a TypeError for both or neither of `segments` and `rows`, a RangeError
   * for patches that `mergeSize` does not divide.
   *
   * @example
   * ```ts
   * const { positions, ropeDeltas } = pe.mropePositions({ preset: "qwen2-vl", segments: [{ text: 2 }, { image: [1, 4, 4] }] });
   * console.log(positions.shape, ropeDeltas); // [ 3, 6 ] [ -2 ]
   * ```
   */
  mropePositions(options: MropePositionOptions & SegmentsOrRows): MropePositions;
  /**
   * Reads the rotary plans out of the object parsed from a model's config.json (Hugging Face transformers 4 and 5). What is
   * nested in more than six objects and lists is read as null.
   *
   * Throws a TypeError for what is no object, a RangeError that names a wrong key with its path, "rope_scaling.factor: …", and
   * one for a config of more than 4 MiB of values (it takes some 20 ms, at most).
   *
   * @example
   * ```ts
   * const { plans } = pe.hubConfig({ model_type: "llama", head_dim: 64, rope_theta: 500000 });
   * console.log(plans[0]?.rotary.base, plans[0]?.rotary.layout); // 500000 half
   * ```
   */
  hubConfig(config: object): HubConfig;
  /**
   * What a model does with positions, layer by layer: all of `hubConfig`, and which dimensions rotate, what a query reaches,
   * the scores' scale, temperatures, indexers and how tokens are numbered, as the model's own code has them, and for each of
   * these how it is known (`evidence`). `layout` replaces the layout, where weights were permuted.
   *
   * Throws what `hubConfig` does, and for a `part` that is not one of its `parts`.
   *
   * @example
   * ```ts
   * const model = pe.model({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 });
   * console.log(model.layers.length, model.plans[0]?.rotary.dim, model.length); // 1 16 null
   * ```
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
  queryTemperature<const S extends readonly number[]>(
    x: Float32Array,
    options: QueryTemperatureOptions & Applied<S>,
  ): Float32Array;
  /** Takes a tensor, which has its shape and is given back; ONNX Runtime's and transformers.js's, too. */
  queryTemperature<X extends TensorInput>(
    x: X,
    options: WithoutShape<QueryTemperatureOptions> & OffsetOrPositions & AxisOf<X>,
  ): X;
}

/** The library, loaded from `posenc/tools`. */
export interface PosencTools extends PosencFull {
  /**
   * Finds what was done to numbers that came from elsewhere: which plan, layout, first position, sign and arithmetic
   * explain them, how sure that is, and, beside what was meant, which known mistake it is and what mends it.
   *
   * Throws a TypeError for samples of no kind, a RangeError for what does not fit or is not finite: with token, head and
   * dimension.
   *
   * @example
   * ```ts
   * const tools = await import("posenc/tools").then(({ load }) => load());
   * const table = { data: new Float32Array(64), shape: [8, 8] };
   * for (let i = 0; i < 64; ++i) table.data[i] = Math.sin((i >> 3) / 10 ** ((i % 8) >> 1) + ((i % 2) * Math.PI) / 2);
   * console.log(tools.diagnose({ table }, { expected: { type: "sinusoidal", dim: 8 } }).verdict); // certain
   * ```
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
