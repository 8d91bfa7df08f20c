import { batch, type Signal, signal } from "@preact/signals-core";

/** One piece of page state: its key in the link, its default, and how it is read from and written to the link. */
export interface Row<T> {
  readonly key: string;
  readonly initial: T;
  /** The value written as `text`, or undefined when it is none; then the default holds. */
  parse(text: string): T | undefined;
  format(value: T): string;
}

/** A row that holds a number; sliders and number boxes take their limits from here. */
export interface NumberRow extends Row<number> {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** A row that holds a list of numbers of fixed length: a vector, or a matrix row by row. */
export interface NumbersRow extends Row<readonly number[]> {
  readonly min: number;
  readonly max: number;
}

function readNumber(text: string, min: number, max: number, whole: boolean): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return value >= min && value <= max && (!whole || Number.isInteger(value)) ? value : undefined;
}

function choice<const T extends string>(key: string, values: readonly T[]): Row<T> {
  return { key, initial: values[0], parse: (text) => values.find((value) => value === text), format: (value) => value };
}

function number(key: string, initial: number, min: number, max: number, whole = false): NumberRow {
  return { key, initial, min, max, whole, parse: (text) => readNumber(text, min, max, whole), format: String };
}

function numbers(key: string, initial: readonly number[], min: number, max: number): NumbersRow {
  const parse = (text: string) => {
    const values = text.split(",").map((part) => readNumber(part, min, max, false));
    const valid = values.length === initial.length && values.every((value) => value !== undefined);
    return valid ? (values as number[]) : undefined;
  };
  return { key, initial, min, max, parse, format: (values) => values.join(",") };
}

function words(key: string, initial: string, longest: number): Row<string> {
  return { key, initial, parse: (text) => (text.length <= longest ? text : undefined), format: (text) => text };
}

/** All state of the page. The first value of a choice is its default. */
export const table = {
  language: choice("lang", ["auto", "en", "zh"]),
  theme: choice("theme", ["auto", "light", "dark"]),
  at: choice("at", [
    "",
    "heatmap",
    "waves",
    "order",
    "sum",
    "similarity",
    "absolute",
    "relative",
    "rope",
    "score",
    "pairs",
    "decay",
    "patches",
    "methods",
    "context",
    "precision",
    "config",
  ]),
  palette: choice("colours", ["PuOr", "RdBu"]),

  // What is chosen is chosen in every figure that has such a thing; one with fewer of them marks its last.
  position: number("p", 3, 0, 4095, true),
  otherPosition: number("q", 10, 0, 127, true),
  lane: number("k", 4, 0, 511, true),
  pair: number("pair", 1, 0, 255, true),
  headPair: number("i", 40, 0, 511, true),

  length: number("n", 128, 1, 2048, true),
  dim: number("d", 128, 1, 512, true),
  base: number("base", 10000, 0.01, 1e9),
  preset: choice("preset", ["paper", "tensor2tensor", "whisper", "diffusers", "ggml", "mlx"]),
  // Nothing where the preset decides.
  order: choice("order", ["", "interleaved", "split", "cosines-first"]),
  exponent: choice("exponent", ["", "paper", "double-stepped", "half"]),
  exponentShift: choice("less", ["", "0", "1"]),
  timeScale: number("times", 1, 0.001, 10000),
  offset: number("offset", 0, -(2 ** 31), 2 ** 31),
  firstColumn: number("c1", 0, 0, 2047, true),
  lastColumn: number("c2", 2047, 0, 2047, true),
  firstLane: number("k1", 0, 0, 511, true),
  lastLane: number("k2", 511, 0, 511, true),
  lens: choice("lens", ["1", "4", "off"]),

  waveLength: number("wn", 100, 2, 4096, true),
  waveDim: number("wdim", 16, 1, 512, true),
  waveBase: number("wbase", 10000, 0.01, 1e9),
  wavePairs: words("pairs", "0 1 2 3 4 5 6 7", 60),

  source: choice("doc", ["004", "002", "own"]),
  sentence: words("text", "to be or not to be", 200),
  sentenceDim: number("wd", 2, 1, 8, true),

  orderText: words("say", "The cat sat on the mat.", 200),
  orderOther: words("again", "On mat the sat cat the.", 200),
  orderEncoding: number("enc", 0, 0, 4, true),

  absoluteFirst: words("s1", "The cat sat on the mat", 200),
  absoluteSecond: words("s2", "On the mat, the cat sat", 200),

  sumScale: number("ws", 1, 0, 32),

  similarLength: number("sn", 64, 2, 128, true),
  similarPairs: number("sd", 64, 1, 256, true),
  similarBase: number("sb", 10000, 0.01, 1e9),

  tokens: numbers("x", [1, 0.2, 0.3, 1, -0.9, 0.5], -1000, 1000),
  weightQuery: numbers("wq", [1, 0.8, -0.8, 1], -1000, 1000),
  weightKey: numbers("wk", [-1, 0.6, 0.6, 1], -1000, 1000),
  weightValue: numbers("wv", [1, 0, 0, 1], -1000, 1000),
  angles: numbers("angles", [10, 20, 30], -360, 360),
  shift: number("shift", 0, -360, 360),

  planeQuery: numbers("qv", [1.16, -0.6], -1000, 1000),
  planeKey: numbers("key", [1.2, -0.04], -1000, 1000),
  planeAngle: number("deg", 10, -180, 180),
  queryAt: number("m", 1, -10000, 10000, true),
  keyAt: number("to", 3, -10000, 10000, true),
  slide: number("slide", 0, -10000, 10000, true),

  pairCount: number("rp", 6, 1, 24, true),
  pairPositions: numbers("at5", [0, 1, 2, 5, 10], -(2 ** 31), 2 ** 31),
  pairValue: number("ones", 5, -1000, 1000),
  pairBase: number("rb", 10000, 0.01, 1e9),
  pairLayout: choice("layout", ["interleaved", "half"]),
  pairAt: number("which", 3, 0, 4, true),

  contextRule: choice("rule", ["yarn", "default", "linear", "ntk", "longrope", "llama3"]),
  contextPairs: number("cp", 64, 2, 128, true),
  contextBase: number("cb", 10000, 2, 1e9),
  contextFactor: number("f", 8, 1, 128),
  contextTrained: number("trained", 4096, 16, 2 ** 20, true),

  configFamily: choice("model", ["llama3", "gemma3", "phi3", "qwen2vl", "deepseek", "modernbert", "neox", "own"]),
  configText: words("config", "", 8000),
  configPlan: number("plan", 0, 0, 15, true),
  configLength: number("cl", 8192, 2, 2 ** 24, true),

  methodLength: number("mn", 512, 2, 1024, true),
  methodDim: number("md", 64, 2, 256, true),
  methodHeads: number("mh", 8, 1, 32, true),

  patchRule: choice("patches", ["axial", "mixed"]),
  patchRows: number("ph", 12, 2, 24, true),
  patchColumns: number("pw", 12, 2, 24, true),
  patchPairs: number("pp", 8, 1, 32, true),
  patchBase: number("pb", 100, 1.1, 1e6),
  patchSeed: number("pseed", 1, 0, 1e9, true),
  patchY: number("y", 5, 0, 23, true),
  patchX: number("px", 5, 0, 23, true),
  overY: number("y2", 3, 0, 23, true),
  overX: number("x2", 7, 0, 23, true),
  textBefore: number("before", 3, 0, 12, true),
  textAfter: number("after", 4, 0, 12, true),
  imageRows: number("ih", 3, 1, 8, true),
  imageColumns: number("iw", 4, 1, 8, true),
  claim: words("claim", "", 3),
  trials: words("trials", "", 1000),

  relativeMethod: choice("rel", ["alibi", "offset", "clip", "t5", "kerple", "learned"]),
  relativeSize: number("rn", 12, 1, 32, true),
  relativeClip: number("rk", 3, 1, 31, true),
  t5Buckets: number("buckets", 8, 4, 64, true),
  t5MaxDistance: number("far", 16, 2, 512, true),
  t5Direction: choice("t5", ["both", "past"]),
  relativeHeads: number("heads", 8, 1, 64, true),
  relativeHead: number("head", 1, 1, 64, true),
  kerpleKernel: choice("kernel", ["logarithmic", "power"]),
  kerpleR1: number("r1", 1, 0.01, 10),
  kerpleR2: number("r2", 0.5, 0.01, 2),
  learnedBiases: numbers(
    "biases",
    [-0.8, -0.7, -0.6, -0.4, -0.1, 0.3, 0.9, 0.2, 0.6, 0.1, -0.3, -0.5, -0.6, -0.7, -0.7],
    -100,
    100,
  ),

  decayPairs: number("dp", 64, 2, 128, true),
  decayBase: number("b1", 10000, 1.01, 1e9),
  decayOtherBase: number("b2", 500000, 1.01, 1e9),
  decayVectors: choice("qk", ["ones", "same", "random"]),
  decaySeed: number("seed", 1, 0, 2 ** 31 - 1, true),
  decayReach: number("reach", 100000, 10, 1e6, true),
  decayDistance: number("dm", 100, 1, 1e6, true),

  precisionPairs: number("ap", 64, 1, 128, true),
  precisionBase: number("ab", 10000, 1.01, 1e9),
  precisionReach: number("an", 131072, 1024, 2 ** 20, true),
  precisionLimit: number("x0", 0.001, 1e-7, 3),
  precisionPosition: number("ax", 4096, 1, 2 ** 20 - 1, true),
} as const;

type Table = typeof table;
export type Name = keyof Table;
export type Value<K extends Name> = Table[K] extends Row<infer T> ? T : never;
export type State = { readonly [K in Name]: Signal<Value<K>> };

const names = Object.keys(table) as Name[];
// The loops below treat all rows alike; which type each holds is known to `State` alone.
const row = (name: Name) => table[name] as Row<unknown>;
const cell = (name: Name) => state[name] as Signal<unknown>;

export const state = Object.fromEntries(names.map((name) => [name, signal<unknown>(row(name).initial)])) as State;

/** Names of the rows that hold numbers, and of those that hold lists of them. */
export type NumberName = { [K in Name]: Value<K> extends number ? K : never }[Name];
export type NumbersName = { [K in Name]: Value<K> extends readonly number[] ? K : never }[Name];
/** Names of the rows that hold any text, and of those that hold one of a few words. */
export type TextName = { [K in Name]: string extends Value<K> ? K : never }[Name];
export type ChoiceName = Exclude<{ [K in Name]: Value<K> extends string ? K : never }[Name], TextName>;

/** The panels' names. */
export type PanelId = Exclude<Value<"at">, "">;

export function reset(which: readonly Name[]): void {
  batch(() => {
    for (const name of which) cell(name).value = row(name).initial;
  });
}

/** Whether every one of these rows holds its default. */
export function isInitial(which: readonly Name[]): boolean {
  return which.every((name) => row(name).format(cell(name).value) === row(name).format(row(name).initial));
}

/** Sets every row from the text after `#`; what is missing or not valid there gets its default. */
export function readLink(hash: string): void {
  const link = new URLSearchParams(hash.replace(/^#/, ""));
  batch(() => {
    for (const name of names) {
      const text = link.get(row(name).key);
      const value = text === null ? undefined : row(name).parse(text);
      const next = value ?? row(name).initial;
      if (row(name).format(cell(name).value) !== row(name).format(next)) cell(name).value = next;
    }
  });
}

/** The text after `#` that holds the state: every row that differs from its default. */
export function writeLink(changes: Partial<{ [K in Name]: Value<K> }> = {}): string {
  const link = new URLSearchParams();
  for (const name of names) {
    const text = row(name).format(changes[name] ?? cell(name).value);
    if (text !== row(name).format(row(name).initial)) link.set(row(name).key, text);
  }
  return `#${link}`;
}
