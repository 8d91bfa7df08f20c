// Compares two models: the traits that differ, in which layers, and the distance between their rotations.

import { options as checkOptions, whole as checkWhole } from "../base/check.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { rotary } from "../rotary/rotary-full.js";
import { rotaryDifference } from "../rotary/rotary-shift.js";
import type * as t from "../types/index.js";
import { type DecodedModel, modelOf } from "./model.js";
import { placesOf, planOfRun } from "./places.js";

/** The traits of a layer by the names of the published types; each is compared as a whole. */
function traitsOf(
  { plans, encoding, mask, secondEncodings }: DecodedModel,
  layers: t.ModelLayers,
): Record<string, unknown> {
  const plan = planOfRun(plans, layers);
  const known = plan || encoding.type !== "rotary" ? encoding : { type: "none" };
  return { ...plan?.rotary, ...plan, ...layers, mask, encoding: known, secondEncodings };
}

const traits = (
  "encoding base scaling attentionFactor layout inverse mrope dims mask reach temperature scale norm softcap " +
  "sinks indexer compression rotatesOutputs secondEncodings"
).split(" ") as readonly t.ComparedTrait[];

/** The traits that the code of a type fixes, of which a config says nothing where the type is not listed. */
const ofCode = "inverse temperature indexer compression rotatesOutputs secondEncodings".split(" ") as t.ComparedTrait[];

/** The traits of a model that are not known: all where its encoding is not. */
function notKnownOf({ encoding, plans, layers, mask, evidence }: DecodedModel): t.ComparedTrait[] {
  if (encoding.type === "unknown") return [...traits];
  const found: t.ComparedTrait[] = [];
  if (plans.some(({ rotary }) => rotary.layout === undefined)) found.push("layout", ...ofCode);
  if (mask === "unknown") found.push("mask");
  if (layers.some(({ reach }) => reach.type === "unknown")) found.push("reach");
  if (layers.some(({ scale }) => scale === null)) found.push("scale");
  for (const trait of ["norm", "softcap", "sinks"] as const)
    if (evidence.some((item) => item.trait === trait && item.known === "unknown")) found.push(trait);
  if (evidence.some(({ trait, known }) => trait === "encoding" && known === "assumed")) found.push("encoding");
  return found;
}

interface Pair {
  readonly a: t.ModelLayers;
  readonly b: t.ModelLayers;
  readonly count: number;
}

/** Runs of layers that are alike in both models, up to the number of layers of the shorter one. */
function pairsOf(a: DecodedModel, b: DecodedModel): Pair[] {
  const pairs: Pair[] = [];
  let atB = 0;
  let leftOfB = b.layers[0]?.count ?? 0;
  for (const first of a.layers) {
    let left = first.count;
    for (let second = b.layers[atB]; left > 0 && second !== undefined; second = b.layers[atB]) {
      let count = left;
      if (count > leftOfB) count = leftOfB;
      pairs.push({ a: first, b: second, count });
      left -= count;
      leftOfB -= count;
      if (leftOfB > 0) continue;
      atB += 1;
      leftOfB = b.layers[atB]?.count ?? 0;
    }
  }
  return pairs;
}

function differencesOf(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
  notKnown: readonly t.ComparedTrait[],
): t.TraitDifference[] {
  return traits
    .filter((what) => !notKnown.includes(what))
    .map((what) => ({ what, a: a[what] ?? null, b: b[what] ?? null }))
    .filter((pair) => JSON.stringify(pair.a) !== JSON.stringify(pair.b));
}

/** The default distances: powers of four up to the length. */
function distancesUpTo(length: number): number[] {
  const distances: number[] = [];
  for (let distance = 1; distance < length - 1; distance *= 4) distances.push(distance);
  if (length > 1) distances.push(length - 1);
  return distances;
}

export function compare(module: Module, first: t.Model, second: t.Model, given: t.CompareOptions = {}): t.Comparison {
  const read = checkOptions<t.CompareOptions>(given, ["distances", "length"], "compare");
  const distances =
    read.distances === undefined ? undefined : Array.from(is.numbers.read("distances", read.distances).values);
  const asked = read.length === undefined ? undefined : checkWhole("length", read.length);
  const [a, b] = [modelOf("a", first), modelOf("b", second)];
  const lengths = [a.length, b.length].filter((length) => length !== null);
  const length = asked ?? Math.max(1, lengths.length > 0 ? Math.min(...lengths) : 4096);
  const wanted = distances ?? distancesUpTo(length);

  function effectOf({ a: ofA, b: ofB }: Pair): t.ComparedEffect | null {
    const [ofOne, ofOther] = [planOfRun(a.plans, ofA), planOfRun(b.plans, ofB)];
    if (!ofOne || !ofOther || ofOne.inverse !== ofOther.inverse) return null;
    if (ofA.dims?.first !== ofB.dims?.first || ofA.dims?.count !== ofB.dims?.count) return null;
    const [one, other] = [ofOne.rotary, ofOther.rotary];
    // The distance between rotations is that of one layout, whichever it is.
    const layout = one.layout ?? other.layout ?? "half";
    const made = [one, other].map((plan) => rotary(module, { layout, ...plan, length }));
    try {
      return { distances: wanted, ...rotaryDifference(module, { a: made[0], b: made[1], distances: wanted }) };
    } finally {
      for (const rotation of made) rotation.delete();
    }
  }

  const unknown = [...notKnownOf(a), ...notKnownOf(b)];
  const found = new Map<string, { pairs: Set<Pair>; differences: t.TraitDifference[] }>();
  const pairs = pairsOf(a, b);
  const isKnown = (pair: Pair) => pair.a.plan !== "unknown" && pair.b.plan !== "unknown";
  const notKnown = traits.filter((trait) => unknown.includes(trait) || !pairs.every(isKnown));
  for (const pair of pairs.filter(isKnown)) {
    const differences = differencesOf(traitsOf(a, pair.a), traitsOf(b, pair.b), unknown);
    if (differences.length === 0) continue;
    const key = JSON.stringify(differences);
    const known = found.get(key) ?? { pairs: new Set(), differences };
    found.set(key, known);
    known.pairs.add(pair);
  }
  const differing = Array.from(found.values(), ({ pairs: alike, differences }) => ({
    layers: placesOf({ layers: pairs.map((pair) => ({ ...pair.a, count: pair.count })) }, (_, i) =>
      alike.has(pairs[i] as Pair),
    ),
    differences,
    effect: effectOf([...alike][0] as Pair),
  }));
  const count = ({ layers }: DecodedModel) => layers.reduce((sum, run) => sum + run.count, 0);
  return { layerCounts: [count(a), count(b)], differing, notKnown };
}
