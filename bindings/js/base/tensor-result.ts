// The methods of results: what is at an index, and what is in a row. They are no properties that are listed, copied or
// compared: a result stays { data, shape }.

import { isObject, product, whole, wrongValue } from "./check.js";
import * as expected from "./expected.js";

interface Made {
  readonly data: ArrayLike<number> & { subarray(from: number, to: number): ArrayLike<number> };
  readonly shape: readonly number[];
}

/** Where an index begins, of the first axes; negative ones count from the end. */
function startOf({ shape }: Made, index: readonly unknown[], method: string, axes: number): number {
  if (index.length !== axes) throw wrongValue(method, index.length, `${axes} indices`);
  let start = 0;
  for (let axis = 0; axis < axes; ++axis) {
    const extent = shape[axis] as number;
    const given = whole(`${method}[${axis}]`, index[axis]);
    if (given < -extent || given >= extent)
      throw wrongValue(`${method}[${axis}]`, given, expected.whole_from_to, { least: -extent, most: extent - 1 });
    start = start * extent + (given < 0 ? given + extent : given);
  }
  return start * product(shape.slice(axes));
}

const methods = {
  row: {
    value(this: Made, ...index: unknown[]) {
      const start = startOf(this, index, "row", this.shape.length - 1);
      return this.data.subarray(start, start + (this.shape.at(-1) as number));
    },
  },
  at: {
    value(this: Made, ...index: unknown[]) {
      return this.data[startOf(this, index, "at", this.shape.length)];
    },
  },
};

/** Adds them to a result of float32 values. */
export const tensorResult = <Of>(made: Of): Of => (isObject(made) ? Object.defineProperties(made, methods) : made);
