import { count, number, numbers, wrongType } from "./check.js";
import type { Borrower } from "./memory.js";
import type { Positions } from "./types/index.js";

/** Positions as the module takes them: a list's address, or 0 and an offset. */
export interface PositionArguments {
  list: number;
  count: number;
  offset: number;
}

export const positionKeys = ["length", "offset", "positions"] as const;

/** Lends a list of positions to the module, or passes a range on; `rangeCount` is the range's length. */
export function lendPositions(
  memory: Borrower,
  offset: number | undefined,
  list: ArrayLike<number> | undefined,
  rangeCount: number,
): PositionArguments {
  if (list === undefined) {
    return { list: 0, count: rangeCount, offset: offset === undefined ? 0 : number("offset", offset) };
  }
  if (offset !== undefined) throw wrongType("offset", offset, "nothing beside positions");
  const loan = memory.doublesFrom(numbers("positions", list), "positions");
  return { list: loan.address, count: loan.length, offset: 0 };
}

/** The same for an option set where the range's length is an option too. */
export function lendNamedPositions(memory: Borrower, { length, offset, positions }: Positions): PositionArguments {
  if (positions === undefined) {
    if (length === undefined) throw wrongType("length", length, "a whole number, or positions in its place");
    return lendPositions(memory, offset, undefined, count("length", length));
  }
  if (length !== undefined) throw wrongType("length", length, "nothing beside positions");
  return lendPositions(memory, offset, positions, 0);
}
