import type { FullModule } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  count,
  flag,
  tensor,
  text,
  unwrap,
  wrongValue,
} from "./check.js";
import { borrowFor, lendResult } from "./memory.js";
import type { ResizeGridOptions, ResizeOptions, ResizeTableOptions, Tensor } from "./types/index.js";

const resizeKeys = ["prefixTokens", "interpolation", "alignCorners", "antialias", "out"] as const;

/** `grids` gives, for the number of rows after the prefix, the old height and width and the new ones. */
function resize(
  module: FullModule,
  table: Tensor,
  { prefixTokens = 0, ...options }: ResizeOptions,
  defaults: Required<Pick<ResizeOptions, "interpolation" | "antialias">>,
  grids: (rows: number) => [number, number, number, number],
): Tensor {
  const { data, shape } = tensor("table", table, 2);
  const [rows, dim] = shape as [number, number];
  const prefix = count("prefixTokens", prefixTokens);
  const interpolation = text("interpolation", options.interpolation ?? defaults.interpolation);
  const alignCorners = flag("alignCorners", options.alignCorners ?? false);
  const antialias = flag("antialias", options.antialias ?? (defaults.antialias && !alignCorners));
  const extents = grids(rows - prefix);
  const newRows = prefix + extents[2] * extents[3];
  return borrowFor(module, options.out, (memory) => {
    const from = memory.floatsFrom(data, "table");
    const grid = memory.doublesFrom(extents, "grids");
    const out = lendResult(memory, [newRows, dim], "rows * dim");
    unwrap(
      module.tableResize(
        from.address,
        from.length,
        dim,
        grid.address,
        interpolation,
        antialias,
        alignCorners,
        prefix,
        out.address,
        out.length,
      ),
    );
    return out.taken();
  });
}

export function resizeTable(module: FullModule, table: Tensor, options: ResizeTableOptions): Tensor {
  options = checkOptions(options, [...resizeKeys, "length"], "resizeTable");
  const { length, ...rest } = options;
  count("length", length);
  return resize(module, table, rest, { interpolation: "linear", antialias: false }, (rows) => [1, rows, 1, length]);
}

function grid(argument: string, value: readonly [number, number]): [number, number] {
  const extents = checkShape(argument, value);
  if (extents.length !== 2) throw wrongValue(argument, extents, "[height, width]");
  return extents as [number, number];
}

export function resizeGrid(module: FullModule, table: Tensor, options: ResizeGridOptions): Tensor {
  options = checkOptions(options, [...resizeKeys, "from", "to"], "resizeGrid");
  const { from, to, ...rest } = options;
  const extents = [...grid("from", from), ...grid("to", to)] as [number, number, number, number];
  return resize(module, table, rest, { interpolation: "cubic", antialias: true }, () => extents);
}
