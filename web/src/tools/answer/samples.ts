import { arrayOf } from "posenc/files";
import type { MropeSegment, SampleIds, Samples, SampleTensor } from "posenc/tools";
import type { Given, Kind, Looked, Stated } from "../protocol";
import { slots } from "../slots";
import { type Numbers, pasted, pastedPositions, Unreadable } from "./pasted";

/** Values of a file that are read at the most, 128 MB as doubles: of more only the first part is looked at. */
const mostValues = 2 ** 24;

type Parts = Readonly<Record<string, Given>>;

/** Holds the samples that were read, and what they are made of. */
export interface Read {
  readonly samples: Samples;
  readonly looked: readonly Looked[];
  readonly positions: readonly number[];
}

interface Tensor extends SampleTensor {
  readonly of?: readonly number[];
}

async function fromFile(file: Blob, name: string): Promise<Tensor> {
  const array = await arrayOf(file, name);
  const values = await array.read(mostValues);
  const isPart = values.shape.some((extent, axis) => extent !== array.shape[axis]);
  return { ...values, ...(isPart && { of: array.shape }) };
}

const plain = ({ data, shape }: Numbers): Tensor => ({ data: Array.from(data), shape });

/** A result with what the reader says of it; an input is what it is. */
function withStated(tensor: SampleTensor, part: string, { dtype, quantized }: Stated): SampleTensor {
  const isBits = tensor.dtype === "float16" || tensor.dtype === "bfloat16";
  if (part === "before" || part === "ids") return tensor;
  return {
    ...tensor,
    ...(dtype !== "stored" && !isBits && { dtype }),
    ...(quantized !== "none" && { quantized }),
  };
}

async function tensor(given: Given, part: string): Promise<Tensor> {
  try {
    if ("file" in given) return await fromFile(given.file, given.array);
    return plain((part === "positions" || part === "ids" ? pastedPositions : pasted)(given.text));
  } catch (error) {
    if (error instanceof Unreadable) throw new Unreadable(error.fault, error.message, part);
    throw error;
  }
}

const ids = ({ data, shape }: SampleTensor): SampleIds => ({
  data: Array.from(data as ArrayLike<number>),
  shape: [...shape],
});

/** Where a tensor was cut, and of how many entries how many are there. */
function cutOf({ shape, of }: Tensor): { whole: number; left: number } | undefined {
  const axis = of?.findIndex((extent, at) => extent !== shape[at]) ?? -1;
  return of && axis >= 0 ? { whole: of[axis], left: shape[axis] } : undefined;
}

/** Positions of tokens: as given, cut as the vectors were; 0, 1, 2, … where [tokens, dimensions] leave no doubt. */
function positionsOf(given: Tensor | undefined, vectors: Tensor): readonly number[] | SampleIds {
  const cut = cutOf(vectors);
  if (given) {
    const list = Array.from(given.data as ArrayLike<number>);
    if (given.shape.length > 1) return ids(given);
    return cut && list.length === cut.whole ? list.slice(0, cut.left) : list;
  }
  if (vectors.shape.length > 2) throw new Unreadable("positions", `[${vectors.shape.join(", ")}]`, "positions");
  return Array.from({ length: vectors.shape.length === 2 ? vectors.shape[0] : 1 }, (_, token) => token);
}

function segmentsOf(given: Given): { segments: MropeSegment[]; mergeSize?: number; tokensPerSecond?: number } {
  const text = "text" in given ? given.text : "";
  try {
    const read = JSON.parse(text);
    return Array.isArray(read) ? { segments: read } : read;
  } catch (error) {
    throw new Unreadable("no-json", error instanceof Error ? error.message : "", "segments", text);
  }
}

/** Reads the parts of a kind. */
export async function readSamples(kind: Kind, parts: Parts, stated: Stated): Promise<Read> {
  const read: Record<string, Tensor> = {};
  for (const { name, optional } of slots[kind]) {
    const given = parts[name];
    if (name === "segments") continue;
    if (given) read[name] = await tensor(given, name);
    else if (!optional && name !== "positions") throw new Unreadable("missing", "", name);
  }
  const { positions: list, ...tensors } = read;
  const [first] = Object.values(tensors);
  const looked = Object.entries(tensors).map(([part, { shape, of }]) => ({ part, shape, ...(of && { of }) }));
  const needsPositions = kind === "rotation" || kind === "outputs";
  const positions = needsPositions || list ? positionsOf(list, first) : undefined;
  const bare = Object.fromEntries(
    Object.entries(tensors).map(([name, { of: _, ...each }]) => [name, withStated(each, name, stated)]),
  ) as unknown as { [name: string]: SampleTensor };
  const own = samplesOf(kind, bare, positions, parts);
  const samples = needsPositions && stated.seqAxis >= 0 ? ({ ...own, seqAxis: stated.seqAxis } as Samples) : own;
  return { samples, looked, positions: Array.isArray(positions) ? positions : [] };
}

function samplesOf(
  kind: Kind,
  read: { [name: string]: SampleTensor },
  positions: readonly number[] | SampleIds | undefined,
  parts: Parts,
): Samples {
  if (kind === "ids") {
    if (!parts.segments) throw new Unreadable("missing", "", "segments");
    return { ids: ids(read.ids), ...segmentsOf(parts.segments) };
  }
  return { ...read, ...(positions && { positions }) } as unknown as Samples;
}
