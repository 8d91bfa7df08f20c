// A .gguf file: its header, and the model that its metadata describes.

import type { FileArray, GgufModel } from "../types/files.js";
import { type GgufHeader, ggufArray, ggufHeader } from "./gguf-header.js";
import { described } from "./gguf-model.js";
import { type Section, wrongFile } from "./section.js";

/** Factors of frequencies are few: one for each pair of dimensions. */
const mostFactors = 2 ** 12;

type Part = Pick<GgufHeader, "tensors"> & { readonly section: Section };

async function factorsIn([part, ...others]: readonly Part[], name: string): Promise<number[] | undefined> {
  if (!part) return undefined;
  const { section, tensors } = part;
  const path = `${name}.weight`;
  const tensor = tensors.find((each) => each.name === path);
  if (!tensor) return factorsIn(others, name);
  const array: FileArray | RangeError = ggufArray(section, tensor);
  if (array instanceof RangeError) throw array;
  const { data } = await array.read(mostFactors);
  if (array.dtype !== "float32" || !data.every((value) => value > 0 && Number.isFinite(value)))
    throw wrongFile(`${section.name}:${tensor.name}`, "expected float32 factors > 0");
  return Array.from(data);
}

/** In a model that is split, the first part has the metadata. */
function checkPart(file: string, { metadata }: GgufHeader): { index: number; count: number } | null {
  const [index, count] = [metadata.get("split.no"), metadata.get("split.count")];
  if (index === undefined && count === undefined) return null;
  if (typeof index !== "number" || typeof count !== "number")
    throw wrongFile(file, "split.no, split.count: expected numbers");
  if (index !== 0)
    throw wrongFile(file, `part ${index + 1} of ${count}, expected the first part, which has the model's metadata`);
  return { index, count };
}

export async function ggufModel(section: Section, others: readonly Section[]): Promise<GgufModel> {
  const header = await ggufHeader(section);
  const { name: file } = section;
  const part = checkPart(file, header);
  const architecture = header.metadata.get("general.architecture");
  if (typeof architecture !== "string" || architecture === "" || architecture.length > 64)
    throw wrongFile(file, "general.architecture: missing, expected a file of a model");
  const parts: Part[] = [{ section, tensors: header.tensors }];
  for (const of of others) parts.push({ section: of, tensors: (await ggufHeader(of)).tensors });
  const [all, short, long] = await Promise.all(
    ["rope_freqs", "rope_factors_short", "rope_factors_long"].map((name) => factorsIn(parts, name)),
  );
  const { evidence, ...made } = described(file, architecture, header.metadata, { all, short, long });
  // The tensors of a part that is not there may have another rule than the keys.
  const isOpen = part !== null && others.length + 1 < part.count && !all && !long;
  return {
    version: header.version,
    architecture,
    part: part && { ...part, isOpen },
    metadata: header.metadata,
    tensors: parts.flatMap(({ tensors }) => tensors.map(({ name, type, shape }) => ({ name, type, shape }))),
    ...made,
    evidence: isOpen ? evidence.filter(({ path }) => !/^rope_scaling\.(?!mrope)/.test(path)) : evidence,
  };
}
