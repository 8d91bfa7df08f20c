// The messages between a run and its worker, which trains, tests and answers.

import { fieldsOf } from "../base/check.js";
import type * as t from "../types/index.js";
import type { LengthTest } from "./stretch.js";
import type { GivenPlan } from "./train-options.js";

/** The questions that the worker answers between steps. */
export interface Questions {
  evaluate(options?: t.EvaluationOptions): t.Evaluation;
  tests(tests: readonly LengthTest[]): t.LengthEvaluation[];
  attention(tokens: ArrayLike<number>): t.Tensor;
  generate(prompt: ArrayLike<number>, options: t.GenerateOptions): number[];
  encode(text: string): number[];
  decode(tokens: ArrayLike<number>): string;
  values(): Float32Array;
}

export type Request =
  | {
      readonly kind: "start";
      readonly module: WebAssembly.Module;
      readonly options: t.TrainingOptions;
      readonly plan: GivenPlan;
    }
  | { readonly kind: "pause" | "resume" | "stop" }
  | { readonly kind: "ask"; readonly id: number; readonly question: keyof Questions; readonly given: unknown[] };

/** An error in a message. */
export interface Problem {
  readonly type: string;
  readonly message: string;
  readonly fields?: t.ErrorFields;
}

export type Response =
  | { readonly kind: "ready"; readonly facts: t.TrainingFacts }
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
