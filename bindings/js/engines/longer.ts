// The plans of a model for more tokens than it reads with its own rule, and what that rule is.

import type { LengthChange, SettingsModel } from "../types/engine-settings.js";
import type { Scaling } from "../types/frequencies.js";
import type { HubPlan } from "../types/hub.js";
import { modelSet } from "./model-lists.js";
import { yarnFactor } from "./predicates.js";
import trained from "./trained-lengths.json";

/** Lengths that a model was trained on and its config does not have. */
function trainedOf({ type, length, originalLength }: SettingsModel): [number | null, LengthChange["source"]] {
  if (originalLength !== null) return [originalLength, null];
  const row = trained.find((one) => one.length === length && modelSet(one.types).has(type ?? ""));
  if (!row) return [length, null];
  const { project, version, file } = row;
  return [row.trained, { project, version, file }];
}

/** Whether all layers of a plan see a window or a chunk alone, which no length makes longer. */
export const isLocal = ({ layers }: SettingsModel, plan: number): boolean => {
  const used = layers.filter((run) => run.plan === plan);
  return used.length > 0 && used.every(({ reach: { type } }) => type === "window" || type === "chunk");
};

/** The length that a model reads with its own rule. */
export function ownLength({ plans, length }: SettingsModel): number | null {
  const lengths = plans.map(({ rotary: { scaling } }) =>
    scaling?.type === "yarn" ? scaling.factor * scaling.originalLength : 0,
  );
  const longest = Math.max(length ?? 0, ...lengths);
  return longest > 0 ? longest : null;
}

const scaled = (plan: HubPlan, scaling: Scaling, attentionFactor: number): HubPlan => ({
  ...plan,
  attentionFactor,
  rotary: { ...plan.rotary, scaling },
});

/** The plans for `length` tokens; the model's own where its rule is enough, or where none is known. */
export function longerPlans(model: SettingsModel, length: number): { plans: HubPlan[]; change: LengthChange } {
  const own = ownLength(model);
  const change: LengthChange = { length, own, rule: "none", factor: null, originalLength: null, source: null };
  if (own !== null && length <= own) return { plans: model.plans, change };
  const [original, source] = trainedOf(model);
  let { rule: kind, factor, originalLength } = { ...change, rule: "not known" as LengthChange["rule"] };
  const plans = model.plans.map((plan, index) => {
    const scaling = plan.rotary.scaling ?? { type: "default" };
    if (isLocal(model, index) || own === null || original === null) return plan;
    if (scaling.type === "linear") {
      kind = "linear";
      factor = (scaling.factor * length) / own;
      return scaled(plan, { type: "linear", factor }, plan.attentionFactor);
    }
    if (scaling.type !== "yarn" && scaling.type !== "default") return plan;
    kind = "yarn";
    originalLength = scaling.type === "yarn" ? scaling.originalLength : original;
    factor = length / originalLength;
    const { attentionFactor: given, ...yarn } = scaling.type === "yarn" ? scaling : { type: "yarn" as const };
    const rule = { ...yarn, type: "yarn" as const, factor, originalLength };
    // One that does not follow from the factor is meant as it is (DeepSeek-V4 has 1, whatever the factor).
    const isFixed =
      given !== undefined &&
      Math.abs(given / yarnFactor(scaling.type === "yarn" ? scaling.factor : 1, yarn) - 1) > 0.02;
    return isFixed
      ? scaled(plan, { ...rule, attentionFactor: given }, given)
      : scaled(plan, rule, yarnFactor(factor, yarn));
  });
  const isUsed = originalLength === original && source !== null;
  return { plans, change: { ...change, rule: kind, factor, originalLength, source: isUsed ? source : null } };
}
