// Fields of a protobuf message, in a file of any size: values of numbers, and where the others are. A walk of our own,
// because libraries take the whole message in memory, weights and all.

import type { Walker } from "./walker.js";

/** One field: its number, and its value or the place of its bytes. */
export interface Field {
  readonly number: number;
  /** 0: a whole number; 1 and 5: eight and four bytes; 2: a text, list or message. */
  readonly wire: number;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

async function byteOf(walker: Walker, to: number): Promise<number> {
  if (walker.place >= to) throw walker.fail(`damaged at byte ${to}: a number goes on behind its message`);
  if (!walker.has(1)) await walker.need(1);
  return walker.take(1, (view, at) => view.getUint8(at));
}

/** A number in seven bits a byte, the lowest first: 64 bits, two's complement. */
export async function varint(walker: Walker, to: number): Promise<number> {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = await byteOf(walker, to);
    if (shift === 0n && byte < 128) return byte;
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return Number(BigInt.asIntN(64, value));
  }
  throw walker.fail(`damaged at byte ${walker.place}: a number of more than 64 bits`);
}

/** The fields of the message that ends at `to`; what is not read of one is passed over. */
export async function* fieldsOf(walker: Walker, to: number): AsyncGenerator<Field> {
  while (walker.place < to) {
    const key = await varint(walker, to);
    const [number, wire] = [Math.floor(key / 8), key % 8];
    if (number < 1 || number >= 2 ** 29 || !(wire === 0 || wire === 1 || wire === 2 || wire === 5))
      throw walker.fail(`damaged at byte ${walker.place}: a field ${number} of the wire type ${wire}`);
    if (wire === 0) {
      const value = await varint(walker, to);
      yield { number, wire, value, from: walker.place, to: walker.place };
      continue;
    }
    const length = wire === 2 ? await varint(walker, to) : wire === 1 ? 8 : 4;
    const [from, end] = [walker.place, walker.place + length];
    if (length < 0 || end > to)
      throw walker.fail(`damaged at byte ${from}: ${length} bytes, expected at most ${to - from}`);
    yield { number, wire, value: length, from, to: end };
    walker.skip(end - walker.place);
  }
}

/** A text, no longer than `most` bytes. */
export async function textOf(walker: Walker, { value: length }: Field, what: string, most: number): Promise<string> {
  if (length > most) throw walker.fail(`${what} of ${length} bytes, expected at most ${most}`);
  await walker.need(length);
  return walker.utf8(length, what);
}
