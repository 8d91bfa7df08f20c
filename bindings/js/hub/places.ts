// Layers by their indices, as sentences name them.

import type * as t from "../types/index.js";

/** The plan of layers; undefined where they do not rotate, or where that is not known. */
export const planOfRun = (plans: readonly t.HubPlan[], { plan }: t.HubLayers) => plans[Number(plan ?? -1)];

/** The indices of some layers as text: "0-4, 6". */
export function placesOf<Run extends { readonly count: number } = t.ModelLayers>(
  { layers: all }: { readonly layers: readonly Run[] },
  has: (layers: Run, run: number) => boolean,
): string {
  const runs: [number, number][] = [];
  let first = 0;
  for (const [run, layers] of all.entries()) {
    const last = first + layers.count - 1;
    const before = runs.at(-1);
    const is = has(layers, run);
    if (is && before && before[1] === first - 1) before[1] = last;
    else if (is) runs.push([first, last]);
    first = last + 1;
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
