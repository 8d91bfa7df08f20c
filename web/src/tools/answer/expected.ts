import { configOf } from "posenc/files";
import type { ExpectedPlan, Layout, PosencTools, RotaryOptions } from "posenc/tools";
import type { Expected, Kind } from "../protocol";
import { Unreadable } from "./pasted";

/** Returns what was meant, for the library. */
export function expectedOf(pe: PosencTools, expected: Expected, kind: Kind): ExpectedPlan | undefined {
  if (expected.kind === "none") return undefined;
  if (expected.kind === "config") {
    let config: { readonly layout?: Layout } | null;
    try {
      config = configOf(expected.text);
    } catch (error) {
      throw new Unreadable("no-json", error instanceof Error ? error.message : "", "config", expected.text);
    }
    // No config has a layout; that of a .gguf file is written beside it.
    const layout = config?.layout;
    const model = layout === undefined ? pe.model(config as object) : pe.model({ ...config, layout: null }, { layout });
    const { layer, length } = expected;
    return { model, ...(layer >= 0 && { layer }), ...(length > 0 && { length }) };
  }
  if (kind === "table") {
    const { dim, base } = expected.plan;
    return { type: "sinusoidal", dim, ...(base !== undefined && { base }) };
  }
  if (kind === "bias") return { type: expected.bias };
  if (kind === "ids") return { type: "ids", preset: expected.preset };
  if (kind === "rotation" || kind === "outputs") return expected.plan;
  // A cache or frequencies are not asked for what they do not show.
  const { layout: _, ...shown } = expected.plan;
  return shown;
}

/** The plan of a layer, with the dimension that it begins at. */
export function planOf(
  expected: ExpectedPlan | undefined,
): { plan: RotaryOptions; firstDim: number; inverse: boolean } | undefined {
  if (!expected || "type" in expected) return undefined;
  if (!("model" in expected)) {
    const { firstDim = 0, inverse = false, layout = "half", ...all } = expected;
    const { dim, others: _, mrope: __, arithmetic: ___, offset: ____, positionScale: _____, ...plan } = all;
    return { plan: { dim, layout, ...plan }, firstDim, inverse };
  }
  const { model, layer, layout, length } = expected;
  let end = 0;
  const run = model.layers.find(({ count, plan }) => {
    end += count;
    return layer === undefined ? typeof plan === "number" : layer < end;
  });
  const index = run ? run.plan : 0;
  const found = typeof index === "number" ? model.plans[index] : undefined;
  if (!found) return undefined;
  const named = layout ?? found.rotary.layout;
  if (!named) return undefined;
  const plan = { ...found.rotary, layout: named, ...(length !== undefined && { length }) };
  return { plan, firstDim: run?.dims?.first ?? 0, inverse: found.inverse };
}
