// A model's plans as metadata of a GGUF file, and as the flags of llama.cpp that take its place.

import type { SettingsModel } from "../types/engine-settings.js";
import type { HubPlan } from "../types/hub.js";
import { isLocal } from "./longer.js";
import { type Lists, modelSet } from "./model-lists.js";

type Keys = { [key: string]: unknown };

/** `general.architecture` of a model type; "ARCH" where it is not known. */
export function architectureOf(architectures: Lists, type: string): string {
  const found = Object.keys(architectures).find((name) => modelSet(architectures[name] as string).has(type));
  return found ?? "ARCH";
}

/** The plan of layers that see all keys, and that of windows, if it is another. */
export function mainAndLocal(model: SettingsModel, meant: readonly HubPlan[]): [HubPlan, HubPlan | undefined] {
  const main = Math.max(
    meant.findIndex((_, index) => !isLocal(model, index)),
    0,
  );
  return [meant[main] as HubPlan, meant.find((_, index) => index !== main)];
}

/**
 * Metadata and flags. `multiplier` is what the attention factor that follows from the file has to be multiplied by, `scoreScale`
 * mscale_all_dim where scores are multiplied by it.
 */
export function ggufKeys(
  [{ rotary, mrope }, local]: readonly [HubPlan, HubPlan | undefined],
  { architecture, multiplier, scoreScale }: { architecture: string; multiplier: number; scoreScale: number | null },
): { keys: Keys; flags: string[] } {
  const { base = 10000, dim, rotaryDim = dim } = rotary;
  const scaling = rotary.scaling ?? { type: "default" };
  const at = (key: string) => `${architecture}.rope.${key}`;
  const keys: Keys = { [at("freq_base")]: base, [at("dimension_count")]: rotaryDim };
  const flags = ["--rope-freq-base", String(base)];
  if (local) keys[at("freq_base_swa")] = local.rotary.base ?? 10000;
  if (mrope) keys[at("dimension_sections")] = [...mrope.sections, 0, 0, 0, 0].slice(0, 4);
  if (scaling.type === "default") flags.push("--rope-scaling", "none");
  if (scaling.type === "linear" || scaling.type === "yarn") {
    keys[at("scaling.type")] = scaling.type;
    keys[at("scaling.factor")] = scaling.factor;
    flags.push("--rope-scaling", scaling.type, "--rope-scale", String(scaling.factor));
  }
  if (scaling.type === "yarn") {
    const { originalLength, betaFast, betaSlow } = scaling;
    keys[at("scaling.original_context_length")] = originalLength;
    flags.push("--yarn-orig-ctx", String(originalLength));
    for (const [name, value] of Object.entries({ fast: betaFast, slow: betaSlow })) {
      if (value === undefined) continue;
      keys[at(`scaling.yarn_beta_${name}`)] = value;
      flags.push(`--yarn-beta-${name}`, String(value));
    }
    // A tenth, as the converter writes it.
    if (scoreScale !== null) keys[at("scaling.yarn_log_multiplier")] = 0.1 * scoreScale;
  }
  if (multiplier !== 1) {
    const key = at("scaling.attn_factor");
    keys[key] = multiplier;
    flags.push("--override-kv", `${key}=float:${multiplier}`);
  }
  if (scaling.type === "llama3") keys["rope_freqs.weight"] = "a tensor: what each frequency is divided by";
  if (scaling.type === "longrope") {
    keys[at("scaling.original_context_length")] = scaling.originalLength;
    keys["rope_factors_short.weight"] = "a tensor: short_factor";
    keys["rope_factors_long.weight"] = "a tensor: long_factor";
  }
  return { keys, flags };
}
