import { crc32, deflateSync } from "node:zlib";
import type { Posenc } from "posenc";
import { entry, palette } from "../src/draw/colour";

/** As those who show a link like it. */
const width = 1200;
const height = 630;
/** Pixels a cell. */
const cell = 6;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** The picture that is seen where a link is shared, as PNG: the table of the sinusoid, a column a position. */
export function sharePicture(pe: Posenc): Buffer {
  const dim = Math.ceil(height / cell / 2) * 2;
  const { data } = pe.sinusoidal({ length: width / cell, dim });
  const { packed } = palette("PuOr");
  // A line begins with its filter, none; a pixel is red, green, blue.
  const lines = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = packed[entry(data[Math.floor(x / cell) * dim + Math.floor(y / cell)])];
      lines.writeUIntLE(colour & 0xffffff, y * (1 + 3 * width) + 1 + 3 * x, 3);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // eight bits a channel, red, green, blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
