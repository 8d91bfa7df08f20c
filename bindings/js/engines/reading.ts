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

function textOf(config: Json, path = ""): [Json, string] {
  for (const part of parts) {
    const inner = dictionary(own(config, part));
    if (inner) return textOf(inner, `${path}${part}.`);
  }
  return [config, path];
}

const dtypes: readonly unknown[] = ["float32", "float16", "bfloat16"] satisfies DType[];
const isDType = (value: unknown): value is DType => dtypes.includes(value);

/** A config, and what `hubConfig` found in it. */
export function read(config: Json, hub: HubConfig, given: DType | undefined): Reading {
  const [text, before] = textOf(config);
  const named = ["dtype", "torch_dtype"].flatMap((key) => [own(text, key), own(config, key)]);
  const scaling = dictionary(own(text, "rope_scaling"));
  const isOld = scaling !== undefined && Object.keys(scaling).length > 0;
  const rope = (isOld ? scaling : dictionary(own(text, "rope_parameters"))) ?? {};
  const path = `${before}${isOld ? "rope_scaling" : "rope_parameters"}.`;
  const rotations = hub.plans.map((plan, index) => {
    const inner = plan.layerType === null ? undefined : dictionary(own(rope, plan.layerType));
    const shared = { plan, index, scaling: plan.rotary.scaling ?? { type: "default" as const } };
    return inner
      ? { ...shared, keys: inner, path: `${path}${plan.layerType}.`, isNested: true }
      : { ...shared, keys: rope, path, isNested: false };
  });
  const hasBase = ["rope_theta", "global_rope_theta", "rotary_emb_base"].some((key) => own(text, key) !== undefined);
  const type = typeOf(text);
  return {
    text,
    type,
    model: typeOf(config) || type,
    isNew: !isOld && !hasBase && Object.keys(rope).length > 0,
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
