import type { Tensor } from "posenc";
import type { Known } from "../core/computation";
import { exactly } from "../core/format";
import type { PanelCode } from "../core/panel";

/* What panels tell their code with. */

/** The code of a figure that computes this; what writes it is fetched when a reader asks for it. */
export const coded = (computation: PanelCode["computation"]): PanelCode => ({ computation, fetch: () => import(".") });

/** Numbers of a result of two axes, by row and column. */
export function known(of: string, { data, shape }: Tensor, places: readonly (readonly [number, number])[]): Known[] {
  const width = shape[shape.length - 1];
  return places.map((at) => ({ of, at, is: exactly(data[at[0] * width + at[1]]) }));
}

/** The largest magnitude among numbers, and 1 at least: what roundings grow with. */
export const sizeOf = (...all: readonly ArrayLike<number>[]): number =>
  all.reduce(
    (most, values) => Array.from(values).reduce((larger, value) => Math.max(larger, Math.abs(value)), most),
    1,
  );
