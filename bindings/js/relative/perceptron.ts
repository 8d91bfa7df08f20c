import { checkExtents } from "../base/check.js";
import { group, optional, type ReadOf, tensor } from "../base/kinds.js";
import type { Perceptron } from "../types/index.js";

const fields = { weight1: tensor(2), bias1: tensor(1), weight2: tensor(2), bias2: optional(tensor(1)) };

/** The network inside FIRE and Swin's log-CPB. */
export const perceptron = group<Perceptron, typeof fields>(fields, "");

/** How many outputs a perceptron of so many inputs has: a bias's heads. */
export function perceptronOutputs(read: ReadOf<typeof fields>, inputs: number): number {
  const hidden = read.bias1.shape[0] as number;
  const outputs = read.weight2.shape[0] as number;
  checkExtents("weight1", read.weight1.shape, [hidden, inputs]);
  checkExtents("weight2", read.weight2.shape, [outputs, hidden]);
  if (read.bias2) checkExtents("bias2", read.bias2.shape, [outputs]);
  return outputs;
}
