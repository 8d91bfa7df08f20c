import type { DType } from "./base.js";
import type { Mistake } from "./diagnosis.js";
import type { MropeOptions } from "./grid.js";
import type { HeadDims } from "./hub.js";
import type { Layout, RotaryOptions } from "./rotary.js";

/** A rotation of heads, and what surrounds it. */
export type FixturePlan = RotaryOptions & {
  /** Where the rotated dimensions start, 0 by default. */
  firstDim?: number;
  /** Whether it rotates back. */
  inverse?: boolean;
  /** Plans of the model's other layers: what these would make of it is one of the mistakes. */
  others?: readonly RotaryOptions[];
  /** Where positions have several axes. */
  mrope?: Pick<MropeOptions, "sections" | "order">;
};

/** What a config leaves open, and how mistakes are told. */
export interface FixtureOptions {
  /** Positions are below it, 2 … 2^24; the plan's, the model's, or 4096 by default. The rules "dynamic" and "longrope" read it. */
  length?: number;
  /** In place of the model's own; has to be named where that is not known. */
  layout?: Layout;
  /** Of the sentences: English by default. */
  language?: "en" | "zh";
}

/** By how much a known mistake moves which outputs. */
export interface FixtureMistake {
  /** Its names: several where numbers cannot tell them apart. */
  names: Mistake[];
  /** Of a wrong factor: it multiplies all outputs in dimensions that rotate. There are no `at` and `moves` then. */
  times?: number;
  /** Which of the section's outputs, by index. */
  at?: number[];
  /** Wrong less right, for each of these. */
  moves?: number[];
  /** How far its score of bfloat16 may be from 0, if not `scoreTolerance`; null where roundings hide the mistake. */
  bfloat16?: number | null;
}

/** Inputs, positions and outputs of layers that rotate alike. */
export interface FixtureSection {
  /** `"full_attention"`, …, as the model calls such layers; `"all"` where they are alike. */
  name: string;
  /** `"0-4, 6"`; empty where the config does not say how many there are. */
  layers: string;
  /** Options of the rotation, for whoever reads the file. */
  plan: object;
  /** Which dimensions of a head rotate. */
  dims: HeadDims;
  /** [axes][tokens]; of one axis in most models. */
  positions: number[][];
  /** What each token's query is before it is rotated, [dim]; whole numbers from -8 to 8, which every dtype holds. */
  input: number[];
  /** Which outputs are looked at, token · dim + dimension: `rotated` of them in dimensions that rotate, then others. */
  indices: number[];
  /** How many of these are in dimensions that rotate. */
  rotated: number;
  /** What queries should be there. */
  outputs: number[];
  /** How far an output may be off, a number a token. */
  tolerances: { [Type in Exclude<DType, "float16">]: number[] };
  /** The mistakes that are told. */
  mistakes: FixtureMistake[];
  /** Those that change too little below this length. */
  undetected: Mistake[];
}

/** What fixtures.json holds. */
export interface FixtureData {
  /** `"posenc-fixtures-1"` */
  format: string;
  /** How outputs are judged, in words. */
  about: string;
  /** `model_type`; null of a plan. */
  model: string | null;
  /** Keys before rotation are queries times this, and so they are afterwards. */
  keys: number;
  /** How far a score may be from 0; it is 1 for the mistake. */
  scoreTolerance: number;
  /** A mistake is named if this much, at most, of the squares of its moves is left unexplained. */
  namedResidual: number;
  /** What each of the mistakes is, in a sentence. */
  meanings: { [mistake: Mistake]: string };
  /** One for each kind of layer that rotates. */
  sections: FixtureSection[];
}

/** A file to be written. */
export interface FixtureFile {
  /** Its name. */
  name: string;
  /** Its text or bytes. */
  data: string | Uint8Array;
}

/** What an engineer puts beside a port. */
export interface Fixtures {
  /** What fixtures.json holds. */
  json: FixtureData;
  /**
   * `fixtures.json`; for each section `NAME.positions.npy` [axes, tokens], `NAME.input.npy` and `NAME.output.npy`
   * [tokens, dim], whole and in float32; and the tests `test_rope.py`, `test_rope_jax.py`, `rope_test.cpp` and
   * `rope.test.mjs`.
   */
  files: FixtureFile[];
}
