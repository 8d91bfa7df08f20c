import { count, product, wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { View } from "../base/view.js";
import type * as t from "../types/index.js";

/**
 * Holds a list of positions as a call reads it: [count], or [batch, sequence] where each row of a batch has its own.
 */
type ReadPositions = View<ArrayLike<number>>;

/** The numbers and their shape, of one axis or two. */
export const positionList: is.Kind<t.PositionList, ReadPositions> = {
  is: "positions",
  read(argument, list) {
    const view = is.shapedNumbers(argument, list);
    if (view.shape.length !== 1 && view.shape.length !== 2)
      throw wrongValue(`${argument}.shape`, view.shape, expected.shape, { shape: "[sequence] or [batch, sequence]" });
    return view;
  },
  write(block, read, argument) {
    is.numbers.write(block, read, argument);
    block.number(read?.shape.length === 2 ? (read.shape[0] as number) : Number.NaN);
  },
};

/** Positions as a list, or as consecutive ones from an offset on. */
export const positionFields = { offset: is.optional(is.number), positions: is.optional(positionList) };

/** Reads them where the number of consecutive ones is an option, too. */
export const namedPositionFields = { length: is.optional(is.whole), ...positionFields };

interface Given {
  length?: number | undefined;
  offset: number | undefined;
  positions: ReadPositions | undefined;
}

/** The shape of what has a row for each position. */
export function positionShape({ length, offset, positions }: Given): readonly number[] {
  if (positions === undefined) {
    if (length === undefined) throw wrongType("length", length, expected.whole, {}, ", or positions in its place");
    return [count("length", length)];
  }
  if (length !== undefined) throw wrongType("length", length, expected.nothing, {}, " beside positions");
  refuseOffset({ offset, positions });
  return positions.shape;
}

/** How many there are, whatever their shape. */
export const positionCount = (read: Given): number => product(positionShape(read));

export function refuseOffset({ offset, positions }: Omit<Given, "length">): void {
  if (positions !== undefined && offset !== undefined)
    throw wrongType("offset", offset, expected.nothing, {}, " beside positions");
}
