import type { FrequencyList } from "posenc";
import type { HubConfig, HubPlan, PosencFull } from "posenc/full";
import { examples } from "./examples";
import { state } from "./state";

/** The text of the config that is shown. */
export function configText(): string {
  const family = state.configFamily.value;
  return family === "own" ? state.configText.value : JSON.stringify(examples[family].config, null, 2);
}

/** One plan with its frequencies before and after scaling. */
export interface Plan {
  readonly plan: HubPlan;
  readonly base: number;
  /** Lanes that rotate. */
  readonly rotated: number;
  readonly before: Float64Array;
  readonly after: FrequencyList;
  /** The training length, where the rule names it. */
  readonly originalLength: number | undefined;
  readonly needsLength: boolean;
}

export type Model =
  | { readonly kind: "empty" }
  | { readonly kind: "no-json" | "refused" | "too-large"; readonly message: string }
  | { readonly kind: "read"; readonly config: HubConfig; readonly plans: readonly Plan[]; readonly chosen: number };

/** Pairs that a chart can have; models have at most some hundred. */
const mostPairs = 4096;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function read(pe: PosencFull, plan: HubPlan): Plan {
  const { dim, rotaryDim = dim, exponent, exponentDim, scaling } = plan.rotary;
  // Always set in what the library returns.
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
    rotated: rotaryDim,
    before: pe.frequencies(options).data,
    after: pe.frequencies(scaled),
    originalLength: scaling && "originalLength" in scaling ? scaling.originalLength : undefined,
    needsLength,
  };
}

/** The plans of the config in the state, or why there are none. */
export function model(pe: PosencFull): Model {
  const text = configText().trim();
  if (text === "") return { kind: "empty" };
  let parsed: object;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { kind: "no-json", message: messageOf(error) };
  }
  try {
    const config = pe.hubConfig(parsed);
    if (config.plans.length === 0) return { kind: "refused", message: `encoding: ${JSON.stringify(config.encoding)}` };
    const pairs = Math.max(...config.plans.map(({ rotary }) => (rotary.rotaryDim ?? rotary.dim) / 2));
    if (pairs > mostPairs) return { kind: "too-large", message: String(pairs) };
    const plans = config.plans.map((plan) => read(pe, plan));
    return { kind: "read", config, plans, chosen: Math.min(state.configPlan.value, plans.length - 1) };
  } catch (error) {
    return { kind: "refused", message: messageOf(error) };
  }
}
