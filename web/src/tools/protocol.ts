import type { Diagnosis, ErrorFields } from "posenc/tools";
import type { CodeLanguage } from "../code/languages";
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

/** Where the numbers of one part are: in a file, or in a text as it was typed. */
export type Given = { readonly file: Blob; readonly array: string } | { readonly text: string };

type Options = Readonly<Record<string, string | number>>;

/** Numbers of the reader's own. */
export interface Own {
  readonly kind: Kind;
  readonly parts: Readonly<Record<string, Given>>;
  /** What is said of results, and of the samples. */
  readonly values: Options;
  readonly samples: Options;
  /** What was meant: a plan, or a config with what it leaves open. */
  readonly expected: Options | undefined;
}

export type Question = { readonly example: ExampleName } | Own;

export type Request = { readonly list: File } | { readonly ask: Question; readonly language: Language };

/** An error in a text or file. */
export type Fault =
  | "empty"
  | "shortened"
  | "not-a-number"
  | "ragged"
  | "too-long"
  | "positions"
  | "missing"
  | "no-json";

export interface Problem {
  /** The error that this page found; undefined if it is the library's. */
  readonly fault?: Fault;
  /** The part that has the error. */
  readonly part?: string | undefined;
  /** The library's message, or the text that is wrong. */
  readonly message: string;
  /** The text that is not JSON. */
  readonly text?: string | undefined;
  /** The fields of the library's error. */
  readonly refused?: ErrorFields | undefined;
}

/** What is in a file that was dropped. */
export interface Arrays {
  readonly listed: readonly { readonly name: string; readonly dtype: string; readonly shape: readonly number[] }[];
  /** What a model's file says in place of arrays. */
  readonly config?: string;
}

/** Numbers that were diagnosed: their part, their shape, and that in the file if only its first part was read. */
export interface Looked {
  readonly part: string;
  readonly shape: readonly number[];
  readonly of?: readonly number[] | undefined;
}

/** Code to copy, in each language. */
export type Programs = Readonly<Record<CodeLanguage, string>>;

/** Lines by what they mend, and a whole function, where there is one. */
export interface Code {
  readonly mended: readonly (readonly ["dims" | "rows" | "factor" | "shift", Programs])[];
  readonly whole: Programs | null;
}

/**
 * The evidence to draw for one explanation, of one series or of one for each pair: what was given, and what it makes. Angles
 * are in radians, NaN where the numbers determine none.
 */
export interface Picture {
  readonly kind: "angles" | "frequencies" | "bias" | "positions";
  readonly xs: readonly number[];
  readonly series: readonly { readonly given: readonly number[]; readonly found: readonly number[] }[];
  /** The series to begin with. */
  readonly best: number;
}

export interface Answer {
  readonly diagnosis: Diagnosis;
  /** A picture and code for each explanation, or null. */
  readonly pictures: readonly (Picture | null)[];
  readonly codes: readonly Code[];
  readonly hasExpected: boolean;
  readonly looked: readonly Looked[];
  /** How many positions were given. */
  readonly tokens: number;
}
