// Explains a model: findings, each with its numbers, the key that it is about, and a sentence.

import { options as checkOptions, whole as checkWhole, has, isArray, isObject } from "../base/check.js";
import { languageOf } from "../base/language.js";
import type { ExplainOptions, Finding, FindingCode } from "../types/engines.js";
import type * as t from "../types/index.js";
import type { DecodedModel } from "./model.js";
import { placesOf } from "./places.js";
import { otherType, shorteningFactor } from "./rule-doubts.js";
import { type Texts, textsOf } from "./sentences.js";

type Numbers = { readonly [name: string]: number | string };

/** The values of a property of layers, each with the layers that have it. */
function eachValue<Value>(model: DecodedModel, of: (layers: t.ModelLayers) => Value | null): [Value, string][] {
  const keyOf = (layers: t.ModelLayers) => JSON.stringify(of(layers));
  const found = new Map<string, Value>();
  for (const layers of model.layers) {
    const value = of(layers);
    if (value !== null) found.set(JSON.stringify(value), value);
  }
  return Array.from(found, ([key, value]) => [value, placesOf(model, (layers) => keyOf(layers) === key)]);
}

/** Adds a finding; its sentence is made of `words` where these are other than its numbers. */
type Add = (kind: Finding["kind"], code: FindingCode, path: string, numbers?: Numbers, words?: Numbers) => void;

/** The key that says a trait, or another. */
function keyOf({ evidence }: DecodedModel, trait: t.KnownTrait, other: string, plan: number | null = null): string {
  const found = evidence.find((item) => item.trait === trait && item.plan === plan && item.known === "config");
  return found?.from ?? other;
}

function explainEncoding(model: DecodedModel, add: Add): void {
  const { encoding, path } = model;
  const { type } = encoding;
  if (type === "rotary") return;
  const kind = type === "unknown" ? "risk" : type === "shaw" ? "unusual" : "does";
  add(kind, type, keyOf(model, "encoding", `${path}model_type`), numbersOf(encoding));
}

const numbersOf = ({ type: _, ...given }: t.HubEncoding): Numbers =>
  Object.fromEntries(Object.entries(given).map(([name, of]) => [name, isArray(of) ? of.join(", ") : of]));

function explainSeconds({ secondEncodings, path }: DecodedModel, { sentences, second }: Texts, add: Add): void {
  for (const { of, encoding } of secondEncodings) {
    const numbers = { of, encoding: encoding.type, ...numbersOf(encoding) };
    const how = encoding.type === "unknown" ? second.unknown : sentences[encoding.type](numbers);
    const words = { of: second.of[of] ?? of, how };
    add(encoding.type === "unknown" ? "risk" : "unusual", "second", `${path}model_type`, numbers, words);
  }
}

function explainPlan(model: DecodedModel, plan: t.HubPlan, add: Add): void {
  const { rotary, path, layerType, attentionFactor, mrope } = plan;
  const index = model.plans.indexOf(plan);
  const used = model.layers.filter((layers) => layers.plan === index);
  const layers = placesOf(model, (run) => run.plan === index);
  const dims = used[0]?.dims ?? { first: 0, count: rotary.rotaryDim ?? rotary.dim, dim: rotary.dim };
  const at = (key: string) => (path === "" ? `${model.path}${key}` : `${path}${key}`);
  const base = keyOf(model, "base", `${model.path}rope_theta`, index);
  add("does", "rotary", base, {
    layers,
    layerType: layerType ?? "",
    base: rotary.base ?? 10000,
    ...dims,
  });
  if (dims.first > 0)
    add("unusual", "split-head", keyOf(model, "dims", `${model.path}qk_rope_head_dim`, index), { layers, ...dims });
  else if (dims.count < dims.dim)
    add("unusual", "partial", keyOf(model, "dims", at("partial_rotary_factor"), index), { layers, ...dims });
  const { layout } = rotary;
  if (layout === undefined) add("risk", "layout-unknown", `${model.path}model_type`, { layers });
  else add(layout === "deinterleaved" ? "unusual" : "does", "layout", `${model.path}model_type`, { layers, layout });
  if (plan.inverse) add("unusual", "inverse", `${model.path}model_type`, { layers });
  if (mrope) {
    const { sections, order } = mrope;
    const numbers = { layers, sections: sections.join(", "), order, axes: sections.length };
    add("unusual", "sections", at("mrope_section"), numbers);
  }
  const ofScores = attentionFactor ** 2;
  if (attentionFactor !== 1)
    add("does", "attention-factor", at("attention_factor"), { layers, factor: attentionFactor, ofScores });
  explainScaling(model, plan, at, add);
}

function explainScaling(model: DecodedModel, { rotary, path }: t.HubPlan, at: (key: string) => string, add: Add): void {
  const { scaling } = rotary;
  const { length, originalLength } = model;
  if (scaling === undefined || scaling.type === "default") {
    // Layers of their own may be meant as they are, where others have a rule.
    const isScaled = model.plans.some((plan) => (plan.rotary.scaling?.type ?? "default") !== "default");
    if (length !== null && originalLength !== null && length > originalLength && !isScaled)
      add("risk", "unscaled", `${model.path}max_position_embeddings`, { length, originalLength });
    return;
  }
  const {
    type,
    factor = 1,
    originalLength: trained,
  } = scaling as { type: string; factor?: number; originalLength?: number };
  add("does", "scaling", at("rope_type"), {
    type,
    factor,
    ...(trained === undefined ? {} : { originalLength: trained }),
  });
  if (type === "dynamic" || type === "longrope") add("risk", "length-dependent", at("rope_type"), { type });
  const needsLength = type === "yarn" || type === "longrope" || type === "llama3";
  // A dictionary for each layer type has a length of its own.
  const isNested = !/rope_(scaling|parameters)\.$/.test(path);
  if (needsLength && originalLength === null && !isNested) {
    add("risk", "original-length-missing", at("original_max_position_embeddings"), { type, length: length ?? 0 });
  } else if (type !== "llama3" && needsLength && length !== null && trained !== undefined) {
    const ratio = length / trained;
    // A factor for more than the config's length is how recipes extend a model: it covers what is read.
    if (ratio - factor > 0.01 * factor)
      add("risk", "factor-disagrees", at("factor"), { factor, ratio, length, originalLength: trained });
  }
}

function explainLayers(model: DecodedModel, add: Add): void {
  const { layers, path, ids, plans } = model;
  const count = layers.reduce((sum, run) => sum + run.count, 0);
  const still = layers.reduce((sum, run) => sum + (run.plan === null ? run.count : 0), 0);
  if (plans.length > 0 && still > 0) {
    const which = placesOf(model, (run) => run.plan === null);
    add("unusual", "layers-without", keyOf(model, "rotating", keyOf(model, "layers", `${path}layer_types`)), {
      layers: which,
      count: still,
      of: count,
    });
  }
  if (new Set(plans.map(({ rotary }) => rotary.base)).size > 1)
    add("unusual", "several-bases", keyOf(model, "base", `${path}rope_theta`, 0), { count: plans.length });
  const limited = ({ reach }: t.ModelLayers) => ("size" in reach ? reach : null);
  for (const [{ type, size }, which] of eachValue(model, limited)) {
    const code = type === "window" && model.mask === "bidirectional" ? "window-both" : type;
    add("does", code, keyOf(model, "reach", `${path}sliding_window`), { layers: which, size });
  }
  for (const [rule, which] of eachValue(model, (run) => run.temperature))
    add("unusual", "temperature", keyOf(model, "temperature", `${path}rope_parameters`), { layers: which, ...rule });
  for (const [{ scale, dim }, which] of eachValue(model, ({ scale, dims }) =>
    scale === null || dims === null ? null : { scale, dim: dims.dim },
  )) {
    const usual = 1 / Math.sqrt(dim);
    if (Math.abs(scale - usual) > 1e-12)
      add("unusual", "scale", keyOf(model, "scale", `${path}model_type`), { layers: which, scale, usual });
  }
  for (const [when, which] of eachValue(model, (run) => run.norm))
    add("unusual", "norm", keyOf(model, "norm", `${path}model_type`), { layers: which, when });
  for (const [cap, which] of eachValue(model, (run) => run.softcap))
    add("unusual", "softcap", `${path}attn_logit_softcapping`, { layers: which, cap });
  const sinks = placesOf(model, (run) => run.sinks);
  if (sinks !== "") add("unusual", "sinks", keyOf(model, "sinks", `${path}model_type`), { layers: sinks });
  for (const [{ dims, layout = "" }, which] of eachValue(model, (run) => run.indexer))
    add("unusual", "indexer", `${path}index_head_dim`, { layers: which, layout, ...dims });
  for (const [size, which] of eachValue(model, (run) => run.compression))
    add("unusual", "compression", `${path}compress_rates`, { layers: which, size });
  const back = placesOf(model, (run) => run.rotatesOutputs);
  if (back !== "") add("unusual", "rotates-outputs", `${path}model_type`, { layers: back });
  if (model.encoding.type === "unknown") return;
  if (ids.rule === null) add("risk", "ids-unknown", `${path}model_type`);
  else if (ids.rule !== "sequence") add("unusual", "ids", `${path}model_type`, { rule: ids.rule });
}

/** Adds what is known in the same way as one finding, what is not known as a risk. */
function explainEvidence({ evidence, path }: DecodedModel, texts: Texts, add: Add): void {
  for (const known of ["numbers", "config", "source", "assumed", "unknown"] as const) {
    // An encoding that is not known is a finding of its own.
    const alike = evidence.filter((item) => item.known === known && (item.trait !== "encoding" || known !== "unknown"));
    if (alike.length === 0) continue;
    const unique = (of: (item: t.Evidence) => string) => [...new Set(alike.map(of))];
    const from = alike[0]?.from ?? "";
    const shown = unique((item) => texts.trait(item.trait, known === "config" ? item.from : null)).join(texts.comma);
    add(
      known === "unknown" ? "risk" : "evidence",
      `known-${known}`,
      known === "config" ? from : `${path}model_type`,
      { traits: unique(({ trait }) => trait).join(", "), from },
      { traits: shown, from },
    );
  }
}

/** What a statement rests on: where one of these is assumed, so is the statement. Encodings rest on their kind. */
const traitsOf: { readonly [code in FindingCode]?: readonly t.KnownTrait[] } = {
  rotary: ["encoding", "rotating"],
  "attention-factor": ["encoding", "rotating"],
  partial: ["dims"],
  "split-head": ["dims"],
  sections: ["encoding"],
  "several-bases": ["base"],
  indexer: ["encoding"],
  compression: ["encoding"],
  "layers-without": ["rotating"],
  window: ["reach"],
  "window-both": ["reach"],
  chunk: ["reach"],
  inverse: ["encoding"],
  second: ["encoding"],
  "rotates-outputs": ["encoding"],
};

/** The key that a finding cites: where a config lacks it, what it would be in, or the type, whose default it is. */
function keyThatIsThere({ config, path }: t.Model, key: string): string {
  for (const cited of [key, `${path}model_type`])
    for (let keys = cited.split("."); keys.length > 0; keys = keys.slice(0, -1)) {
      let found: unknown = config;
      const isThere = keys.every((each) => {
        const [name = "", ...indices] = each.split(/[[\]]+/).filter(Boolean);
        found = [name, ...indices].reduce((of, at) => (isObject(of) && has(of, at) ? of[at] : undefined), found);
        return found !== undefined;
      });
      if (isThere && !path.startsWith(`${keys.join(".")}.`)) return keys.join(".");
    }
  return "model_type";
}

/** The order of findings. */
const kinds = ["risk", "unusual", "does", "evidence"];

/** The options, read. */
export function explainOptions(options: ExplainOptions): { language: "en" | "zh"; length: number | undefined } {
  const { language = "en", length } = checkOptions<ExplainOptions>(options, ["language", "length"], "explain");
  return { language: languageOf(language), length: length === undefined ? undefined : checkWhole("length", length) };
}

export function explained(given: t.Model, { language, length }: ReturnType<typeof explainOptions>): Finding[] {
  const texts = textsOf[language];
  const findings: Finding[] = [];
  const assumed = new Set<string>(given.evidence.flatMap(({ trait, known }) => (known === "assumed" ? trait : [])));
  const add: Add = (kind, code, key, numbers = {}, words = numbers) => {
    const path = code.endsWith("-missing") ? key : keyThatIsThere(given, key);
    const said = texts.sentences[code](words);
    const traits = traitsOf[code] ?? [code === given.encoding.type ? "encoding" : code];
    const isFact = kind === "risk" || kind === "evidence" || !traits.some((trait) => assumed.has(trait));
    findings.push({ kind, code, path, numbers, sentence: isFact ? said : texts.assumed(said) });
  };
  for (const path of given.otherCode) add("risk", "other-code", path, { path });
  explainEncoding(given, add);
  for (const plan of given.plans) {
    explainPlan(given, plan, add);
    const other = otherType(given.config, plan);
    if (other) add("risk", "types-disagree", `${plan.path}type`, other);
    const factor = shorteningFactor(plan);
    if (factor !== null) add("risk", "factor-below-one", `${plan.path}factor`, { factor });
  }
  explainSeconds(given, texts, add);
  explainLayers(given, add);
  explainEvidence(given, texts, add);
  if (length !== undefined && given.length !== null && length > given.length)
    add("risk", "too-long", `${given.path}max_position_embeddings`, { length, most: given.length });
  for (const path of given.unknownKeys.filter((key) => !given.otherCode.includes(key)))
    add("risk", "unknown-key", path, { path });
  return findings.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}
