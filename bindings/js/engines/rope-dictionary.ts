// A plan as the dictionary of config.json, in each way of writing it that some engine reads.

import { type Json, own } from "../hub/parsed-config.js";
import type { Scaling, YarnScaling } from "../types/frequencies.js";
import type { HubPlan } from "../types/hub.js";
import { growth, isNear, yarnFactor } from "./predicates.js";

/** A way of writing: the name of the rule's key, how an attention factor is given, and whether defaults are written too. */
export interface Writing {
  names: readonly string[];
  factor: "attention_factor" | "mscale" | "direct" | "attn_factor";
  isWhole: boolean;
}

const factors = ["attention_factor", "mscale", "direct", "attn_factor"] as const;

/** All ways, the plainest first. */
export const writings: readonly Writing[] = [
  [["rope_type"], false] as const,
  [["rope_type"], true] as const,
  [["rope_type", "type"], true] as const,
].flatMap(([names, isWhole]) => factors.map((factor) => ({ names, factor, isWhole })));

/** Keys that are no part of the rule. */
const kept = ["mrope_section", "mrope_interleaved", "partial_rotary_factor", "finetuned"];

/** YaRN's keys, and the rule as they describe it. */
function yarnKeys(scaling: YarnScaling, attentionFactor: number, { factor: how, isWhole }: Writing): [Json, Scaling] {
  const { factor, originalLength, betaFast, betaSlow, truncate, mscale, mscaleAllDim, attentionFactor: _ } = scaling;
  const keys: { [key: string]: unknown } = { factor, original_max_position_embeddings: originalLength };
  if (isWhole || (betaFast ?? 32) !== 32) keys.beta_fast = betaFast ?? 32;
  if (isWhole || (betaSlow ?? 1) !== 1) keys.beta_slow = betaSlow ?? 1;
  if (truncate === false) keys.truncate = false;
  if (mscale !== undefined) keys.mscale = mscale;
  if (mscaleAllDim !== undefined) keys.mscale_all_dim = mscaleAllDim;
  let rule: YarnScaling = { ...scaling };
  delete rule.attentionFactor;
  if (isNear(yarnFactor(factor, scaling), attentionFactor)) return [keys, rule];
  // mscale_all_dim is in the scores of some models: it stays what it is.
  const isFree = mscaleAllDim === undefined && growth(factor) !== 1;
  if (how === "attention_factor" || (how !== "attn_factor" && !isFree)) {
    keys.attention_factor = attentionFactor;
    rule.attentionFactor = attentionFactor;
  } else if (how === "mscale") {
    rule = { ...rule, mscale: (attentionFactor - 1) / (growth(factor) - 1), mscaleAllDim: 0 };
    Object.assign(keys, { mscale: rule.mscale, mscale_all_dim: 0 });
  } else if (how === "direct") {
    rule = { ...rule, mscale: attentionFactor };
    keys.mscale = attentionFactor;
  } else keys.attn_factor = attentionFactor / growth(factor);
  return [keys, rule];
}

/** The keys of a rule, and the rule that they describe; undefined where no key names it. */
function ruleKeys({ rotary, attentionFactor }: HubPlan, given: Json, how: Writing): [Json, Scaling] | undefined {
  const scaling = rotary.scaling ?? { type: "default" };
  switch (scaling.type) {
    case "default":
      return [{}, scaling];
    case "linear":
      return [{ factor: scaling.factor }, scaling];
    case "yarn":
      return yarnKeys(scaling, attentionFactor, how);
    case "llama3": {
      const { factor, originalLength, lowFrequencyFactor = 1, highFrequencyFactor = 4 } = scaling;
      const frequencies = { low_freq_factor: lowFrequencyFactor, high_freq_factor: highFrequencyFactor };
      return [{ factor, ...frequencies, original_max_position_embeddings: originalLength }, scaling];
    }
    case "given":
    case "ntk":
      return undefined;
    // No length and no engine changes these, and they are written as they are. A new rule does not compile before it is here.
    case "dynamic":
    case "longrope":
    case "proportional": {
      const { rope_type, type, rope_theta, ...keys } = given as { [key: string]: unknown };
      return [keys, scaling];
    }
  }
}

/** A plan as a dictionary, and the plan that it describes. `given` is the config's own. */
export function dictionaryOf(plan: HubPlan, given: Json, how: Writing): { keys: Json; plan: HubPlan } | undefined {
  const written = ruleKeys(plan, given, how);
  if (!written) return undefined;
  const [rule, scaling] = written;
  // Some classes know one name of M-RoPE alone: it stays as it is.
  const isNamed = plan.mrope !== null && scaling.type === "default";
  const names = isNamed
    ? Object.fromEntries(["rope_type", "type"].flatMap((key) => (own(given, key) ? [[key, own(given, key)]] : [])))
    : Object.fromEntries(how.names.map((key) => [key, scaling.type]));
  const others = kept.flatMap((key) => (own(given, key) === undefined ? [] : [[key, own(given, key)]]));
  const keys = { ...names, ...rule, ...Object.fromEntries(others) };
  return { keys, plan: { ...plan, rotary: { ...plan.rotary, scaling } } };
}
