// The messages between a run and its workers. The first worker trains, tests and answers; the others, where there are any,
// exchange the gradients of their shards with it and each other.

import { fieldsOf } from "../base/check.js";
import type * as t from "../types/index.js";
import type { LengthTest } from "./stretch.js";
import type { GivenPlan } from "./train-options.js";

/** The questions that the first worker answers between steps. */
export interface Questions {
  evaluate(options?: t.EvaluationOptions): t.Evaluation;
  tests(tests: readonly LengthTest[]): t.LengthEvaluation[];
  attention(tokens: ArrayLike<number>): t.Tensor;
  generate(prompt: ArrayLike<number>, options: t.GenerateOptions): number[];
  encode(text: string): number[];
  decode(tokens: ArrayLike<number>): string;
  save(): Uint8Array<ArrayBuffer>;
  values(): Float32Array;
}

export interface Start {
  readonly kind: "start";
  readonly module: WebAssembly.Module;
  readonly options: t.TrainingOptions;
  readonly checkpoint: t.Checkpoint | Uint8Array | undefined;
}

/** To worker `index` of several: its ports to the others, in order, and the memory that all share. */
export interface Share {
  readonly kind: "share";
  readonly index: number;
  readonly ports: readonly MessagePort[];
  readonly memory: SharedArrayBuffer | undefined;
  readonly start?: Start;
}

export type Request =
  | (Start & { readonly plan: GivenPlan })
  | Share
  | { readonly kind: "pause" | "resume" | "stop" }
  | { readonly kind: "ask"; readonly id: number; readonly question: keyof Questions; readonly given: unknown[] };

/** An error in a message. */
export interface Problem {
  readonly type: string;
  readonly message: string;
  readonly fields?: t.ErrorFields;
}

export type Response =
  | { readonly kind: "ready"; readonly facts: t.TrainingFacts; readonly workers: number }
  | { readonly kind: "point"; readonly point: t.TrainingPoint }
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly problem: Problem };

const types: { readonly [type: string]: new (message: string) => Error } = { TypeError, RangeError };

export function problemOf(error: unknown): Problem {
  const fields = fieldsOf(error);
  return {
    type: error instanceof RangeError ? "RangeError" : error instanceof TypeError ? "TypeError" : "Error",
    message: error instanceof Error ? error.message : String(error),
    ...(fields && { fields }),
  };
}

export const errorOf = ({ type, message, fields }: Problem): Error =>
  Object.assign(new (types[type] ?? Error)(message), fields);
