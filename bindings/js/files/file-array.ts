import * as check from "../base/check.js";
import { mostAxes } from "../npy/header.js";
import type { FileArray, FileValues, PickOptions, Picks } from "../types/files.js";
import { mostBytes, type Progress, partOf, type Section, wrongFile } from "./section.js";
import { partsOf, type StoredName, storedTypes } from "./stored-types.js";

/** The arrays that a file lists: of a hundred thousand, nothing but their names is made. */
export interface Listed {
  readonly names: readonly string[];
  /** Reads a description, once. Throws where the file is damaged; an unsupported type is an error as a value. */
  open(at: number): Promise<FileArray | RangeError> | FileArray | RangeError;
}

/** A gap so long is read over, rather than read around. */
const span = 2 ** 16;

/** The shape of the first values, at most `most` of them or one row: what comes first in the file. */
function firstPart(shape: readonly number[], most: number): number[] {
  const part = [...shape];
  for (let axis = 0; axis < part.length && check.product(part) > most; ++axis) {
    const inner = check.product(part.slice(axis + 1));
    part[axis] = Math.min(part[axis] as number, Math.max(1, Math.floor(most / inner)));
  }
  return part;
}

/** The offsets and lengths of runs of values that follow one another in the file. */
function* runsOf(shape: readonly number[], picks: readonly Picks[]): Generator<[number, number]> {
  let last = shape.length - 1;
  while (last >= 0 && !picks[last]) --last;
  const run = check.product(shape.slice(last + 1));
  if (last < 0) {
    yield [0, run];
    return;
  }
  function* within(axis: number, from: number): Generator<[number, number]> {
    const extent = shape[axis] as number;
    const chosen = picks[axis];
    const stride = check.product(shape.slice(axis + 1));
    for (let i = 0; i < (chosen?.length ?? extent); ++i) {
      const at = from + (chosen?.[i] ?? i) * stride;
      if (axis === last) yield [at, run];
      else yield* within(axis + 1, at);
    }
  }
  yield* within(0, 0);
}

/** Picks, each of them an index of its axis. */
function checkPicks(picks: readonly Picks[], shape: readonly number[]): void {
  if (!check.isArray(picks)) throw check.wrongType("picks", picks, "an array of indices for each axis");
  if (picks.length > shape.length) throw check.wrongValue("picks", picks.length, `at most ${shape.length} axes`);
  for (const [axis, chosen] of picks.entries()) {
    if (chosen === undefined) continue;
    const of = `picks[${axis}]`;
    if (!check.isArray(chosen)) throw check.wrongType(of, chosen, "an array of indices, or undefined");
    for (const [i, index] of chosen.entries()) {
      if (check.count(`${of}[${i}]`, index) >= (shape[axis] as number))
        throw check.wrongValue(`${of}[${i}]`, index, `an index below ${shape[axis]}`);
    }
  }
}

type Stored = (typeof storedTypes)[StoredName];

/** Values of a shape, whose bytes are read at once. */
async function valuesOf(
  path: string,
  stored: Stored,
  shape: number[],
  read: (size: number) => Promise<ArrayBuffer>,
): Promise<FileValues> {
  const size = check.product(shape) * stored.bytes;
  if (size > mostBytes)
    throw wrongFile(path, `${size} bytes would have to be read at once, expected at most ${mostBytes}`);
  return { data: stored.values(await read(size), path), shape, ...("dtype" in stored && { dtype: stored.dtype }) };
}

/** The bytes of runs, `size` in all. */
async function bytesAt(
  { size: end, read }: Section,
  runs: Iterable<[number, number]>,
  size: number,
  progress: Progress,
) {
  const all = new Uint8Array(size);
  let written = 0;
  let [heldFrom, held] = [0, new Uint8Array(0)];
  for (const [first, wanted] of runs) {
    if (wanted === size) return read(first, first + wanted).finally(() => progress(1));
    if (first < heldFrom || first + wanted > heldFrom + held.length) {
      // Short runs are near one another: the bytes between them are read too.
      const ahead = wanted >= span ? wanted : Math.min(span, end - first);
      [heldFrom, held] = [first, new Uint8Array(await read(first, first + ahead))];
    }
    all.set(held.subarray(first - heldFrom, first - heldFrom + wanted), written);
    written += wanted;
    progress(written / size);
  }
  return all.buffer;
}

/**
 * The array whose values start at `start` of a section, `path` in messages. A file may have 100,000: functions of each
 * would be most of what they hold, so that they are made when they are asked for.
 */
export class StoredArray implements FileArray {
  declare readonly name: string;
  declare readonly dtype: StoredName;
  declare readonly shape: number[];
  readonly #start: number;
  readonly #extents: readonly number[];
  readonly #section: Section;
  readonly #path: string;
  readonly #stored: Stored;

  constructor(
    name: string,
    section: Section,
    start: number,
    dtype: StoredName,
    extents: readonly number[],
    path: string = section.name,
  ) {
    if (extents.length > mostAxes)
      throw wrongFile(path, `${extents.length} axes, expected at most ${mostAxes}, as NumPy has`);
    this.name = name;
    this.dtype = dtype;
    this.shape = partsOf(dtype, extents);
    this.#path = path;
    this.#stored = storedTypes[dtype];
    this.#extents = partsOf(dtype, extents); // shape and dtype are the caller's
    this.#section = section;
    this.#start = start;
  }

  get read() {
    return async (most = Number.POSITIVE_INFINITY): Promise<FileValues> => {
      if (typeof most !== "number" || !(most >= 0)) throw check.wrongValue("most", most, "a number >= 0");
      const part = firstPart(this.#extents, most);
      return valuesOf(this.#path, this.#stored, part, (size) => this.#section.read(this.#start, this.#start + size));
    };
  }

  get pick() {
    return async (given: readonly Picks[], options: PickOptions = {}): Promise<FileValues> => {
      const picks = check.plain(given);
      const own = this.#extents;
      const { shape = own, progress = () => {} } = check.options(options, ["shape", "progress"], "pick");
      const as = check.shape("shape", shape);
      if (check.product(as) !== check.product(own))
        throw check.wrongValue("shape", as, `${check.product(own)} values, as [${own.join(", ")}] has`);
      checkPicks(picks, as);
      const made = as.map((extent, axis) => picks[axis]?.length ?? extent);
      // The bytes of a value are an axis too.
      const inBytes = [...as, this.#stored.bytes];
      return valuesOf(this.#path, this.#stored, made, async (size) => {
        const from = (await this.#section.held?.(progress)) ?? this.#section;
        const values = partOf(from, this.#start, check.product(inBytes), this.#path);
        return bytesAt(values, runsOf(inBytes, picks), size, progress);
      });
    };
  }
}
