// Keys and values of earlier tokens, in the module's memory. The core writes what comes in and attends to what is there:
// here is kept how many tokens each sequence has, and at which positions.

import { ModuleBuffer, type Owned, Releasing } from "../base/buffer.js";
import { define } from "../base/call.js";
import { options as checkOptions, count, product, wrongShape, wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { arrayFor, changedStored, dtypeOption, is16, storedTensor } from "../base/stored.js";
import { type ArrayOf, shaped, type Values, type View, viewOf } from "../base/view.js";
import { positionList } from "../frequencies/positions.js";
import { type MadeRotary, rotaryApply, rotaryHandle, rotaryOption } from "../rotary/rotary.js";
import type * as t from "../types/index.js";
import { checkRows, scoreFields } from "./attention.js";

const kvCacheFields = {
  batch: is.optional(is.count),
  heads: is.count,
  capacity: is.count,
  dim: is.count,
  valueDim: is.optional(is.count),
  dtype: dtypeOption,
  seqAxis: is.optional(is.whole),
  rope: is.optional(rotaryOption),
} satisfies is.FieldsOf<t.KvCacheOptions>;

/** What an entry has: its attention, and what edits keys in place, `editKeys` of posenc/tools. */
interface Entry {
  readonly attend: (module: Module, options: object) => object;
  readonly edit?: (module: Module, keys: never, options: never) => { positions: Float64Array };
}

/** The rows of a batch, each a sequence of the cache, and the positions of their tokens. */
interface Rows {
  sequences?: readonly number[] | undefined;
  positions?: View<ArrayLike<number>> | undefined;
}

const rowFields = { sequences: is.optional(is.wholes), positions: is.optional(positionList) };

const attendNames = [...Object.keys(scoreFields), ...Object.keys(rowFields), "weights", "out"].filter(
  (name) => name !== "queryOffset",
) as (keyof t.AttendOptions)[];

class KvCache extends Releasing implements t.KvCache {
  declare readonly batch: number;
  declare readonly heads: number;
  declare readonly capacity: number;
  declare readonly dim: number;
  declare readonly valueDim: number;
  declare readonly dtype: t.DType;
  declare readonly seqAxis: number;
  declare readonly rope?: t.Rotary;
  declare readonly lengths: readonly number[];
  readonly #module: Module;
  readonly #rope: Owned<MadeRotary> | undefined;
  readonly #entry: Entry;
  readonly #keys: ModuleBuffer<Values>;
  readonly #values: ModuleBuffer<Values>;
  /** The positions of each sequence's tokens. */
  readonly #positions: number[][];

  constructor(module: Module, read: is.ReadOf<typeof kvCacheFields>, rope: t.Rotary | undefined, entry: Entry) {
    super();
    const { batch = 1, heads, capacity, dim, valueDim = dim, dtype = "float32", seqAxis } = read;
    const kind = (is16(dtype) ? arrayFor(dtype) : Float32Array) as ArrayOf<Values>;
    const room = (width: number) =>
      new ModuleBuffer<Values>(module, product([batch, heads, capacity, width]), kind, "kvCache", "capacity");
    this.#keys = room(dim);
    try {
      this.#values = room(valueDim);
    } catch (error) {
      this.#keys.delete();
      throw error;
    }
    this.#module = module;
    this.#rope = read.rope;
    this.#entry = entry;
    this.#positions = Array.from({ length: batch }, () => []);
    Object.assign(this, { batch, heads, capacity, dim, valueDim, dtype, seqAxis }, rope && { rope });
    this.#count();
  }

  /** Counts what there is, again. */
  #count(): void {
    Object.assign(this, { lengths: Object.freeze(this.#positions.map(({ length }) => length)) });
  }

  #tensor(of: ModuleBuffer<Values>, width: number): t.AnyTensor {
    const { batch, heads, capacity, dtype } = this;
    return { data: of.view, shape: [batch, heads, capacity, width], dtype } as t.AnyTensor;
  }

  get key(): t.AnyTensor {
    return this.#tensor(this.#keys, this.dim);
  }

  get value(): t.AnyTensor {
    return this.#tensor(this.#values, this.valueDim);
  }

  /** The sequences that were named, or all. */
  #sequences(given: readonly number[] = [...this.lengths.keys()]): readonly number[] {
    for (const sequence of given) {
      if (!(sequence in this.lengths))
        throw wrongValue("sequences", sequence, expected.whole_from_to, { least: 0, most: this.batch - 1 });
    }
    return given;
  }

  /** [rows, heads, tokens, width] as this cache's tensors have them, or back. */
  #ordered<A>([rows, heads, tokens, width]: readonly [A, A, A, A]): [A, A, A, A] {
    const isSequenceFirst = this.seqAxis === 1 || this.seqAxis === -3;
    return isSequenceFirst ? [rows, tokens, heads, width] : [rows, heads, tokens, width];
  }

  /** Throws unless a tensor's extents are these; a batch of one row may be left out. Names are free extents. */
  #extents(
    argument: string,
    { shape }: { shape: readonly number[] },
    wanted: readonly [number, number | string, number | string, number],
  ) {
    const names = this.#ordered<number | string>(wanted);
    const four = shape.length === 3 && wanted[0] === 1 ? [1, ...shape] : shape;
    if (four.length !== 4 || names.some((extent, axis) => typeof extent === "number" && extent !== four[axis]))
      throw wrongShape(argument, shape, names);
    return this.#ordered(four as [number, number, number, number]);
  }

  /** Positions [rows, tokens]: those given, for all rows or of each, else those of `own` for each sequence. */
  #settle({ positions }: Rows, rows: readonly number[], tokens: number, own: (sequence: number) => readonly number[]) {
    let all = rows.flatMap(own);
    if (positions) {
      if (!this.#rope) throw wrongType("positions", positions.values, "nothing without a rope");
      const given = Array.from(positions.values);
      const isShared = given.length === tokens;
      if (positions.shape.at(-1) !== tokens || (!isShared && given.length !== rows.length * tokens))
        throw wrongShape("positions", positions.shape, [rows.length, tokens]);
      all = isShared ? rows.flatMap(() => given) : given;
    }
    return shaped(viewOf("positions", Float64Array.from(all)), [rows.length, tokens]);
  }

  append(key: t.AnyTensor, value: t.AnyTensor, options: t.KvCacheRows = {}): void {
    const [keys, values] = [this.#keys, this.#values].map(({ view }) =>
      Object.assign(viewOf("", view), { type: "", dtype: this.dtype }),
    );
    appendKeys(this.#module, options, { cache: this, rope: this.#rope, keys, values, lengths: [], key, value });
  }

  /** Completes what an `append` has read. */
  static complete(cache: KvCache, read: Rows & { key: View; value: View; lengths: readonly number[] }): void {
    const rows = cache.#sequences(read.sequences);
    const [, heads, tokens] = cache.#extents("key", read.key, [rows.length, cache.heads, "tokens", cache.dim]);
    cache.#extents("value", read.value, [rows.length, heads, tokens, cache.valueDim]);
    read.key.shape = [tokens];
    read.positions = cache.#settle(read, rows, tokens, (sequence) => {
      const first = (cache.#positions[sequence]?.at(-1) ?? -1) + 1;
      return Array.from({ length: tokens }, (_, i) => first + i);
    });
    read.sequences = rows;
    read.lengths = rows.map((sequence) => cache.lengths[sequence] as number);
  }

  /** Notes what was written. */
  static note(cache: KvCache, { sequences = [], positions }: Rows): void {
    const [, tokens = 0] = positions?.shape ?? [];
    for (const [i, sequence] of sequences.entries())
      cache.#positions[sequence]?.push(...Array.from(positions?.values ?? []).slice(i * tokens, (i + 1) * tokens));
    cache.#count();
  }

  attend(query: t.TensorInput, options: t.AttendOptions = {}): t.AttentionResult {
    const { sequences, positions, ...terms } = checkOptions(options, attendNames, "attend");
    const read: Rows = is.readFields(is.fieldList(rowFields), { sequences, positions }, {});
    const rows = this.#sequences(read.sequences);
    const given = is.tensor().read("query", query);
    const four = this.#extents("query", given, [rows.length, "heads", "tokens", this.dim]);
    const [shape, tokens] = [this.#ordered(four), four[2]];
    const lengths = rows.map((sequence) => this.lengths[sequence] as number);
    const most = Math.min(...lengths);
    if (tokens > most)
      throw wrongValue("query.shape", given.shape, `at most ${most} tokens, as many as there are keys`);
    let data = given.values;
    if (this.#rope) {
      const at = this.#settle(read, rows, tokens, (sequence) => this.#positions[sequence]?.slice(-tokens) ?? []);
      const places = { shape, seqAxis: this.seqAxis, batchAxis: 0, positions: { data: at.values, shape: at.shape } };
      data = rotaryApply(this.#module, places, { rotary: this.#rope, x: data.slice() }) as Float32Array;
    }
    const made = this.#entry.attend(this.#module, {
      causal: true,
      ...terms,
      query: { data, shape },
      key: this.key,
      value: this.value,
      seqAxis: this.seqAxis,
      queryOffset: lengths.map((length) => length - tokens),
      cache: { length: lengths, sequences: rows, seqAxis: 2 },
    });
    // As many axes as the query's.
    for (const { shape } of Object.values(made)) shape.splice(0, shape.length - given.shape.length);
    return made as t.AttentionResult;
  }

  truncate(length: number | t.NumberList): void {
    const most = is.wholes.read("length", length);
    checkRows("length", most, this.batch);
    for (const one of most) count("length", one);
    for (const [i, positions] of this.#positions.entries()) positions.splice((most[i] ?? most[0]) as number);
    this.#count();
  }

  drop(options: t.DropTokens): void {
    const names = ["from", "to", "sequences", "keepPositions"] as const;
    const { from = 0, to, sequences, keepPositions } = checkOptions(options, names, "drop");
    const rows = this.#sequences(sequences === undefined ? undefined : is.wholes.read("sequences", sequences));
    const most = Math.min(...rows.map((sequence) => this.lengths[sequence] as number));
    count("from", from);
    if (count("to", to) < from || to > most) throw wrongValue("to", to, expected.whole_from_to, { least: from, most });
    const { edit } = this.#entry;
    const isRotated = this.#rope !== undefined && keepPositions !== true;
    if (isRotated && !edit)
      throw wrongType(
        "keepPositions",
        keepPositions,
        "true: positions close up, by rotating keys again, in posenc/tools",
      );
    for (const sequence of rows) {
      const positions = this.#positions[sequence] as number[];
      const { heads, capacity, dim, dtype } = this;
      const size = heads * capacity * dim;
      if (isRotated) {
        const keys = this.#keys.view.subarray(sequence * size, (sequence + 1) * size);
        const edits = [{ type: "drop", from, to }];
        const place = { shape: [heads, capacity, dim], seqAxis: 1, rotary: this.rope, dtype, positions, edits };
        this.#positions[sequence] = Array.from(edit?.(this.#module, keys as never, place as never).positions ?? []);
      } else {
        this.#close(this.#keys, dim, sequence, from, to);
        positions.splice(from, to - from);
      }
      this.#close(this.#values, this.valueDim, sequence, from, to);
    }
    this.#count();
  }

  /** Moves rows behind a range to its place. */
  #close(of: ModuleBuffer<Values>, width: number, sequence: number, from: number, to: number): void {
    const { view } = of;
    for (let h = 0; h < this.heads; ++h) {
      const head = (sequence * this.heads + h) * this.capacity;
      view.copyWithin((head + from) * width, (head + to) * width, (head + (this.lengths[sequence] as number)) * width);
    }
  }

  reset(): void {
    this.truncate(0);
  }

  delete(): void {
    this.#keys.delete();
    this.#values.delete();
  }
}

/** A cache that appends: its extents and the order of its tensors' axes. */
const cacheHandle: is.Kind<KvCache, KvCache> = {
  is: "extents",
  read: (_, cache) => cache,
  write: (block, { batch, heads, capacity, dim, valueDim, seqAxis } = {} as KvCache) =>
    block.list([batch, heads, capacity, dim, valueDim, seqAxis]),
};

/** Its arrays, whose dtype is known. */
const memory: is.Kind<View, View> = {
  is: changedStored.is,
  read: (_, view) => view,
  write: changedStored.write as never,
};

export const appendKeys = define(
  {
    name: "appendKeys",
    where: "append",
    inputs: {
      cache: cacheHandle,
      rope: is.optional(rotaryHandle),
      keys: memory,
      values: memory,
      lengths: is.extents,
      key: storedTensor,
      value: storedTensor,
    },
    options: rowFields,
  },
  (read) => KvCache.complete(read.cache, read as never),
  (_, read) => KvCache.note(read.cache, read),
);

export const checked = define(
  { name: "kvCache", options: kvCacheFields },
  () => {},
  (_, read) => read,
);

/**
 * With an entry's functions.
 *
 * @__NO_SIDE_EFFECTS__
 */
export const kvCacheWith =
  (entry: Entry) =>
  (module: Module, options: t.KvCacheOptions): t.KvCache => {
    const own = checkOptions(options, Object.keys(kvCacheFields) as never[], "kvCache");
    return new KvCache(module, checked(module, own), own.rope, entry);
  };
