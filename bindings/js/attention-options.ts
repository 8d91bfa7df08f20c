// What attention takes beside its tensors, checked and lent: a bias, masks, dropout. The core reads it as numbers in
// the order of embind/arguments.cpp.

import { booleans } from "./booleans.js";
import { options as checkOptions, count, flag, number, tensor, text, whole, wrongType, wrongValue } from "./check.js";
import { arrayOf, type Borrower, noArray } from "./memory.js";
import type { AttentionTerms, Dropout, Tensor } from "./types/index.js";

export const dropoutKeys = ["p", "seed", "offset", "training"] as const;
export const termKeys = [
  "scale",
  "bias",
  "biasScaled",
  "mask",
  "keyMask",
  "maskMeaning",
  "causal",
  "queryOffset",
  "dropout",
] as const;

/** The numbers of dropout; without training neither seed nor p matters. */
export function dropoutNumbers(options: Dropout, where: string): number[] {
  options = checkOptions(options, dropoutKeys, where);
  const { p, seed, offset = 0, training = true } = options;
  const learns = flag(`${where}.training`, training);
  return [
    number(`${where}.p`, p),
    !learns && seed === undefined ? 0 : count(`${where}.seed`, seed),
    count(`${where}.offset`, offset),
    Number(learns),
  ];
}

/** Extents over [batch, heads, queries, keys]: axes that are left out are shared. */
function pairShape(argument: string, shape: readonly number[]): number[] {
  if (shape.length > 4) throw wrongValue(`${argument}.shape`, shape, "at most four axes");
  return [...Array(4 - shape.length).fill(1), ...shape];
}

/** The bias, if there is one; `biasScaled` stands beside it or not at all. */
export function biasTensor({ bias, biasScaled }: AttentionTerms): Tensor | undefined {
  if (bias === undefined) {
    if (biasScaled !== undefined) throw wrongType("biasScaled", biasScaled, "nothing without a bias");
    return undefined;
  }
  if (biasScaled === undefined) throw wrongType("biasScaled", biasScaled, "true or false; it has no default");
  return tensor("bias", bias);
}

/** The numbers of all terms, and what a mask's true means. */
export function lendTerms(
  memory: Borrower,
  terms: AttentionTerms,
  { batch, keys, dim }: { batch: number; keys: number; dim: number },
): { numbers: number[]; maskMeaning: string } {
  const { scale = 1 / Math.sqrt(Math.max(dim, 1)), causal = false, queryOffset = 0, maskMeaning = "attend" } = terms;
  const bias = biasTensor(terms);
  const mask = terms.mask && booleans("mask", terms.mask);
  const keyMask = terms.keyMask && booleans("keyMask", terms.keyMask);
  const wanted = keyMask?.shape.length === 1 && batch === 1 ? [keys] : [batch, keys];
  if (keyMask && String(keyMask.shape) !== String(wanted)) {
    throw wrongValue("keyMask.shape", keyMask.shape, `[${wanted.join(", ")}]`);
  }
  const lendBytes = (name: string, values: Uint8Array | undefined) =>
    values ? arrayOf(memory.copyOf(Uint8Array, values, name)) : noArray;
  const numbers = [
    number("scale", scale),
    ...(bias ? arrayOf(memory.floatsFrom(bias.data, "bias")) : noArray),
    ...pairShape("bias", bias?.shape ?? []),
    Number(flag("biasScaled", terms.biasScaled ?? false)),
    ...lendBytes("mask", mask?.data),
    ...pairShape("mask", mask?.shape ?? []),
    ...lendBytes("keyMask", keyMask?.data),
    Number(flag("causal", causal)),
    whole("queryOffset", queryOffset),
    ...dropoutNumbers(terms.dropout ?? { p: 0, training: false }, "dropout"),
  ];
  return { numbers, maskMeaning: text("maskMeaning", maskMeaning) };
}
