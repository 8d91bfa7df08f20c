// The tests of a model at several lengths, here or in a worker.

import { options as checkOptions, count, isArray, wrongType } from "../base/check.js";
import type * as t from "../types/index.js";

const names = ["lengths", "sequences", "encoding"] as const;

/** Multiples of the longest example trained on. */
const factors = [1, 2, 4, 8];

export function readLengths(argument: string, value: unknown): number[] | undefined {
  if (value === undefined) return undefined;
  if (!isArray(value)) throw wrongType(argument, value, "an array of lengths");
  return value.map((n, i) => count(`${argument}[${i}]`, n));
}

/** Reads each option once; `evaluate` checks `sequences` and encodings. */
export function readStretch(options: t.StretchOptions): t.StretchOptions {
  const { lengths, ...others } = checkOptions(options, names, "stretch");
  const read = readLengths("lengths", lengths);
  return read ? { ...others, lengths: read } : others;
}

export type LengthTest = t.EvaluationOptions & { n: number };

/** Calls the caller's function for a length; what that throws becomes the cause of the error. */
function encodingFor(factor: number, encodingOf: (factor: number) => t.EncodingOptions | undefined) {
  try {
    return encodingOf(factor);
  } catch (cause) {
    const message = `encoding: a function that throws at ${factor}, expected one that gives an encoding`;
    throw new TypeError(message, { cause });
  }
}

/** One test for each length. */
export function testsOf(given: t.StretchOptions, { task, stretch }: t.CompleteTrainingOptions): LengthTest[] {
  const { encoding, sequences } = given;
  const usual = task.type === "roles" ? [1] : factors.filter((factor) => factor <= stretch);
  const lengths = given.lengths ?? usual.map((factor) => factor * task.longest);
  return lengths.map((n) => {
    const other = typeof encoding === "function" ? encodingFor(n / task.longest, encoding) : encoding;
    return { n, ...(sequences !== undefined && { sequences }), ...(other !== undefined && { encoding: other }) };
  });
}

export const runTests = (training: Pick<t.Training, "evaluate">, tests: readonly LengthTest[]): t.LengthEvaluation[] =>
  tests.map((test) => ({ n: test.n, ...training.evaluate(test) }));
