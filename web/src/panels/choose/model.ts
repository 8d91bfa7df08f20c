import type { ModelLayers, PosencFull } from "posenc/full";
import published from "./published.json";
import { state } from "./state";

/** What a layer does about positions, as it is drawn. */
export interface Layer {
  readonly does: "rotates" | "none" | "recurrent" | "bias" | "added" | "unread";
  /** The share of a head's dimensions that rotate. */
  readonly share: number;
  /** Whether a query sees a window or a chunk alone. */
  readonly isNarrow: boolean;
}

/** A model as the library reads its published config.json; `source` in published.json is where its values were read. */
export type Published = ReturnType<typeof read>;

/** The shares of heads that rotate, each once. */
export const sharesOf = ({ layers }: Published) => [
  ...new Set(layers.filter(({ does }) => does === "rotates").map(({ share }) => share)),
];

export type Purpose = Exclude<typeof state.chooseFor.value, "all">;

/** Layers that keep a state in place of keys, or have none: no distance to encode. */
const recurrent = /linear|mamba|conv|mlp/;

function read(pe: PosencFull, { name, year, config }: (typeof published)[number]) {
  const { encoding, layers, plans, length, mask } = pe.model(config);
  const isBias = encoding.type === "alibi" || encoding.type === "t5";
  const shareOf = ({ dims, plan }: ModelLayers) => {
    const scaling = typeof plan === "number" ? plans[plan].rotary.scaling : undefined;
    const fraction = scaling?.type === "proportional" ? (scaling.fraction ?? 1) : 1;
    return dims ? (fraction * dims.count) / dims.dim : 0;
  };
  const does = ({ type, plan }: ModelLayers): Layer["does"] => {
    if (isBias) return "bias";
    if (encoding.type === "learned" || encoding.type === "sinusoidal") return "added";
    if (typeof plan === "number") return "rotates";
    // Where no layer has positions, the library does not read which of them attend.
    if (type === null) return "unread";
    return recurrent.test(type) ? "recurrent" : "none";
  };
  const all = layers.flatMap((run) => {
    const isNarrow = run.reach.type === "window" || run.reach.type === "chunk";
    return Array.from({ length: run.count }, () => ({ does: does(run), share: shareOf(run), isNarrow }));
  });
  const of = <T>(found: readonly T[]) => [...new Set(found)];
  const rules = of(plans.map(({ rotary }) => rotary.scaling?.type ?? "default")).filter((rule) => rule !== "default");
  const context = encoding.type === "learned" ? encoding.rows - encoding.firstRow : (length ?? undefined);
  const isMixed = all.some((layer) => layer.isNarrow || layer.does === "none" || layer.does === "unread");
  const isExtended = rules.some((rule) => rule !== "proportional");
  const isEncoder = mask !== "causal";
  const holds: Readonly<Record<Purpose, boolean>> = {
    short: !isEncoder && encoding.type === "rotary" && !isMixed && !isExtended && (context ?? 0) <= 40960,
    long: isMixed && (context ?? 0) >= 65536,
    extend: isExtended,
    untrained: isBias,
    encoder: isEncoder,
  };
  return {
    name,
    year,
    encoding: encoding.type,
    layers: all,
    /** The bases of its rotations, the largest first. */
    bases: of(plans.map(({ rotary }) => rotary.base as number)).sort((a, b) => b - a),
    rules,
    // The sizes of windows and chunks, in keys. Where no mask hides what comes later, a window is as wide to both sides.
    windows: of(layers.flatMap(({ reach }) => ("size" in reach ? [isEncoder ? 2 * reach.size - 1 : reach.size] : []))),
    /** Positions that the config names; a bias sets no limit. */
    context: isBias ? undefined : context,
    /** The purposes that it is an example of. */
    purposes: (Object.keys(holds) as Purpose[]).filter((purpose) => holds[purpose]),
  };
}

let all: Published[] | undefined;

/** The models by year, and those of the chosen purpose. */
export function model(pe: PosencFull) {
  all ??= published.map((one) => read(pe, one));
  const purpose = state.chooseFor.value;
  return { all, chosen: purpose === "all" ? all : all.filter(({ purposes }) => purposes.includes(purpose)) };
}
