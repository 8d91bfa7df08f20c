// The options of `train`: those of the training, which are sent to its worker, and those of the run.

import { options as checkOptions, count, has, isObject, wrongType, wrongValue } from "../base/check.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";
import { readLengths } from "./stretch.js";
import { trainingFields } from "./training-options.js";

const ownNames = ["every", "lengths", "sequences", "worker", "signal"] as const;
const trainingNames = Object.keys(trainingFields) as (keyof t.TrainingOptions)[];

/** Names in messages as `training` has them. */
const trainingKind = is.group<t.TrainingOptions, typeof trainingFields>(trainingFields, "");

/** The options of the run, as they were given. */
export interface GivenPlan {
  readonly every: number | undefined;
  readonly lengths: number[] | undefined;
  readonly sequences: number | undefined;
}

export interface ReadTrainOptions {
  readonly training: t.TrainingOptions;
  readonly plan: GivenPlan;
  readonly worker: t.TrainOptions["worker"];
  readonly signal: AbortSignal | undefined;
}

const isWorker = (value: unknown) => isObject(value) && has(value, "postMessage") && has(value, "terminate");

const optionalCount = (argument: string, value: unknown) => (value === undefined ? undefined : count(argument, value));

export function readTrainOptions(given: t.TrainOptions): ReadTrainOptions {
  const own = checkOptions(given, [...trainingNames, ...ownNames], "train");
  const { every, lengths, sequences, worker, signal, ...training } = own;
  trainingKind.read("train", training);
  if (worker !== undefined && typeof worker !== "function" && !isWorker(worker))
    throw wrongType("worker", worker, "a Worker, or a function that makes one");
  if (signal !== undefined && !signal?.addEventListener) throw wrongType("signal", signal, "an AbortSignal");
  const plan = {
    every: optionalCount("every", every),
    lengths: readLengths("lengths", lengths),
    sequences: optionalCount("sequences", sequences),
  };
  return { training, plan, worker, signal: signal as AbortSignal | undefined };
}

/** All of a plan, defaults filled in. */
export function planOf(given: GivenPlan, { options }: t.TrainingFacts) {
  const { steps } = options.optimizer;
  const { every = Math.max(1, Math.floor(steps / 50)), lengths, sequences = 32 } = given;
  if (every < 1) throw wrongValue("every", every, "a whole number >= 1");
  return { every, steps, tests: { sequences, ...(lengths && { lengths }) } };
}
