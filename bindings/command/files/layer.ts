// The layer that --layer names: by its number, or as `explain` prints layers, by their type or their numbers.

import { placesOf, planOfRun } from "../../js/hub/places.js";
import type { HubPlan, Model } from "../../js/types/index.js";
import { type Given, textOf } from "../arguments.js";
import { UsageFailure } from "../failure.js";

/** A layer, and how its queries and keys rotate; without a number where the config does not have that of its layers. */
export interface NamedLayer {
  readonly layer: number | undefined;
  /** Undefined where they do not. */
  readonly plan: HubPlan | undefined;
  /** All layers that rotate so, "0-4, 6". */
  readonly places: string;
}

/** The first layer of each name; undefined where its number is not known. */
function namesOf({ layers, plans }: Model): Map<string, number | undefined> {
  const names = new Map<string, number | undefined>();
  let first = 0;
  for (const run of layers) {
    const places = placesOf({ layers }, ({ plan }) => plan === run.plan);
    for (const name of [run.type, planOfRun(plans, run)?.layerType, places])
      if (name && !names.has(name)) names.set(name, first);
    first += run.count;
  }
  for (const { layerType } of plans) if (layerType && !names.has(layerType)) names.set(layerType, undefined);
  return names;
}

/** The layer that is asked for, the first that rotates by default. */
export function layerOf(given: Given, { layers, plans }: Model): NamedLayer {
  const text = textOf(given, "layer");
  const count = layers.reduce((sum, run) => sum + run.count, 0);
  const at = (layer: number | undefined, plan: HubPlan | undefined): NamedLayer => ({
    layer,
    plan,
    places: placesOf({ layers }, (run) => plan !== undefined && planOfRun(plans, run) === plan),
  });
  if (text === undefined) {
    const first = layers.find((run) => planOfRun(plans, run));
    return at(undefined, first ? planOfRun(plans, first) : plans[0]);
  }
  const names = namesOf({ layers, plans } as Model);
  const isNumber = /^\d+$/.test(text) && (count === 0 || Number(text) < count);
  if (!isNumber && !names.has(text)) {
    const numbers = count === 0 ? "a number" : `a number from 0 to ${count - 1}`;
    const known = [...names.keys()].filter((name) => !/^\d+$/.test(name)).map((name) => JSON.stringify(name));
    const more = known.length > 0 ? `, or one of ${known.join(", ")}` : "";
    throw new UsageFailure(`--layer: ${JSON.stringify(text)}, expected ${numbers}${more}`);
  }
  const layer = isNumber ? Number(text) : names.get(text);
  if (layer === undefined)
    return at(
      layer,
      plans.find(({ layerType }) => layerType === text),
    );
  let first = 0;
  const run = layers.find((each) => {
    first += each.count;
    return layer < first;
  });
  return at(layer, run ? planOfRun(plans, run) : plans[0]);
}

/** The same, which has to rotate. */
export function rotatingLayer(given: Given, model: Model): NamedLayer & { readonly plan: HubPlan } {
  const named = layerOf(given, model);
  if (named.plan) return { ...named, plan: named.plan };
  throw new UsageFailure(`--layer: ${textOf(given, "layer") ?? "none"}, expected a layer that rotates`);
}
