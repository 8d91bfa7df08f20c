// The memory of kept keys and values: bytes a token and layer, and at a length.

import { isArray } from "../base/check.js";
import { type Json, own, type ParsedConfig } from "../hub/parsed-config.js";
import { placesOf } from "../hub/places.js";
import type { DType } from "../types/base.js";
import type { KeyCache, LayerCache, SettingsModel } from "../types/engine-settings.js";
import type { ModelLayers } from "../types/hub.js";
import perQueryHead from "./cache-heads.json";
import { modelSet } from "./model-lists.js";

const bytesOf: { readonly [type in DType]: number } = { float32: 4, float16: 2, bfloat16: 2 };

const whole = (of: Json, ...names: string[]): number | undefined =>
  names.map((name) => own(of, name)).find((value): value is number => Number.isInteger(value) && (value as number) > 0);

/** Layers that keep a state of a fixed size in place of keys and values. */
const keepsState = (type: string | null): boolean =>
  type !== null && /linear|mamba|recurrent|conv|delta|rwkv/.test(type);

/** Layers that are alike; `keyHeads` where they have a number of heads of their own. */
interface Run extends ModelLayers {
  readonly keyHeads: number | undefined;
  readonly isShared: boolean;
}

/** Where a config has them layer by layer: OpenELM's, DeciLM's, and those of .gguf files. */
function headsOfLayers(text: Json): readonly unknown[] {
  const names = ["num_key_value_heads", "num_kv_heads", "num_key_value_heads_per_layer"];
  return names.map((name) => own(text, name)).find(isArray) ?? [];
}

/** Numbers kept for a token in a layer, and expanded where they are compressed; or the key that is missing. */
function numbersOf(
  { text, type: model }: ParsedConfig,
  { type, dims, keyHeads }: Run,
): { kept: number; expanded: number | null } | string {
  const heads = whole(text, "num_attention_heads", "n_head", "n_heads");
  const rank = whole(text, "kv_lora_rank");
  const rotated = whole(text, "qk_rope_head_dim");
  if (rank !== undefined && rotated !== undefined) {
    const [still, values] = [whole(text, "qk_nope_head_dim"), whole(text, "v_head_dim")];
    const isWhole = heads !== undefined && still !== undefined && values !== undefined;
    return { kept: rank + rotated, expanded: isWhole ? heads * (still + rotated + values) : null };
  }
  const isGlobal = type === "full_attention";
  const global = isGlobal ? whole(text, "num_global_key_value_heads") : undefined;
  const isSingle = own(text, "multi_query") === true && own(text, "new_decoder_architecture") !== true;
  const named = whole(text, "num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", "multi_query_group_num");
  const byDefault = modelSet(perQueryHead.types).has(model) ? heads : undefined;
  const kept = keyHeads ?? global ?? (isSingle ? 1 : (named ?? byDefault));
  if (kept === undefined) return "num_key_value_heads";
  const width = whole(text, "hidden_size", "n_embd", "d_model");
  const split = heads !== undefined && width !== undefined ? width / heads : undefined;
  const wide = isGlobal ? whole(text, "global_head_dim") : undefined;
  const dim = wide ?? whole(text, "head_dim") ?? dims?.dim ?? split;
  if (dim === undefined || !Number.isInteger(dim)) return "head_dim";
  return { kept: kept * (dim + (whole(text, "v_head_dim") ?? dim)), expanded: null };
}

/** Runs of layers, cut where those begin that read the cache of an earlier one, and where heads are listed by layer. */
function runsOf({ layers }: SettingsModel, text: Json): Run[] {
  const heads = headsOfLayers(text);
  const shared = layers.reduce((sum, run) => sum + run.count, 0) - (whole(text, "num_kv_shared_layers") ?? 0);
  const cuts = [...new Set([shared, ...heads.keys()])].sort((a, b) => a - b);
  let end = 0;
  return layers.flatMap((run) => {
    const start = end;
    end += run.count;
    const bounds = [start, ...cuts.filter((cut) => cut > start && cut < end), end];
    return bounds.slice(0, -1).map((from, i) => {
      const keyHeads = Number.isInteger(heads[from]) ? (heads[from] as number) : undefined;
      return { ...run, count: (bounds[i + 1] as number) - from, isShared: from >= shared, keyHeads };
    });
  });
}

/** Like layers are one entry, in the order of their first. */
function joined(found: readonly LayerCache[]): LayerCache[] {
  const groups = new Map<string, LayerCache[]>();
  for (const one of found) {
    const key = JSON.stringify([one.kind, one.bytesPerToken, one.most]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Array.from(groups.values(), (runs) => {
    const one = runs[0] as LayerCache;
    const sum = (of: (run: LayerCache) => number | null) => runs.reduce((total, run) => total + (of(run) ?? 0), 0);
    const bytes = one.bytes === null ? null : sum((run) => run.bytes);
    return {
      ...one,
      layers: placesOf({ layers: found }, (run) => runs.includes(run)),
      count: sum((run) => run.count),
      bytes,
    };
  });
}

export function keyCacheOf(model: SettingsModel, config: ParsedConfig, length: number | undefined): KeyCache {
  const { dtype, text } = config;
  const bytes = bytesOf[dtype];
  const cache: KeyCache = {
    dtype,
    layers: [],
    bytesPerToken: 0,
    bytes: length === undefined ? null : 0,
    expandedBytes: null,
    missing: null,
  };
  if (model.mask === "bidirectional") return cache;
  if (model.layers.length === 0) return { ...cache, bytes: null, missing: `${model.path}num_hidden_layers` };
  let expanded = 0;
  const found: LayerCache[] = [];
  for (const run of runsOf(model, text)) {
    const numbers = numbersOf(config, run);
    if (typeof numbers === "string")
      return { ...cache, layers: [], bytesPerToken: 0, bytes: null, missing: `${model.path}${numbers}` };
    const isState = keepsState(run.type) || run.keyHeads === 0;
    const isKept = !isState && !run.isShared;
    const isLatent = own(text, "kv_lora_rank") !== undefined;
    const most = isKept && "size" in run.reach ? run.reach.size : null;
    // Where it is not known which keys a layer needs, nor is the sum.
    if (isKept && run.reach.type === "unknown") cache.bytes = null;
    const perToken = isKept ? bytes * numbers.kept : 0;
    const tokens = length === undefined ? null : Math.min(length, most ?? length);
    if (most === null) cache.bytesPerToken += run.count * perToken;
    if (tokens !== null && cache.bytes !== null) cache.bytes += run.count * tokens * perToken;
    if (numbers.expanded !== null && tokens !== null) expanded += run.count * tokens * bytes * numbers.expanded;
    found.push({
      layers: "",
      count: run.count,
      kind: run.isShared ? "shared" : isState ? "state" : isLatent ? "latent" : "keys-values",
      bytesPerToken: perToken,
      most,
      bytes: tokens === null ? null : run.count * tokens * perToken,
    });
  }
  return { ...cache, layers: joined(found), expandedBytes: expanded > 0 ? expanded : null };
}
