// Results that are gradients: each in the shape of what it is the gradient of, where that was given.

import type * as is from "../base/kinds.js";

/** Results of these names. */
export const arraysOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Float32Array])) as Record<Name, Float32ArrayConstructor>;

const likeOf = (what: string, tensor: is.ReadTensor | undefined) => tensor && { shape: tensor.shape, what };

/** Their sizes: each is like the tensor of its name, if that was given. */
export const sizesLike = (read: { readonly [name: string]: unknown }, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, likeOf(name, read[name] as is.ReadTensor | undefined)]));
