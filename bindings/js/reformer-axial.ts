import type { FullModule } from "posenc-module";
import { options as checkOptions, shape as checkShape, product, tensor, text, unwrap, wrongType } from "./check.js";
import { lendNamedRows, lendRowsOf, rowKeys } from "./learned-table.js";
import { borrowFor, borrowForAll, lendResult } from "./memory.js";
import type { ReformerAxialGradientOptions, ReformerAxialOptions, Tensor } from "./types/index.js";

/** The tables one after the other. */
function joined(tables: readonly Tensor[]): Float32Array {
  const all = new Float32Array(tables.reduce((size, { data }) => size + data.length, 0));
  let at = 0;
  for (const { data } of tables) {
    all.set(data, at);
    at += data.length;
  }
  return all;
}

const width = (dims: readonly number[], combination: string) =>
  combination === "sum" ? (dims[0] ?? 0) : dims.reduce((sum, dim) => sum + dim, 0);

export function reformerAxial(module: FullModule, options: ReformerAxialOptions): Tensor {
  options = checkOptions(options, [...rowKeys, "length", "tables", "combination", "out"], "reformerAxial");
  if (!Array.isArray(options.tables)) throw wrongType("tables", options.tables, "an array of tensors");
  const tables = Array.from(options.tables, (table, axis) => tensor(`tables[${axis}]`, table, 2));
  const combination = text("combination", options.combination ?? "concatenate");
  const shape = tables.map((table) => table.shape[0] as number);
  const dims = tables.map((table) => table.shape[1] as number);
  const dim = width(dims, combination);
  return borrowFor(module, options.out, (memory) => {
    const { ids, count, offset, shape: places } = lendNamedRows(memory, options, product(shape));
    const extents = memory.doublesFrom(shape, "tables");
    const lanes = memory.doublesFrom(dims, "tables");
    tables.forEach(({ data }, axis) => {
      memory.checkInput(data, `tables[${axis}]`);
    });
    const from = memory.floatsFrom(joined(tables), "tables");
    const out = lendResult(memory, [...places, dim], "rows * dim");
    unwrap(
      module.reformerAxialLookup(
        extents.address,
        extents.length,
        lanes.address,
        lanes.length,
        combination,
        from.address,
        from.length,
        ids,
        count,
        offset,
        out.address,
        out.length,
      ),
    );
    return out.taken();
  });
}

export function reformerAxialGradient(
  module: FullModule,
  gradient: Tensor,
  options: ReformerAxialGradientOptions,
): Tensor[] {
  options = checkOptions(options, [...rowKeys, "shape", "dims", "combination", "out"], "reformerAxialGradient");
  const { data, shape: given } = tensor("gradient", gradient);
  const shape = checkShape("shape", options.shape);
  const dims = checkShape("dims", options.dims);
  const combination = text("combination", options.combination ?? "concatenate");
  const sizes = shape.map((extent, axis) => extent * (dims[axis] ?? 0));
  const outs = sizes.map((_, axis) => `out.${axis}`);
  return borrowForAll(module, options.out, outs, (memory) => {
    const { ids, count, offset } = lendRowsOf(memory, "gradient", given, options);
    const extents = memory.doublesFrom(shape, "shape");
    const lanes = memory.doublesFrom(dims, "dims");
    const from = memory.floatsFrom(data, "gradient");
    const out = memory.floats(
      sizes.reduce((all, size) => all + size, 0),
      "shape * dims",
    );
    let at = out.address;
    const tables = sizes.map((length, axis) => {
      const table = { address: at, length };
      at += 4 * length;
      return lendResult(memory, [shape[axis] as number, dims[axis] ?? 0], "shape * dims", outs[axis], table);
    });
    unwrap(
      module.reformerAxialGradient(
        extents.address,
        extents.length,
        lanes.address,
        lanes.length,
        combination,
        from.address,
        from.length,
        ids,
        count,
        offset,
        out.address,
        out.length,
      ),
    );
    return tables.map((table) => table.taken());
  });
}
