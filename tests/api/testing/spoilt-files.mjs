// Files with bytes changed at random: whoever reads them gives a result or a RangeError that names the file.

import assert from "node:assert/strict";
import { random } from "../../robust/random.mjs";

/** A source that counts what is read of it, and fails where it is read outside. */
export function watched(bytes, name = "file") {
  const source = {
    name,
    size: bytes.length,
    read: 0,
    slice(from, to) {
      assert.ok(from >= 0 && from <= to && to <= bytes.length, `read from ${from} to ${to} of ${bytes.length} bytes`);
      source.read += to - from;
      return { arrayBuffer: async () => Uint8Array.from(bytes.subarray(from, to)).buffer };
    },
  };
  return source;
}

/** Values at which lengths and offsets go wrong. */
const extremes = [0n, 1n, 2n ** 16n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];

function spoilt(bytes, below) {
  const made = Buffer.from(bytes);
  for (let i = 0; i <= below(3); ++i) {
    const at = below(made.length);
    const way = below(4);
    if (way === 0) made[at] = below(256);
    else if (way === 1) made[at] ^= 1 << below(8);
    else if (way === 2 && at + 8 <= made.length) made.writeBigUInt64LE(extremes[below(extremes.length)], at);
    else if (way === 3) made.copyWithin(at, below(made.length));
  }
  return below(4) === 0 ? made.subarray(0, below(made.length)) : made;
}

/** Reads so many spoilt files. What `read` gives is looked at by nobody: whether it gives something is what counts. */
export async function readSpoilt(bytes, read, { count = 2000, seed = 1, name = "file" } = {}) {
  let refused = 0;
  for (let number = 0; number < count; ++number) {
    const content = spoilt(bytes, random(seed, number));
    const source = watched(content, name);
    try {
      await read(source);
    } catch (error) {
      const isOwn = error.constructor === RangeError && error.message.startsWith(name);
      assert.ok(isOwn, `seed ${seed}, file ${number}: ${error.stack}`);
      ++refused;
    }
    assert.ok(
      source.read <= 64 * (content.length + 2 ** 10),
      `seed ${seed}, file ${number}: ${source.read} bytes read`,
    );
  }
  assert.ok(refused > count / 20 && refused < count, `${refused} of ${count} were refused`);
}
