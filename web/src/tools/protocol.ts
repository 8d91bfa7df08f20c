import type { Diagnosis, Layout, RotaryOptions } from "posenc/tools";
import type { Language } from "../core/i18n";

/*
 * What the page and its worker say to each other. The library, files and long texts are the worker's: whatever they
 * take, the page stays at the reader's hand, and can end the worker.
 */

/** What may be looked at. */
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

/** What was meant, as the reader gives it. */
export type Expected =
  | { readonly kind: "none" }
  | { readonly kind: "config"; readonly text: string; readonly layer: number }
  | {
      readonly kind: "plan";
      readonly plan: RotaryOptions;
      readonly bias: (typeof biases)[number];
      readonly preset: (typeof idPresets)[number];
    };

export type Question =
  | { readonly example: ExampleName }
  | { readonly kind: Kind; readonly parts: Readonly<Record<string, Given>>; readonly expected: Expected };

export type Request =
  | { readonly id: number; readonly list: Blob }
  | { readonly id: number; readonly ask: Question; readonly language: Language };

/** What cannot be made out of a text or file, and where. */
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
  /** What this page found wrong; nothing where the library says it. */
  readonly fault?: Fault;
  /** Of which part. */
  readonly part?: string;
  /** In the library's words, or what stands there. */
  readonly message: string;
  /** The text that is no JSON. */
  readonly text?: string;
}

export type Response = { readonly id: number } & (
  | { readonly listed: readonly Listed[] }
  | { readonly answer: Answer }
  | { readonly problem: Problem }
);

/** Numbers that were looked at: their name, their extents, and those of the file where only its first part was read. */
export interface Looked {
  readonly part: string;
  readonly shape: readonly number[];
  readonly of?: readonly number[];
}

/** What makes it right, or what was found where nothing was expected: for code to copy. */
export type Right =
  | {
      readonly type: "rotary";
      readonly plan: RotaryOptions;
      /** In front of the dimensions that the plan is of. */
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

/** Evidence to be drawn, of one explanation. */
export type Picture =
  | {
      readonly kind: "angles";
      readonly positions: readonly number[];
      /** Of each pair at each position, in radians; NaN where the numbers say nothing. */
      readonly observed: readonly (readonly number[])[];
      /** The explanation's angle of each pair is slope * position + start. */
      readonly slopes: readonly number[];
      readonly starts: readonly number[];
    }
  | {
      readonly kind: "frequencies" | "bias";
      readonly xs: readonly number[];
      readonly observed: readonly number[];
      readonly found: readonly number[];
    };

export interface Answer {
  readonly diagnosis: Diagnosis;
  /** One for each explanation, where there is something to draw. */
  readonly pictures: readonly (Picture | null)[];
  readonly rights: readonly (Right | null)[];
  readonly hasExpected: boolean;
  readonly looked: readonly Looked[];
  readonly positions: readonly number[];
}
