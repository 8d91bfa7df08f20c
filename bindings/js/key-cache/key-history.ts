// Keys of a cache after edits, and what remembers these. The core is asked twice: first what edits make, which says how
// large the result is, then for the keys.

import { type Owned, owned, Releasing } from "../base/buffer.js";
import { define } from "../base/call.js";
import { options as checkOptions, wrongType } from "../base/check.js";
import { sizeOf } from "../base/dtype.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { type ArrayOf, current, type Values } from "../base/view.js";
import { axesFields } from "../rotary/rotary.js";
import type * as t from "../types/index.js";
import { keyArray, keyEdit, keyPlaceFields, rotation, settleDType } from "./key-edits.js";

const dtypes = ["float32", "float16", "bfloat16", "q8_0"] as const;

const historyFields = {
  ...keyPlaceFields,
  rotary: rotation,
  firstDim: is.optional(is.whole),
  dtype: is.optional(is.word()),
  keep: is.optional(is.flag),
};

/** Where the keys are, as it was read. */
interface Places {
  shape: readonly number[];
  seqAxis?: number | undefined;
  dimAxis?: number | undefined;
  batchAxis?: number | undefined;
  slots?: ArrayLike<number> | undefined;
}

export const keyHistoryMake = define(
  {
    name: "keyHistoryMake",
    where: "keyHistory",
    inputs: { keys: keyArray },
    options: historyFields,
    answers: ["handle", "numbers", "lists"],
  },
  ({ keys, dtype, offset, positions }) => {
    settleDType("keys", keys, dtype);
    if (positions !== undefined && offset !== undefined) throw wrongType("offset", offset, "nothing beside positions");
  },
  (made, read, module): t.KeyHistory => {
    const { shape, seqAxis, dimAxis, batchAxis, slots, rotary, keys } = read;
    const places = { shape, seqAxis, dimAxis, batchAxis, slots: slots?.values };
    const known = { numbers: made.numbers, lists: made.lists, dimension: 0, ulps: 0 };
    return new ModuleKeyHistory(owned(module, "keyHistory", made), rotary.of, places, keys.dtype, known);
  },
);

/** A history, and the rotations that the core reads through it: they too must still be alive then. */
interface HistoryWithRotations {
  of: Owned;
  rotations: readonly Owned[];
}

const history: is.Kind<HistoryWithRotations> = {
  is: "handle",
  read: (_, given) => given,
  write: (block, given) => {
    const { of, rotations } = given as HistoryWithRotations;
    for (let i = 0; i < rotations.length; ++i) (rotations[i] as Owned).address;
    block.number(of.address);
  },
};

const staged = ["stage", "tokens", "dtype"] as const;

export const keyHistoryStage = define(
  {
    name: "keyHistoryStage",
    where: "edit",
    inputs: { history },
    options: { edits: is.groups(keyEdit) },
    answers: staged,
  },
  ({ edits }) => {
    if (edits === undefined) throw wrongType("edits", edits, "an array of edits");
  },
  (made, { edits = [] }) => ({
    ...made,
    rotations: edits.flatMap(({ rotary }): Owned[] => (rotary ? [rotary.of] : [])),
  }),
);

export const keyHistoryUndo = define(
  { name: "keyHistoryUndo", where: "undo", inputs: { history }, answers: staged },
  () => {},
  (made) => ({ ...made, rotations: [] as Owned[] }),
);

export const keyHistoryWrite = define(
  {
    name: "keyHistoryWrite",
    where: "edit",
    inputs: {
      history,
      stage: is.number,
      keys: keyArray,
      dtype: is.word(),
      newDType: is.word(),
      ...axesFields,
      slots: is.optional(is.numbers),
      newShape: is.optional(is.extents),
    },
    options: {},
    results: { out: Float32Array },
    answers: ["numbers", "lists", "dimension", "ulps"],
  },
  (read) => {
    settleDType("keys", read.keys, read.keys.type === "Uint16Array" || read.dtype === "q8_0" ? read.dtype : undefined);
    read.keys.isChanged = read.newShape === undefined;
    return read.newShape === undefined ? {} : { out: sizeOfKeys(read.newDType, read.newShape) };
  },
  (made, { keys }, module) => ({ ...made, out: made.out?.data ?? current(module, keys as never) }),
);

function sizeOfKeys(dtype: string, shape: readonly number[]) {
  if (dtype !== "q8_0") return sizeOf(dtype, shape, "keys");
  const bytes = [...shape.slice(0, -1), ((shape.at(-1) ?? 0) / 32) * 34];
  return { shape: bytes, what: "keys", kindFor: () => Uint8Array as ArrayOf<Values> };
}

export const keyHistoryPositions = define(
  {
    name: "keyHistoryPositions",
    inputs: { history, numbers: is.whole, lists: is.whole },
    results: { positions: Float64Array, lengths: Float64Array },
  },
  ({ numbers, lists }) => ({
    positions: { shape: [numbers], what: "positions" },
    lengths: { shape: [lists], what: "lists" },
  }),
  ({ positions, lengths }) => ({ positions: positions.data, lengths: Array.from(lengths.data) }),
);

/** Holds what is known of a history's keys. */
interface Known {
  numbers: number;
  lists: number;
  dimension: number;
  ulps: number;
}

type Staged = ReturnType<typeof keyHistoryStage>;

class ModuleKeyHistory extends Releasing implements t.KeyHistory {
  readonly #owned: Owned;
  /** The rotations that the core goes on to read. */
  #rotations: readonly Owned[];
  #places: Places;
  #dtype: string;
  #known: Known;

  constructor(of: Owned, rotation: Owned, places: Places, dtype: string, known: Known) {
    super();
    this.#owned = of;
    this.#rotations = [rotation];
    this.#places = places;
    this.#dtype = dtype;
    this.#known = known;
  }

  get positions(): Float64Array {
    return this.#listed().positions;
  }

  get lengths(): number[] {
    return this.#listed().lengths;
  }

  get bound(): t.KeyBound {
    this.#owned.address;
    const { dimension, ulps } = this.#known;
    return { dimension, ulps };
  }

  #history(rotations = this.#rotations): HistoryWithRotations {
    return { of: this.#owned, rotations };
  }

  #listed(): ReturnType<typeof keyHistoryPositions> {
    const { numbers, lists } = this.#known;
    return keyHistoryPositions(this.#owned.module, {}, { history: this.#history([]), numbers, lists });
  }

  edit<K extends t.KeyArray>(keys: K, edits: readonly t.KeyEdit[], options: object = {}): t.EditedKeys<K> {
    const { out } = checkOptions<t.OutOption<t.KeyArray>>(options, ["out"], "edit");
    return this.#write(keys, out, keyHistoryStage(this.#owned.module, { edits }, { history: this.#history() }));
  }

  undo<K extends t.KeyArray>(keys: K, options: object = {}): t.EditedKeys<K> {
    const { out } = checkOptions<t.OutOption<t.KeyArray>>(options, ["out"], "undo");
    return this.#write(keys, out, keyHistoryUndo(this.#owned.module, {}, { history: this.#history() }));
  }

  /** Which axis is the sequence's, once the core has accepted them. */
  #sequenceAxis(): number {
    const { shape, seqAxis, dimAxis = -1 } = this.#places;
    const rank = shape.length;
    const counted = (axis: number) => (axis < 0 ? axis + rank : axis);
    return counted(seqAxis ?? 1 - counted(dimAxis));
  }

  #write<K extends t.KeyArray>(keys: K, out: t.KeyArray | undefined, { stage, tokens, dtype, rotations }: Staged) {
    const all = [...this.#rotations, ...rotations];
    const newDType = dtypes[dtype] as t.KeyDType;
    const { slots, shape, seqAxis, dimAxis, batchAxis } = this.#places;
    const sequence = this.#sequenceAxis();
    const capacity = slots?.length ?? (shape[sequence] as number);
    const isInPlace = out === undefined && newDType === this.#dtype && tokens <= capacity;
    const newShape = isInPlace ? undefined : shape.map((extent, axis) => (axis === sequence ? tokens : extent));
    const inputs = { history: this.#history(all), stage, keys, dtype: this.#dtype, newDType, newShape };
    const axes = { shape, seqAxis, dimAxis, batchAxis, slots };
    const made = keyHistoryWrite(this.#owned.module, out === undefined ? {} : { out }, { ...inputs, ...axes });
    this.#rotations = all;
    this.#dtype = newDType;
    this.#known = { numbers: made.numbers, lists: made.lists, dimension: made.dimension, ulps: made.ulps };
    if (newShape) this.#places = { shape: newShape, seqAxis, dimAxis, batchAxis };
    return {
      keys: made.out as K,
      dtype: newDType,
      shape: [...this.#places.shape],
      ...this.#listed(),
      bound: this.bound,
    };
  }

  delete(): void {
    this.#owned.delete();
  }
}

export const keyHistory = (module: Module, keys: t.KeyArray, options: t.KeyHistoryOptions): t.KeyHistory =>
  keyHistoryMake(module, options, { keys });

const { keep: _, ...onceFields } = historyFields;
const onceNames = [...Object.keys(onceFields), "edits", "out"] as (keyof t.EditKeysOptions)[];

/** A history for one list of edits. */
export function editKeys<K extends t.KeyArray>(module: Module, keys: K, options: t.EditKeysOptions): t.EditedKeys<K> {
  const { edits, out, ...cache } = checkOptions(options, onceNames, "editKeys");
  const made = keyHistoryMake(module, cache, { keys });
  try {
    return made.edit(keys, edits, out === undefined ? {} : { out });
  } finally {
    made.delete();
  }
}
