import { arrayOf, configOf } from "posenc/files";
import type { ExpectedPlan, Layout, PosencTools, Samples, SampleTensor } from "posenc/tools";
import type { Given, Looked, Own } from "../protocol";
import { slots } from "../slots";
import { pasted, pastedPositions, Unreadable } from "./pasted";

/** Values of a file that are read at the most, 128 MB as doubles: of more only the first part is looked at. */
const mostValues = 2 ** 24;

interface Tensor extends SampleTensor {
  /** The shape in the file, where only a part was read. */
  readonly of?: readonly number[];
}

async function tensorOf(given: Given, part: string): Promise<Tensor> {
  try {
    if ("text" in given) return (/^(positions|ids)$/.test(part) ? pastedPositions : pasted)(given.text);
  } catch (error) {
    if (error instanceof Unreadable) throw new Unreadable(error.problem.fault as never, error.message, part);
    throw error;
  }
  const array = await arrayOf(given.file, given.array);
  const values = await array.read(mostValues);
  return { ...values, ...(`${values.shape}` !== `${array.shape}` && { of: array.shape }) };
}

/** JSON as the reader typed it. */
function parsed(text: string, part: string): unknown {
  try {
    return configOf(text);
  } catch (error) {
    throw new Unreadable("no-json", (error as Error).message, part, text);
  }
}

/** Positions as given, cut as the vectors were; 0, 1, 2, … where [tokens, dimensions] leave no doubt. */
function positionsOf(given: Tensor | undefined, { shape, of = shape }: Tensor) {
  if (!given) {
    if (shape.length > 2) throw new Unreadable("positions", `[${shape.join(", ")}]`, "positions");
    return [...Array(shape.length === 2 ? shape[0] : 1).keys()];
  }
  const data = Array.from(given.data as ArrayLike<number>);
  if (given.shape.length > 1) return { data, shape: given.shape };
  const cut = of.findIndex((extent, axis) => extent !== shape[axis]);
  return cut >= 0 && data.length === of[cut] ? data.slice(0, shape[cut]) : data;
}

/** Reads the parts of a kind, and what is said of them: inputs are what they are, and so is what 16 bits hold. */
export async function readSamples({ kind, parts, values, samples }: Own) {
  const read: Record<string, Tensor> = {};
  const rest: Record<string, unknown> = { ...samples };
  for (const { name, optional } of slots[kind]) {
    const given = parts[name];
    if (given && name === "segments") {
      const segments = parsed("text" in given ? given.text : "", name);
      Object.assign(rest, Array.isArray(segments) ? { segments } : segments);
    } else if (given) read[name] = await tensorOf(given, name);
    else if (!optional && name !== "positions") throw new Unreadable("missing", "", name);
  }
  const { positions, ...tensors } = read;
  if (positions || kind === "rotation" || kind === "outputs")
    rest.positions = positionsOf(positions, Object.values(tensors)[0]);
  const looked: Looked[] = Object.entries(tensors).map(([part, { shape, of }]) => ({ part, shape, ...(of && { of }) }));
  for (const [name, { of: _, ...each }] of Object.entries(tensors)) {
    const { dtype, ...others } = values;
    const said = /^(float|bfloat)16$/.test(each.dtype ?? "") ? others : values;
    rest[name] =
      name === "before" ? each : name === "ids" ? { ...each, data: Array.from(each.data) } : { ...each, ...said };
  }
  return { samples: rest as unknown as Samples, looked };
}

/** What was meant, for the library. No config has a layout; that of a .gguf file is written beside it. */
export function expectedOf(pe: PosencTools, expected: Own["expected"]): ExpectedPlan | undefined {
  if (expected?.config === undefined) return expected as ExpectedPlan | undefined;
  const { config: text, ...rest } = expected;
  const config = parsed(String(text), "config") as { readonly layout?: Layout } | null;
  const layout = config?.layout;
  const model = layout === undefined ? pe.model(config as object) : pe.model({ ...config, layout: null }, { layout });
  return { model, ...rest };
}
