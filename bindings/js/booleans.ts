import { options as checkOptions, shape as checkShape, product, typeOf, wrongType, wrongValue } from "./check.js";
import type { BooleanTensor } from "./types/index.js";

/** A mask as bytes. */
export function booleans(argument: string, value: BooleanTensor): { data: Uint8Array; shape: number[] } {
  value = checkOptions(value, ["data", "shape"], argument);
  const { data } = value;
  const typed = typeOf(data) === "Uint8Array";
  if (!typed && !(Array.isArray(data) && data.findIndex((item) => typeof item !== "boolean") < 0)) {
    throw wrongType(`${argument}.data`, data, "a Uint8Array or an array of booleans");
  }
  const shape = checkShape(`${argument}.shape`, value.shape);
  if (data.length !== product(shape)) {
    throw wrongValue(`${argument}.data`, data.length, `${product(shape)} values for shape [${shape.join(", ")}]`);
  }
  return { data: typed ? (data as Uint8Array) : Uint8Array.from(data, Number), shape };
}
