import type { Tensor } from "posenc";
import type { Known, Step } from "../core/computation";
import { exactly } from "../core/format";
import type { PanelCode } from "../core/panel";

/** Describes the code of a figure; the module that writes it is fetched when a reader asks for code. */
export const coded = <Given extends unknown[]>(computation: PanelCode<Given>["computation"]): PanelCode<Given> => ({
  computation,
  fetch: () => import("."),
});

/** Lists numbers of a matrix, each by row and column, to compare a program's results with. */
export function known(of: string, { data, shape }: Tensor, places: readonly (readonly [number, number])[]): Known[] {
  const width = shape[shape.length - 1];
  return places.map((at) => ({ of, at, is: exactly(data[at[0] * width + at[1]]) }));
}

/** Vectors of the plane, each rotated by its angle in degrees. */
export const rotatedInPlane = (name: string, of: string, degrees: readonly number[]): Step => ({
  name,
  does: "rotate",
  of,
  layout: "interleaved",
  base: 10000,
  by: { degrees },
});

/** The largest magnitude among numbers, and at least 1: rounding errors grow with it. */
export const sizeOf = (...all: readonly ArrayLike<number>[]): number =>
  all.reduce(
    (most, values) => Array.from(values).reduce((larger, value) => Math.max(larger, Math.abs(value)), most),
    1,
  );
