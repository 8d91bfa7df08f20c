// The options of `train`: those of the training, which are sent to its worker, and those of the run.

import { options as checkOptions, count, has, isObject, plain, whole, wrongType, wrongValue } from "../base/check.js";
import * as is from "../base/kinds.js";
import { copyOf, typed, typeOf, viewOf } from "../base/view.js";
import type * as t from "../types/index.js";
import { readLengths } from "./stretch.js";
import { trainingFields } from "./training-options.js";

const ownNames = ["every", "lengths", "sequences", "checkpoint", "workers", "worker", "signal"] as const;
const trainingNames = Object.keys(trainingFields) as (keyof t.TrainingOptions)[];

/** Names in messages as `training` has them. */
const trainingKind = is.group<t.TrainingOptions, typeof trainingFields>(trainingFields, "");

/** The options of the run, as they were given. */
export interface GivenPlan {
  readonly every: number | undefined;
  readonly lengths: number[] | undefined;
  readonly sequences: number | undefined;
  readonly workers: number | undefined;
}

export interface ReadTrainOptions {
  readonly training: t.TrainingOptions;
  readonly plan: GivenPlan;
  readonly checkpoint: t.Checkpoint | Uint8Array | undefined;
  readonly worker: t.TrainOptions["worker"];
  readonly signal: AbortSignal | undefined;
}

const isWorker = (value: unknown) => isObject(value) && has(value, "postMessage") && has(value, "terminate");

/** Copies a checkpoint: the training may read it later. */
function readCheckpoint(given: unknown): t.Checkpoint | Uint8Array | undefined {
  if (given === undefined) return undefined;
  if (!isObject(given)) throw wrongType("checkpoint", given, "a Uint8Array or an object { step, values, … }");
  if (typeOf(given) === "Uint8Array") {
    return copyOf("checkpoint", viewOf("checkpoint", given as Uint8Array), Uint8Array).values;
  }
  const own = plain(given) as { [name: string]: unknown };
  const copied = (name: "values" | "firstMoments" | "secondMoments") =>
    copyOf(`checkpoint.${name}`, typed(`checkpoint.${name}`, own[name], Float32Array), Float32Array).values;
  return {
    step: whole("checkpoint.step", own.step),
    values: copied("values"),
    firstMoments: copied("firstMoments"),
    secondMoments: copied("secondMoments"),
  };
}

const optionalCount = (argument: string, value: unknown) => (value === undefined ? undefined : count(argument, value));

export function readTrainOptions(given: t.TrainOptions): ReadTrainOptions {
  const own = checkOptions(given, [...trainingNames, ...ownNames], "train");
  const { every, lengths, sequences, checkpoint, workers, worker, signal, ...training } = own;
  trainingKind.read("train", training);
  if (worker !== undefined && typeof worker !== "function" && !isWorker(worker))
    throw wrongType("worker", worker, "a Worker, or a function that makes one");
  if (signal !== undefined && !signal?.addEventListener) throw wrongType("signal", signal, "an AbortSignal");
  const plan = {
    every: optionalCount("every", every),
    lengths: readLengths("lengths", lengths),
    sequences: optionalCount("sequences", sequences),
    workers: optionalCount("workers", workers),
  };
  if (typeof worker === "object" && (plan.workers ?? 1) > 1)
    throw wrongType("worker", worker, "a function that makes one, for several workers");
  return { training, plan, checkpoint: readCheckpoint(checkpoint), worker, signal: signal as AbortSignal | undefined };
}

/** All of a plan, defaults filled in. */
export function planOf(given: GivenPlan, { options, shards }: t.TrainingFacts) {
  const { steps } = options.optimizer;
  const { every = Math.max(1, Math.floor(steps / 50)), lengths, sequences = 32, workers = 1 } = given;
  if (every < 1) throw wrongValue("every", every, "a whole number >= 1");
  if (workers < 1 || workers > shards)
    throw wrongValue("workers", workers, `a whole number from 1 to ${shards}, the parts of a step`);
  return { every, workers, steps, tests: { sequences, ...(lengths && { lengths }) } };
}
