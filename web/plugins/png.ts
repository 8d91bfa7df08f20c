import { crc32, deflateSync } from "node:zlib";

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Encodes opaque pixels, four bytes each (red, green, blue, alpha), as a PNG file. */
export function png(width: number, height: number, pixels: Uint8ClampedArray): Buffer {
  // Each line begins with the number of its filter, 0 for none.
  const lines = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0, to = 0, from = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, to += 3, from += 4) lines.set(pixels.subarray(from, from + 3), to);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // eight bits a channel; red, green, blue
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
