// NumPy's .npz: a zip archive of .npy files. What is stored as it is, is read in parts, as a file is; what is compressed
// can be read from its beginning only. The archive's directory is short enough to be read here, and libraries for it want
// all of the file in memory.

import { quoted } from "../base/check.js";
import * as expected from "../base/expected.js";
import type { FileArray } from "../types/files.js";
import { checked } from "./crc32.js";
import type { Listed } from "./file-array.js";
import { inflated } from "./inflated.js";
import { npyArray } from "./npy-array.js";
import { mostBytes, partOf, type Section, wrongFile } from "./section.js";

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
  readonly crc: number;
}

/** Marks of a zip file's records, as numbers; sizes of their fixed parts in bytes. */
const [endMark, end64Mark, entryMark, fileMark] = [0x06054b50, 0x06064b50, 0x02014b50, 0x04034b50];
const [endSize, end64Size, placeSize, entrySize, fileSize] = [22, 56, 20, 46, 30];
const [stored, deflated] = [0, 8];

/** A comment, which can follow the last record, gives its length two bytes. */
const longestComment = 0xffff;

/** In the place of numbers that do not fit: the format's 64-bit extension. */
const tooLarge = 0xffffffff;

/** A directory is no longer: arrays in an archive are few. */
const longestDirectory = 2 ** 24;

const viewOf = async (archive: Section, from: number, size: number) =>
  new DataView(await archive.read(from, from + size));

/** A number of 64 bits, of which a double holds 53. */
const long = (view: DataView, at: number) => Number(view.getBigUint64(at, true));

/** The directory of an archive, which is at its end. */
async function directoryOf(archive: Section): Promise<DataView> {
  const { name: file, size } = archive;
  const from = Math.max(0, size - endSize - longestComment);
  const last = await viewOf(archive, from, size - from);
  let end = last.byteLength - endSize;
  while (end >= 0 && last.getUint32(end, true) !== endMark) --end;
  if (end < 0) throw wrongFile(file, "no .npz file: a zip archive's end is missing (truncated?)");
  let [length, at] = [last.getUint32(end + 12, true), last.getUint32(end + 16, true)];
  // Archives of more than 4 GiB have a second end in front of this one, and its place between them.
  if ((at === tooLarge || length === tooLarge) && end >= placeSize) {
    const place = long(last, end - 12);
    const wide = place + end64Size <= size ? await viewOf(archive, place, end64Size) : undefined;
    if (wide?.getUint32(0, true) !== end64Mark) throw wrongFile(file, "a zip archive whose directory is missing");
    [length, at] = [long(wide, 40), long(wide, 48)];
  }
  if (length > longestDirectory || at + length > size)
    throw wrongFile(file, `a zip archive with a directory of ${length} bytes at ${at}, beyond its ${size} bytes`);
  return viewOf(archive, at, length);
}

function* entriesOf(file: string, view: DataView): Generator<Entry> {
  const broken = () => wrongFile(file, "a zip archive whose directory is damaged");
  for (let at = 0; at < view.byteLength; ) {
    if (at + entrySize > view.byteLength || view.getUint32(at, true) !== entryMark) throw broken();
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ];
    const behind = at + entrySize + nameLength + extraLength;
    if (behind + commentLength > view.byteLength) throw broken();
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + entrySize, nameLength));
    const numbers = [24, 20, 42].map((place) => view.getUint32(at + place, true));
    // Numbers that do not fit are in a field of their own, 1, in this order.
    for (let extra = at + entrySize + nameLength; extra + 4 <= behind; extra += 4 + view.getUint16(extra + 2, true)) {
      if (view.getUint16(extra, true) !== 1) continue;
      let next = extra + 4;
      for (let i = 0; i < numbers.length; ++i) {
        if (numbers[i] !== tooLarge) continue;
        if (next + 8 > behind) throw broken();
        numbers[i] = long(view, next);
        next += 8;
      }
    }
    const [size, packed, place] = numbers as [number, number, number];
    const crc = view.getUint32(at + 16, true);
    const isEncrypted = (view.getUint16(at + 8, true) & 1) !== 0;
    yield { name, method: view.getUint16(at + 10, true), isEncrypted, packed, size, at: place, crc };
    at = behind + commentLength;
  }
}

/** The array that one entry is. */
async function arrayIn(archive: Section, name: string, entry: Entry): Promise<FileArray | RangeError> {
  const { method, isEncrypted, packed, size, at, crc } = entry;
  const place = `${archive.name}:${name}`;
  if (isEncrypted) return wrongFile(place, "encrypted");
  if (at + fileSize > archive.size) throw wrongFile(place, expected.file_cut);
  const local = await viewOf(archive, at, fileSize);
  if (local.getUint32(0, true) !== fileMark) throw wrongFile(place, "damaged: no file where the directory has it");
  const from = at + fileSize + local.getUint16(26, true) + local.getUint16(28, true);
  if (from + packed > archive.size) throw wrongFile(place, expected.file_cut);
  const part = partOf(archive, from, packed, place);
  if (method === stored) return npyArray(name, checked(part, crc));
  if (method !== deflated) return wrongFile(place, `compression method ${method}, expected none or deflate`);
  if (size > mostBytes) {
    const remedy = "save it with numpy.savez";
    return wrongFile(place, `${size} bytes once decompressed, expected at most ${mostBytes}: ${remedy}`);
  }
  return npyArray(name, checked(inflated(part, size), crc));
}

/** The arrays of a .npz file, by their names without ".npy". */
export async function npz(archive: Section): Promise<Listed> {
  const all = [...entriesOf(archive.name, await directoryOf(archive))];
  const entries = all.filter(({ name }) => name.endsWith(".npy"));
  const names = entries.map(({ name }) => name.slice(0, -4));
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw wrongFile(archive.name, `array ${quoted(twice)}: twice, expected each name once`);
  return { names, open: (at) => arrayIn(archive, names[at] as string, entries[at] as Entry) };
}
