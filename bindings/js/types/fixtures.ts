import type { DType } from "./base.js";
import type { Mistake } from "./diagnosis.js";
import type { MropeOptions } from "./grid.js";
import type { HeadDims } from "./hub.js";
import type { Layout, RotaryOptions } from "./rotary.js";

/** A rotation of heads, and what surrounds it. */
export type FixturePlan = RotaryOptions & {
  /** The first rotated dimension, 0 by default. */
  firstDim?: number;
  /** Whether it rotates back. */
  inverse?: boolean;
  /** Plans of the model's other layers: what these would make of it is one of the mistakes. */
  others?: readonly RotaryOptions[];
  /** Sections and their order, if positions have several axes. */
  mrope?: Pick<MropeOptions, "sections" | "order">;
};

/** Options for what a config leaves open, and the language of mistakes. */
export interface FixtureOptions {
  /** Positions are below it, 2 … 2^24; the plan's, the model's, or 4096 by default. The rules "dynamic" and "longrope" read it. */
  length?: number;
  /** The layout, in place of the model's own; required where that is not known. */
  layout?: Layout;
  /** The language of the sentences: English by default. */
  language?: "en" | "zh";
}

/** The outputs that a known mistake moves, and by how much. */
export interface FixtureMistake {
  /** Its names: several where numbers cannot distinguish them. */
  names: Mistake[];
  /** A wrong factor, which multiplies all outputs in dimensions that rotate. There are no `at` and `moves` then. */
  times?: number;
  /** Indices of the section's outputs. */
  at?: number[];
  /** The wrong output less the right one, for each of these. */
  moves?: number[];
  /** The largest score of bfloat16, if not `scoreTolerance`; null where roundings hide the mistake. */
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
  /** The dimensions of a head that rotate. */
  dims: HeadDims;
  /** Positions [axes][tokens], of one axis in most models. */
  positions: number[][];
  /** The query of each token and head before it is rotated, [dim]; whole numbers from -8 to 8, which every dtype represents. */
  input: number[];
  /** The outputs that are tested, token · dim + dimension: `rotated` of them in dimensions that rotate, then others. */
  indices: number[];
  /** How many of these are in dimensions that rotate. */
  rotated: number;
  /** The right outputs there. */
  outputs: number[];
  /** The largest error of an output, a number a token. */
  tolerances: { [Type in Exclude<DType, "float16">]: number[] };
  /** The mistakes that are detected. */
  mistakes: FixtureMistake[];
  /** Mistakes that change too little below this length to be detected. */
  undetected: Mistake[];
}

/** The contents of fixtures.json. */
export interface FixtureData {
  /** `"posenc-fixtures-2"` */
  format: string;
  /** The rule for judging outputs, in words. */
  about: string;
  /** The `model_type`; null for a plan. */
  model: string | null;
  /** How many heads a port is given, in front of the tokens: all of them alike. */
  heads: number;
  /** Keys before rotation are queries times this, and so they are afterwards. */
  keys: number;
  /** The largest score of what is right; it is 1 for the mistake. */
  scoreTolerance: number;
  /** A mistake is named if this much, at most, of the squares of its moves is left unexplained. */
  namedResidual: number;
  /** A sentence about each of the mistakes. */
  meanings: { [mistake: Mistake]: string };
  /** A section for each kind of layer that rotates. */
  sections: FixtureSection[];
}

/** A file to be written. */
export interface FixtureFile {
  /** Its name. */
  name: string;
  /** Its text or bytes. */
  data: string | Uint8Array;
}

/** Fixtures for a port: data, and tests that read them. */
export interface Fixtures {
  /** The contents of fixtures.json. */
  json: FixtureData;
  /**
   * `fixtures.json`; for each section `NAME.positions.npy` [axes, tokens], `NAME.input.npy` and `NAME.output.npy`
   * [tokens, dim], whole and in float32; and the tests `test_rope.py`, `test_rope_jax.py`, `test_rope_numpy.py`,
   * `rope_test.cpp` and `rope.test.mjs`.
   */
  files: FixtureFile[];
}
