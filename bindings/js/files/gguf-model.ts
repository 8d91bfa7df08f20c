// The model that a .gguf file describes, as the config of transformers that says the same, and where each value is from.

import type { GgufEvidence, GgufValue } from "../types/files.js";
import type { Layout } from "../types/index.js";
import * as known from "./gguf-architectures.js";
import { wrongFile } from "./section.js";

/** The tensors of factors by which frequencies are divided, where a file has them. */
export interface RopeFactors {
  readonly all: readonly number[] | undefined;
  readonly short: readonly number[] | undefined;
  readonly long: readonly number[] | undefined;
}

/** More layers than any model has. */
const mostLayers = 1000;

/** Names of keys that could concern positions. */
const aboutPositions =
  /\.rope\.|\.attention\.(?!head_count|key_length(?:_mla)?$|value_|layer_norm|group_norm|q_lora|kv_lora|clamp)/;

/** Collects a config, and says of each value where it is from. */
class Description {
  readonly config: { [key: string]: unknown } = {};
  readonly evidence: GgufEvidence[] = [];
  readonly #used = new Set<string>();

  constructor(
    readonly file: string,
    readonly architecture: string,
    readonly metadata: ReadonlyMap<string, GgufValue>,
  ) {}

  key(name: string): string {
    return `${this.architecture}.${name}`;
  }

  /** A value of the file's, marked as used. */
  value(name: string): GgufValue | undefined {
    const key = this.key(name);
    this.#used.add(key);
    return this.metadata.get(key);
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "number") return value;
    throw wrongFile(this.file, `${this.key(name)}: expected a number`);
  }

  /** Numbers, one for each layer or axis. */
  numbers(name: string): readonly number[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? value : [value];
    if (list.every((each) => typeof each === "number")) return list;
    throw wrongFile(this.file, `${this.key(name)}: expected numbers`);
  }

  /** Sets a value of the config, `rope_scaling.factor` inside its dictionary. */
  set(path: string, value: unknown, from: GgufEvidence["from"], name: string): void {
    const [last = "", ...outer] = path.split(".").reverse();
    let object = this.config;
    for (const name of outer.reverse()) {
      object[name] ??= {};
      object = object[name] as { [key: string]: unknown };
    }
    object[last] = value;
    const key = from === "file" || from === "default" ? this.key(name) : name;
    this.evidence.push({ path, value, from, key });
  }

  /** A number of the file's, or llama.cpp's default where the file has none. */
  copy(path: string, name: string, missing?: number): number | undefined {
    const value = this.number(name);
    if (value !== undefined) this.set(path, value, "file", name);
    else if (missing !== undefined) this.set(path, missing, "default", name);
    return value ?? missing;
  }

  get unusedKeys(): string[] {
    return [...this.metadata.keys()].filter((key) => aboutPositions.test(key) && !this.#used.has(key));
  }
}

/** A file may have more numbers than a call takes arguments. */
const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

/** The heads of a layer, of those that have some. */
function headsOf(made: Description): number | undefined {
  const heads = made.numbers("attention.head_count");
  return heads && largest(heads);
}

/** Heads, and what a cache keeps of each token: of all layers alike, or layer by layer. */
function addHeads(made: Description, heads: number): void {
  made.set("num_attention_heads", heads, "file", "attention.head_count");
  const name = "attention.head_count_kv";
  const ofKeys = made.numbers(name) ?? [];
  const value = ofKeys.length > 1 ? ofKeys : (ofKeys[0] ?? heads);
  made.set("num_key_value_heads", value, ofKeys.length > 0 ? "file" : "default", name);
  made.copy("num_kv_shared_layers", "attention.shared_kv_layers");
  made.copy("kv_lora_rank", "attention.kv_lora_rank");
  const mla = "attention.value_length_mla";
  made.copy("v_head_dim", made.metadata.has(made.key(mla)) ? mla : "attention.value_length");
}

function addSizes(
  made: Description,
  heads: number | undefined,
  row: known.Architecture | undefined,
): number | undefined {
  const layers = made.number("block_count");
  if (layers !== undefined && !(layers >= 0 && layers <= mostLayers))
    throw wrongFile(made.file, `${made.key("block_count")}: ${layers}, expected at most ${mostLayers}`);
  // The last ones predict further tokens.
  const extra = made.number("nextn_predict_layers") ?? 0;
  if (layers !== undefined) made.set("num_hidden_layers", layers - extra, "file", "block_count");
  made.copy("max_position_embeddings", "context_length");
  const size = made.copy("hidden_size", "embedding_length");
  if (heads !== undefined) addHeads(made, heads);
  const compressed = made.number("attention.key_length_mla");
  const dim = made.number("attention.key_length");
  if (compressed !== undefined) return compressed;
  if (dim !== undefined || size === undefined || !heads || row?.rotation === "none") return dim;
  return Math.floor(size / heads);
}

/** Dimensions of a head, and how many of them rotate. */
function addDims(made: Description, dim: number): number {
  const isOwn = made.metadata.has(made.key("attention.key_length"));
  const rotated = made.number("rope.dimension_count");
  const from = rotated === undefined ? "default" : "file";
  if (made.value("attention.kv_lora_rank") !== undefined) {
    made.set("qk_rope_head_dim", rotated ?? dim, from, "rope.dimension_count");
    made.set("qk_nope_head_dim", dim - (rotated ?? dim), isOwn ? "file" : "default", "attention.key_length");
    return rotated ?? dim;
  }
  made.set("head_dim", dim, isOwn ? "file" : "default", "attention.key_length");
  made.set("rotary_dim", rotated ?? dim, from, "rope.dimension_count");
  return rotated ?? dim;
}

/** Llama 3's rule, if it is what made these factors: with its own numbers, of which only ratios can be read back. */
function llama3Of(factors: readonly number[], base: number, dims: number) {
  const factor = largest(factors);
  const inverseWaves = factors.map((_, i) => base ** ((-2 * i) / dims) / (2 * Math.PI));
  const shares = factors.map((each) => (1 / each - 1 / factor) / (1 - 1 / factor));
  const ramp = factors.flatMap((each, i) => (each > 1.0001 && each < factor * 0.9999 ? [i] : []));
  const [first, last] = [ramp[0], ramp.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const at = (list: readonly number[], i: number) => list[i] as number;
  // The share is (L / wavelength - low) / (high - low), linear in 1 / wavelength.
  const slope = (at(shares, first) - at(shares, last)) / (at(inverseWaves, first) - at(inverseWaves, last));
  const low = slope * at(inverseWaves, last) - at(shares, last);
  const high = Math.round((1 + 1 / low) * 1000) / 1000;
  const length = Math.round(slope * (high - 1));
  const made = inverseWaves.map((inverse) => {
    const share = Math.min(1, Math.max(0, (length * inverse - 1) / (high - 1)));
    return 1 / ((1 - share) / factor + share);
  });
  if (!(low > 0) || made.some((each, i) => !(Math.abs(each / at(factors, i) - 1) < 1e-5))) return undefined;
  return { factor, high, length };
}

function addOriginal(made: Description): void {
  const path = "rope_scaling.original_max_position_embeddings";
  made.copy(path, "rope.scaling.original_context_length", made.number("context_length"));
}

function addFactors(made: Description, { all, short, long }: RopeFactors, base: number, dims: number): boolean {
  const rule = all && llama3Of(all, base, dims);
  const add = (key: string, value: unknown, tensor = "rope_freqs.weight") =>
    made.set(`rope_scaling.${key}`, value, "tensor", tensor);
  if (rule) {
    add("rope_type", "llama3");
    add("factor", rule.factor);
    add("low_freq_factor", 1);
    add("high_freq_factor", rule.high);
    add("original_max_position_embeddings", rule.length);
    return true;
  }
  if (all?.some((each) => each !== 1)) {
    add("rope_type", "longrope");
    add("short_factor", all);
    add("long_factor", all);
    add("attention_factor", 1);
    return true;
  }
  if (!short || !long) return false;
  add("rope_type", "longrope", "rope_factors_long.weight");
  add("short_factor", short, "rope_factors_short.weight");
  add("long_factor", long, "rope_factors_long.weight");
  made.copy("rope_scaling.attention_factor", "rope.scaling.attn_factor", 1);
  addOriginal(made);
  return true;
}

/** YaRN's factor of cosines and sines (llama-context.cpp): g(1) / g(m) times the file's own, where g(m) = 0.1 m ln f + 1. */
function addYarn(made: Description, factor: number): void {
  const add = (key: string, value: unknown, name: string) => made.set(`rope_scaling.${key}`, value, "file", name);
  addOriginal(made);
  for (const end of ["beta_fast", "beta_slow"]) made.copy(`rope_scaling.${end}`, `rope.scaling.yarn_${end}`);
  const name = "rope.scaling.yarn_log_multiplier";
  const multiplier = made.number(name);
  const g = (mscale: number) => (factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1);
  let ratio = g(1);
  if (multiplier) {
    // For DeepSeek the converter writes a tenth, and its code takes the same for mscale.
    const isTenth = made.architecture.startsWith("deepseek2");
    const mscale = Number((isTenth ? multiplier / 0.1 : multiplier).toPrecision(7));
    add("mscale_all_dim", mscale, name);
    add("mscale", isTenth && mscale !== 1 ? mscale : 1, name);
    ratio = isTenth && mscale !== 1 ? 1 : g(1) / g(mscale);
  }
  const own = made.number("rope.scaling.attn_factor");
  if (own !== undefined && own !== 1) add("attention_factor", own * ratio, "rope.scaling.attn_factor");
}

function addScaling(made: Description, factors: RopeFactors, base: number, dims: number): void {
  const type = made.value("rope.scaling.type") ?? "linear";
  const own = made.number("rope.scaling.factor");
  const linear = own ?? made.number("rope.scale_linear");
  made.value("rope.scaling.finetuned");
  if (type !== "none" && type !== "linear" && type !== "yarn" && type !== "longrope")
    throw wrongFile(
      made.file,
      `${made.key("rope.scaling.type")}: ${String(type)}, expected none, linear, yarn or longrope`,
    );
  const from = made.metadata.has(made.key("rope.scaling.type")) ? "file" : "default";
  const factor = linear || 1;
  if (addFactors(made, factors, base, dims)) return;
  if (type === "yarn" || (type === "linear" && factor !== 1)) {
    made.set("rope_scaling.rope_type", type, from, "rope.scaling.type");
    const name = own === undefined ? "rope.scale_linear" : "rope.scaling.factor";
    made.set("rope_scaling.factor", factor, linear ? "file" : "default", name);
    if (type === "yarn") addYarn(made, factor);
  } else made.set("rope_scaling.rope_type", "default", from, "rope.scaling.type");
}

/** Adds the sections of positions with several axes, where the code uses them; says whether it does. */
function addSections(made: Description, row: known.Architecture | undefined): boolean {
  const isPlain = row?.rotation === "norm" || row?.rotation === "neox";
  const name = "rope.dimension_sections";
  if (!row || (isPlain && !known.withSections.has(made.architecture))) return false;
  const sections = made.numbers(name)?.slice();
  if (!sections || (isPlain && !(sections[0] && sections[1]))) return false;
  while (sections.length > 2 && sections.at(-1) === 0) sections.pop();
  made.set("rope_scaling.mrope_section", sections, "file", name);
  if (row.rotation === "imrope") made.set("rope_scaling.mrope_interleaved", true, "architecture", known.readIn);
  return true;
}

function addLayers(made: Description): void {
  const { architecture, config } = made;
  const layers = config.num_hidden_layers as number | undefined;
  const row = known.windows.get(architecture);
  if (row && (row.layers === undefined || row.layers === layers))
    made.copy("sliding_window", "attention.sliding_window", row.size ?? undefined);
  const pattern = made.value("attention.sliding_window_pattern");
  if (row && Array.isArray(pattern) && pattern.length === layers) {
    const types = pattern.map((isSliding) => (isSliding ? "sliding_attention" : "full_attention"));
    made.set("layer_types", types, "file", "attention.sliding_window_pattern");
  }
  const heads = made.numbers("attention.head_count_kv");
  if (known.withoutHeads.has(architecture) && heads && heads.length === layers) {
    const types = heads.map((count) => (count === 0 ? "conv" : "full_attention"));
    made.set("layer_types", types, "file", "attention.head_count_kv");
  }
  if (architecture === "llama4") {
    // A window of 0 is that of models whose layers are all alike.
    const isAlike = made.number("attention.sliding_window") === 0;
    if (isAlike && layers) made.set("no_rope_layers", Array(layers).fill(1), "file", "attention.sliding_window");
    else made.set("attention_chunk_size", 8192, "architecture", known.readIn);
  }
}

/** The factor of scores, where it is not 1 / √key_length. */
function addScale(made: Description, dim: number | undefined, heads: number | undefined): void {
  const { architecture, config } = made;
  const layers = known.scaledByEmbedding.get(architecture);
  if (layers !== undefined && dim !== undefined) {
    const isOther = layers === config.num_hidden_layers && heads !== undefined;
    const size = isOther ? Math.floor((config.hidden_size as number) / heads) : dim;
    made.set("query_pre_attn_scalar", size, "architecture", known.readIn);
  }
  if (architecture.startsWith("granite")) made.copy("attention_multiplier", "attention.scale");
}

/** Granite's code takes `rope.scaling.finetuned` for the switch of rotation, which only its hybrid class has. */
function addRotationSwitch(made: Description): void {
  const { architecture, config } = made;
  if (!architecture.startsWith("granite") || made.value("rope.scaling.finetuned") !== false) return;
  const key = "rope.scaling.finetuned";
  made.set("position_embedding_type", "nope", "file", key);
  if (config.model_type === `gguf:${architecture}`) return;
  made.set("model_type", "granitemoehybrid", "file", key);
  const layers = config.num_hidden_layers;
  if (layers !== undefined) made.set("layer_types", Array(layers).fill("attention"), "architecture", known.readIn);
}

/** Biases of distances, of models that do not rotate. */
function addBias(made: Description, heads: number | undefined): void {
  const { architecture } = made;
  if (architecture === "t5" || architecture === "t5encoder") {
    made.set("num_heads", heads, "file", "attention.head_count");
    made.copy("relative_attention_num_buckets", "attention.relative_buckets_count");
    return;
  }
  const most = made.number("attention.max_alibi_bias") ?? (known.withAlibi.has(architecture) ? 8 : 0);
  if (most === 0) return;
  if (architecture === "mpt") {
    made.set("attn_config.alibi", true, "file", "attention.max_alibi_bias");
    made.set("attn_config.alibi_bias_max", most, "file", "attention.max_alibi_bias");
  } else if (most === 8 && architecture !== "bloom")
    made.set("position_embedding_type", "alibi", "architecture", known.readIn);
}

export interface Described {
  readonly config: { readonly [key: string]: unknown };
  readonly layout: Layout | undefined;
  readonly evidence: readonly GgufEvidence[];
  readonly unusedKeys: readonly string[];
}

/** Describes the model of a file's metadata. */
export function described(
  file: string,
  architecture: string,
  metadata: ReadonlyMap<string, GgufValue>,
  factors: RopeFactors,
): Described {
  const made = new Description(file, architecture, metadata);
  const row = known.architectures.get(architecture);
  // Architectures that are no type of transformers have only what the file says: no type has this name.
  const window = made.metadata.get(made.key("attention.sliding_window"));
  const type = architecture === "olmo2" && window ? "olmo3" : row?.type;
  made.set("model_type", type ?? `gguf:${architecture}`, "architecture", row ? known.readIn : "general.architecture");
  const heads = headsOf(made);
  const dim = addSizes(made, heads, row);
  addLayers(made);
  if (type === "olmo3") made.copy("sliding_window", "attention.sliding_window");
  addScale(made, dim, heads);
  addRotationSwitch(made);
  addBias(made, heads);
  const isBaichuan13 = architecture === "baichuan" && made.config.num_hidden_layers === 40;
  if (isBaichuan13) made.set("position_embedding_type", "alibi", "architecture", known.readIn);
  const rotates = row
    ? row.rotation !== "none" && !isBaichuan13
    : [...metadata.keys()].some((key) => /\.rope\./.test(key));
  const { config, evidence } = made;
  if (!rotates) return { config, layout: undefined, evidence, unusedKeys: made.unusedKeys };
  const dims = dim === undefined ? undefined : addDims(made, dim);
  const base = made.copy("rope_theta", "rope.freq_base", 10000) as number;
  made.copy("rope_local_base_freq", "rope.freq_base_swa", architecture === "gemma3" ? 10000 : undefined);
  if (dims !== undefined) addScaling(made, factors, base, dims);
  const hasSections = addSections(made, row);
  const layout = row && (row.rotation === "norm" && !hasSections ? "interleaved" : "half");
  return { config, layout, evidence, unusedKeys: made.unusedKeys };
}
