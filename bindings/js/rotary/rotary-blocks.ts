// Large arrays of the caller's own, rotated block by block: each is copied into the module's memory, rotated and copied
// back while it is in the processor's cache. The module then needs memory for one block, and the bits are the same.

import { product } from "../base/check.js";
import type { Values, View } from "../base/view.js";

/** From so many bytes on. */
const large = 1 << 20;

/** So many bytes at most, if a token's dimensions are not more: half of the second-level cache of most processors. */
const blockBytes = 1 << 19;

/** A call of `apply`, as it was read. */
interface Read {
  readonly x: View<Values>;
  readonly shape: readonly number[];
  readonly seqAxis?: number | undefined;
  readonly dimAxis?: number | undefined;
  readonly batchAxis?: number | undefined;
  readonly positions?: unknown;
  readonly offset?: number | undefined;
}

/** The part of a call that a block is; of it the axis of the sequence is not negative. */
export interface RotaryBlock {
  readonly x: Values;
  readonly shape: number[];
  readonly seqAxis: number;
  readonly offset: number;
}

/** A block of no values whose tokens are all those of the call: it is refused for every reason but the values' number. */
function emptyBlock(x: Values, shape: readonly number[], seqAxis: number, offset: number): RotaryBlock {
  if (shape.length === 2) return { x, shape: [0, ...shape], seqAxis: 1, offset };
  const other = seqAxis === 0 ? 1 : 0;
  return { x, shape: shape.map((extent, axis) => (axis === other ? 0 : extent)), seqAxis, offset };
}

/** The blocks of a large call, the first without values; none where it goes through the memory as a whole. */
export function* rotaryBlocks(read: Read): Generator<RotaryBlock> {
  const { x, shape, dimAxis, batchAxis, positions, offset = 0 } = read;
  const last = shape.length - 1;
  const given = read.seqAxis ?? (last === 1 ? 0 : last);
  const seqAxis = given < 0 ? given + last + 1 : given;
  const isPlain = dimAxis === undefined && batchAxis === undefined && positions === undefined;
  if (!isPlain || x.byteLength < large || !(seqAxis >= 0 && seqAxis < last) || product(shape) !== x.length) return;
  // Others would be rounded in another order: to an offset a token's index is added, and no part of it first.
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(offset + (shape[seqAxis] as number))) return;

  const width = x.byteLength / x.length;
  const behind = (axis: number) => product(shape.slice(axis + 1));
  let axis = 0; // The one that is cut: of those in front of it a block has one index.
  while (axis < last - 1 && behind(axis) * width > blockBytes) ++axis;
  const size = behind(axis);
  const extent = shape[axis] as number;
  const step = Math.max(1, Math.floor(blockBytes / (size * width)));
  const Kind = x.type === "Float32Array" ? Float32Array : Uint16Array;

  yield emptyBlock(new Kind(0), shape, seqAxis, offset);
  for (let index = 0; index < x.length / (size * extent); ++index) {
    for (let first = 0; first < extent; first += step) {
      const count = Math.min(step, extent - first);
      const start = (index * extent + first) * size;
      const token =
        seqAxis < axis
          ? Math.floor(index / product(shape.slice(seqAxis + 1, axis))) % (shape[seqAxis] as number)
          : seqAxis === axis
            ? first
            : 0;
      yield {
        x: new Kind(x.buffer as ArrayBuffer, x.byteOffset + start * width, count * size),
        shape: shape.map((whole, i) => (i < axis ? 1 : i === axis ? count : whole)),
        seqAxis,
        offset: offset + token,
      };
    }
  }
}
