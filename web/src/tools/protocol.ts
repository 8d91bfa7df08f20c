import type { Diagnosis, ErrorFields, Layout, RotaryOptions } from "posenc/tools";
import type { Language } from "../core/i18n";

/*
 * The messages between the page and its worker. The worker has the library and reads files and long texts, so that the page
 * always responds to the reader, and can end the worker.
 */

/** The kinds of numbers that can be diagnosed. */
export const kinds = ["rotation", "outputs", "cache", "cosSin", "table", "frequencies", "bias", "ids"] as const;
export type Kind = (typeof kinds)[number];

/** Famous mistakes to try. */
export const exampleNames = ["layout", "reciprocal", "factor", "layers", "first"] as const;
export type ExampleName = (typeof exampleNames)[number];

/** An array in a file that was dropped. */
export interface Listed {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
}

/** Where the numbers of one part are: in a file, or in a text as it was typed. */
export type Given = { readonly file: Blob; readonly array: string } | { readonly text: string };

/** Biases that can be meant, and rules by which ids are numbered. */
export const biases = ["alibi", "t5"] as const;
export const idPresets = [
  ...(["qwen2-vl", "qwen2.5-vl", "qwen3-vl", "glm4v", "qwen2.5-omni", "qwen3-omni"] as const),
  ...(["ernie4.5-vl", "bailing", "hunyuan-vl"] as const),
] as const;

/** The intended convention, as the reader gives it. */
export type Expected =
  | { readonly kind: "none" }
  /** No layer or length is named by -1 and 0. */
  | { readonly kind: "config"; readonly text: string; readonly layer: number; readonly length: number }
  | {
      readonly kind: "plan";
      readonly plan: RotaryOptions;
      readonly bias: (typeof biases)[number];
      readonly preset: (typeof idPresets)[number];
    };

/** What the results were rounded to, and went through, where the reader says it. */
export const dtypes = ["stored", "float32", "float16", "bfloat16"] as const;
export const quantizations = ["none", "q8_0", "fp8-e4m3", "fp8-e5m2"] as const;

/** What numbers do not show by themselves; no axis is named by -1. */
export interface Stated {
  readonly dtype: (typeof dtypes)[number];
  readonly quantized: (typeof quantizations)[number];
  readonly seqAxis: number;
}

export type Question =
  | { readonly example: ExampleName }
  | {
      readonly kind: Kind;
      readonly parts: Readonly<Record<string, Given>>;
      readonly stated: Stated;
      readonly expected: Expected;
    };

export type Request =
  | { readonly id: number; readonly list: File }
  | { readonly id: number; readonly ask: Question; readonly language: Language };

/** An error in a text or file, and its place there. */
export const faults = [
  "empty",
  "shortened",
  "not-a-number",
  "ragged",
  "too-long",
  "positions",
  "missing",
  "no-json",
  "config",
] as const;
export type Fault = (typeof faults)[number];

export interface Problem {
  /** The error that this page found; undefined if it is the library's. */
  readonly fault?: Fault;
  /** The part that has the error. */
  readonly part?: string;
  /** The library's message, or the text that is wrong. */
  readonly message: string;
  /** The text that is not JSON. */
  readonly text?: string;
  /** The fields of the library's error. */
  readonly refused?: ErrorFields;
}

export type Response = { readonly id: number } & (
  | { readonly listed: readonly Listed[]; readonly config?: string }
  | { readonly answer: Answer }
  | { readonly problem: Problem }
);

/** Numbers that were diagnosed: their part, their shape, and that in the file if only its first part was read. */
export interface Looked {
  readonly part: string;
  readonly shape: readonly number[];
  readonly of?: readonly number[];
}

/** The convention of the code to copy: the intended one, or the one found if none was given. */
export type Right =
  | {
      readonly type: "rotary";
      readonly plan: RotaryOptions;
      /** The dimensions before those of the plan. */
      readonly firstDim: number;
      readonly heads: number;
      readonly inverse: boolean;
      readonly offset: number;
      readonly frequencies: readonly number[];
      readonly factor: number;
      readonly layout: Layout;
    }
  | {
      readonly type: "sinusoidal";
      readonly dim: number;
      readonly base: number;
      readonly order: string;
      readonly offset: number;
      readonly amplitude: number;
      readonly frequencies: readonly number[];
    }
  | { readonly type: "alibi"; readonly slopes: readonly number[]; readonly rule: string; readonly steepness: number };

/** The evidence to draw for one explanation. */
export type Picture =
  | {
      readonly kind: "angles";
      readonly positions: readonly number[];
      /** The angle of each pair at each position, in radians; NaN where the numbers determine none. */
      readonly observed: readonly (readonly number[])[];
      /** The explanation's angle of each pair is slope * position + start. */
      readonly slopes: readonly number[];
      readonly starts: readonly number[];
    }
  | {
      /** Positions of each token as they were read back, and those given. */
      readonly kind: "frequencies" | "bias" | "positions";
      readonly xs: readonly number[];
      readonly observed: readonly number[];
      readonly found: readonly number[];
    };

export interface Answer {
  readonly diagnosis: Diagnosis;
  /** A picture for each explanation, or null. */
  readonly pictures: readonly (Picture | null)[];
  readonly rights: readonly (Right | null)[];
  readonly hasExpected: boolean;
  readonly looked: readonly Looked[];
  readonly positions: readonly number[];
}
