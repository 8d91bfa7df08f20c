import { shape as checkShape, count, number, numbers, product, wrongType, wrongValue } from "./check.js";
import type { Borrower, Loan } from "./memory.js";
import type { PositionList, Positions } from "./types/index.js";

/** Positions as the module takes them: a list's address, or 0 and an offset. */
export interface PositionArguments {
  list: number;
  count: number;
  offset: number;
  /** [count], or [batch, sequence] where each row of a batch has its own. */
  shape: number[];
}

export const positionKeys = ["length", "offset", "positions"] as const;

/** The numbers and their shape, of one axis or two. */
function read(list: PositionList): { data: ArrayLike<number>; shape: number[] } {
  if (list === null || typeof list !== "object" || !("shape" in list)) {
    const data = numbers("positions", list);
    return { data, shape: [data.length] };
  }
  const data = numbers("positions.data", list.data);
  const shape = checkShape("positions.shape", list.shape);
  if (shape.length !== 1 && shape.length !== 2) {
    throw wrongValue("positions.shape", shape, "[sequence] or [batch, sequence]");
  }
  const size = product(shape);
  if (data.length !== size) throw wrongValue("positions.data", data.length, `${size} values for its shape`);
  return { data, shape };
}

/** Lends a list of positions to the module, or passes a range on; `rangeCount` is the range's length. */
export function lendPositions(
  memory: Borrower,
  offset: number | undefined,
  list: PositionList | undefined,
  rangeCount: number,
): PositionArguments {
  if (list === undefined) {
    const first = offset === undefined ? 0 : number("offset", offset);
    return { list: 0, count: rangeCount, offset: first, shape: [rangeCount] };
  }
  if (offset !== undefined) throw wrongType("offset", offset, "nothing beside positions");
  const { data, shape } = read(list);
  const loan = memory.doublesFrom(data, "positions");
  return { list: loan.address, count: loan.length, offset: 0, shape };
}

/** The same for an option set where the range's length is an option too. */
export function lendNamedPositions(
  memory: Borrower,
  { length, offset, positions }: Omit<Positions, "positions"> & { positions?: PositionList },
): PositionArguments {
  if (positions === undefined) {
    if (length === undefined) throw wrongType("length", length, "a whole number, or positions in its place");
    return lendPositions(memory, offset, undefined, count("length", length));
  }
  if (length !== undefined) throw wrongType("length", length, "nothing beside positions");
  return lendPositions(memory, offset, positions, 0);
}

/** The five numbers by which the module's rotations know positions; `everywhere`: one position, which is the offset. */
export function lendPacked(
  memory: Borrower,
  { list, count, offset, shape }: PositionArguments,
  everywhere = false,
): Loan {
  const lists = shape.length === 2 ? (shape[0] as number) : Number.NaN;
  return memory.doublesFrom([list, count, offset, lists, Number(everywhere)], "positions");
}
