import { configOf } from "posenc/files";
import type { HubPlan, Model as LibraryModel, PosencFull } from "posenc/full";
import { significant } from "../../core/format";
import { examples } from "./examples";
import { state } from "./state";

export const six = (value: number) =>
  Number.isFinite(value) ? significant(value, Math.max(6, Math.ceil(Math.log10(Math.abs(value) || 1)))) : "∞";

type Family = typeof state.configFamily.value;

const textOf = (family: Family, own: string) =>
  family === "own" ? own : JSON.stringify(examples[family].config, null, 2);

/** The text of the config that is shown. */
export const configText = (): string => textOf(state.configFamily.value, state.configText.value);

/** The text of the one that it is compared with; none if it is not. */
export function otherText(): string | undefined {
  const family = state.configOther.value;
  return family === "none" ? undefined : textOf(family, state.configOtherText.value);
}

export type Model =
  | { readonly kind: "empty" }
  | { readonly kind: "no-json" | "refused"; readonly text: string; readonly error: unknown }
  | { readonly kind: "too-large"; readonly pairs: number }
  | {
      readonly kind: "read";
      readonly model: LibraryModel;
      readonly plans: readonly ReturnType<typeof read>[];
      readonly chosen: number;
    };

/** Pairs that a chart can have; models have at most some hundred. */
const mostPairs = 4096;

/** One plan with its frequencies before and after scaling. */
function read(pe: PosencFull, plan: HubPlan) {
  const { dim, rotaryDim = dim, exponent, exponentDim, scaling } = plan.rotary;
  // The library always sets it.
  const base = plan.rotary.base as number;
  const needsLength = scaling?.type === "dynamic" || scaling?.type === "longrope";
  const options = {
    dim: rotaryDim,
    base,
    ...(exponent !== undefined && { exponent }),
    ...(exponentDim !== undefined && { exponentDim }),
  };
  const scaled = { ...options, ...(scaling && { scaling }), ...(needsLength && { length: state.configLength.value }) };
  return {
    plan,
    base,
    /** Dimensions that rotate. */
    rotated: rotaryDim,
    before: pe.frequencies(options).data,
    after: pe.frequencies(scaled),
    /** The training length, where the rule names it. */
    originalLength: scaling && "originalLength" in scaling ? scaling.originalLength : undefined,
    needsLength,
  };
}

/** Parses a config: its plans, or why there are none. */
export function readModel(pe: PosencFull, text: string): Model {
  if (text.trim() === "") return { kind: "empty" };
  let parsed: object;
  try {
    parsed = configOf(text);
  } catch (error) {
    return { kind: "no-json", text, error };
  }
  try {
    const model = pe.model(parsed);
    const pairs = Math.max(0, ...model.plans.map(({ rotary }) => (rotary.rotaryDim ?? rotary.dim) / 2));
    if (pairs > mostPairs) return { kind: "too-large", pairs };
    const plans = model.plans.map((plan) => read(pe, plan));
    return { kind: "read", model, plans, chosen: Math.min(state.configPlan.value, plans.length - 1) };
  } catch (error) {
    return { kind: "refused", text, error };
  }
}
