// What the rules ask of a config: its text part, and each plan with the dictionary that it was read from.

import { isArray, isObject } from "../base/check.js";
import type { DType } from "../types/base.js";
import type { Scaling, YarnScaling } from "../types/frequencies.js";
import type { HubConfig, HubPlan } from "../types/hub.js";

export type Json = { readonly [key: string]: unknown };

export const dictionary = (value: unknown): Json | undefined =>
  isObject(value) && !isArray(value) ? (value as Json) : undefined;

/** A key's own value, unless it is null. */
export const own = (of: Json, key: string): unknown => (Object.hasOwn(of, key) ? (of[key] ?? undefined) : undefined);

/** Where models of several parts have that of their text. */
const parts = ["text_config", "llm_config", "language_config", "thinker_config"];

/** One rotation of a model, beside the dictionary it was read from. */
export interface Rotation {
  plan: HubPlan;
  scaling: Scaling;
  index: number;
  keys: Json;
  /** Stands before the names of keys: "rope_scaling." */
  path: string;
  /** Whether each layer type has a dictionary of its own. */
  isNested: boolean;
}

export interface Reading {
  /** The config of the text, and its `model_type`. */
  text: Json;
  type: string;
  /** The whole config's `model_type`. */
  model: string;
  /** Whether the base or the rule is in `rope_parameters` alone. */
  isNew: boolean;
  rotations: Rotation[];
  /** The model's. */
  dtype: DType;
}

const typeOf = (config: Json): string => {
  const type = own(config, "model_type");
  return typeof type === "string" ? type : "";
};

function textOf(config: Json): Json {
  const inner = parts.map((part) => dictionary(own(config, part))).find((part) => part !== undefined);
  return inner ? textOf(inner) : config;
}

const dtypes: readonly unknown[] = ["float32", "float16", "bfloat16"] satisfies DType[];
const isDType = (value: unknown): value is DType => dtypes.includes(value);

/** A config, and what `hubConfig` found in it. */
export function read(config: Json, { plans }: Pick<HubConfig, "plans">, given: DType | undefined): Reading {
  const text = textOf(config);
  const rotations = plans.map((plan, index) => {
    const steps = plan.path.split(".").slice(0, -1);
    const keys = steps.reduce((at: Json, step) => dictionary(own(at, step)) ?? {}, config);
    const isNested = plan.layerType !== null && steps.at(-1) === plan.layerType;
    const scaling = plan.rotary.scaling ?? { type: "default" as const };
    return { plan, index, scaling, keys: steps.length > 0 ? keys : {}, path: plan.path, isNested };
  });
  const hasBase = ["rope_theta", "global_rope_theta", "rotary_emb_base"].some((key) => own(text, key) !== undefined);
  const type = typeOf(text);
  const named = ["dtype", "torch_dtype"].flatMap((key) => [own(text, key), own(config, key)]);
  return {
    text,
    type,
    model: typeOf(config) || type,
    isNew: !hasBase && plans.some(({ path }) => path.includes("rope_parameters.")),
    rotations,
    dtype: given ?? named.find(isDType) ?? "float32",
  };
}

/** YaRN's g: 0.1 m ln f + 1. */
export const growth = (factor: number, m = 1): number => (factor <= 1 ? 1 : 0.1 * m * Math.log(factor) + 1);

/** The attention factor of YaRN where none is given, as transformers has it. */
export const yarnFactor = ({ factor, mscale, mscaleAllDim }: YarnScaling): number =>
  mscale && mscaleAllDim ? growth(factor, mscale) / growth(factor, mscaleAllDim) : growth(factor);

export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(b);
