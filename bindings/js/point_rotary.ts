import type { FullModule } from "posenc-module";
import {
  options as checkOptions,
  shape as checkShape,
  flag,
  float32Array,
  nameIfGiven,
  number,
  numberIfGiven,
  numbers,
  text,
  unwrap,
  whole,
  wrongType,
} from "./check.js";
import { type Borrower, borrow, borrowFor, borrowForAll, type Loan, lendResult, lendResultOf } from "./memory.js";
import { Owned, Releasing } from "./owned.js";
import { rotaryOuts } from "./rotary.js";
import { given } from "./scaling.js";
import type {
  GridPoints,
  GridRotary,
  GridRotaryApply,
  GridRotaryCache,
  GridRotaryOptions,
  MixedFrequencyOptions,
  MixedRotaryOptions,
  OutOption,
  Tensor,
} from "./types/index.js";

/** Lends the coordinates of points. */
type LendPoints = (memory: Borrower) => Loan;

interface Around {
  prefixTokens?: number;
  suffixTokens?: number;
}

/** What rotations of points have in common, whatever their points are called. */
export class PointRotary extends Releasing {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly axes: number;
  readonly heads: number;
  readonly attentionFactor: number;
  protected readonly module: FullModule;
  readonly #owned: Owned;

  constructor(module: FullModule, what: string, handle: number, dim: number, heads = 1) {
    super();
    this.#owned = new Owned(what, handle, (address) => module.pointRotaryFree(address));
    this.module = module;
    this.dim = dim;
    this.heads = heads;
    this.rotaryDim = module.pointRotaryDim(handle);
    this.axes = module.pointRotaryAxes(handle);
    this.attentionFactor = module.pointRotaryAttentionFactor(handle);
  }

  protected rotate(
    x: Float32Array,
    options: Around & Pick<GridRotaryApply, "shape" | "seqAxis" | "inverse">,
    lend: LendPoints,
  ): Float32Array {
    float32Array("x", x);
    const extents = checkShape("shape", options.shape);
    const axis = given("seqAxis", options.seqAxis);
    const inverse = flag("inverse", options.inverse ?? false);
    return borrow(this.module, (memory) => {
      const data = memory.inPlace(Float32Array, x, "x");
      const shape = memory.doublesFrom(extents, "shape");
      const points = lend(memory);
      unwrap(
        this.module.pointRotaryApply(
          this.#owned.address,
          data.address,
          data.length,
          shape.address,
          shape.length,
          axis,
          points.address,
          points.length,
          whole("prefixTokens", options.prefixTokens ?? 0),
          whole("suffixTokens", options.suffixTokens ?? 0),
          inverse,
        ),
      );
      return memory.taken(data, x);
    });
  }

  protected cosinesAndSines(options: Around & Pick<GridRotaryCache, "row" | "out">, lend: LendPoints) {
    const { row = "pairs", prefixTokens = 0, suffixTokens = 0 } = options;
    const before = whole("prefixTokens", prefixTokens);
    const after = whole("suffixTokens", suffixTokens);
    return borrowForAll(this.module, options.out, rotaryOuts, (memory): { cos: Tensor; sin: Tensor } => {
      const points = lend(memory);
      const handle = this.#owned.address;
      const lanes = this.module.pointRotaryDim(handle);
      const width = text("row", row) === "lanes" ? lanes : lanes / 2;
      const rows = Math.max(before + Math.floor(points.length / this.module.pointRotaryAxes(handle)) + after, 0);
      const shape = this.heads === 1 ? [rows, width] : [rows, this.heads, width];
      const cos = lendResult(memory, shape, "tokens * width", "out.cos");
      const sin = lendResult(memory, shape, "tokens * width", "out.sin");
      unwrap(
        this.module.pointRotaryCache(
          handle,
          points.address,
          points.length,
          before,
          after,
          row,
          cos.address,
          sin.address,
          cos.length,
        ),
      );
      return { cos: cos.taken(), sin: sin.taken() };
    });
  }

  /** Lends the points of a grid's cells. */
  protected lendCells(memory: Borrower, grid: readonly number[]): Loan {
    const shape = memory.doublesFrom(checkShape("grid", grid), "grid");
    const handle = this.#owned.address;
    const cells = unwrap(this.module.pointRotaryCells(handle, shape.address, shape.length));
    const points = memory.doubles(cells * this.module.pointRotaryAxes(handle), "grid");
    unwrap(this.module.pointRotaryPoints(handle, shape.address, shape.length, points.address, points.length));
    return points;
  }

  delete(): void {
    this.#owned.delete();
  }
}

const pointKeys = ["grid", "points", "prefixTokens", "suffixTokens"] as const;

class ModuleGridRotary extends PointRotary implements GridRotary {
  apply(x: Float32Array, options: GridRotaryApply): Float32Array {
    options = checkOptions(options, ["shape", ...pointKeys, "seqAxis", "inverse"], "apply");
    return this.rotate(x, options, this.#lend(options));
  }

  cache(options: GridRotaryCache): { cos: Tensor; sin: Tensor } {
    options = checkOptions(options, [...pointKeys, "row", "out"], "cache");
    return this.cosinesAndSines(options, this.#lend(options));
  }

  points(grid: readonly number[], options: OutOption<Float64Array> = {}): Float64Array {
    options = checkOptions(options, ["out"], "points");
    return borrowFor(this.module, options.out, (memory) => {
      const cells = this.lendCells(memory, grid);
      return lendResultOf(Float64Array, memory, [cells.length], "grid", "out", cells).taken().data;
    });
  }

  #lend({ grid, points }: GridPoints): LendPoints {
    if (grid === undefined) return (memory) => memory.doublesFrom(numbers("points", points), "points");
    if (points !== undefined) throw wrongType("points", points, "nothing beside grid");
    return (memory) => this.lendCells(memory, grid);
  }
}

const gridKeys = [
  "preset",
  "dim",
  "layout",
  "base",
  "axes",
  "lanes",
  "start",
  "reference",
  "mergeSize",
  "maxFrequency",
] as const;

export function rotaryGrid(module: FullModule, options: GridRotaryOptions): GridRotary {
  options = checkOptions(options, gridKeys, "rotaryGrid");
  const { preset, dim, mergeSize = 1 } = options;
  const handle = borrow(module, (memory) => {
    const lanes = memory.doublesFrom(checkShape("lanes", options.lanes ?? []), "lanes");
    const reference = memory.doublesFrom(checkShape("reference", options.reference ?? []), "reference");
    return unwrap(
      module.gridRotaryMake(
        text("preset", preset, "the name of a preset; it has no default"),
        whole("dim", dim),
        nameIfGiven("layout", options.layout),
        numberIfGiven("base", options.base),
        given("axes", options.axes),
        lanes.address,
        lanes.length,
        numberIfGiven("start", options.start),
        reference.address,
        reference.length,
        whole("mergeSize", mergeSize),
        numberIfGiven("maxFrequency", options.maxFrequency),
      ),
    );
  });
  return new ModuleGridRotary(module, "rotaryGrid", handle, dim);
}

const mixedKeys = ["dim", "layout", "frequencies", "heads", "axes", "order", "rotaryDim"] as const;

export function rotaryMixed(module: FullModule, options: MixedRotaryOptions): GridRotary {
  options = checkOptions(options, mixedKeys, "rotaryMixed");
  const { dim, layout, heads = 1, axes = 2, order = "last-first", rotaryDim } = options;
  const handle = borrow(module, (memory) => {
    const frequencies = memory.doublesFrom(numbers("frequencies", options.frequencies), "frequencies");
    return unwrap(
      module.mixedRotaryMake(
        whole("dim", dim),
        given("rotaryDim", rotaryDim),
        whole("heads", heads),
        whole("axes", axes),
        text("layout", layout, "the name of a layout; it has no default"),
        text("order", order),
        frequencies.address,
        frequencies.length,
      ),
    );
  });
  return new ModuleGridRotary(module, "rotaryMixed", handle, dim, heads);
}

export function mixedFrequencies(module: FullModule, options: MixedFrequencyOptions): Float64Array {
  options = checkOptions(options, ["dim", "heads", "base", "seed", "out"], "mixedFrequencies");
  const { dim, heads = 1, base = 10, seed } = options;
  return borrowFor(module, options.out, (memory) => {
    const size = Math.max(whole("dim", dim) * whole("heads", heads), 0);
    const out = lendResultOf(Float64Array, memory, [size], "dim * heads");
    unwrap(module.mixedFrequencies(dim, heads, number("base", base), given("seed", seed), out.address, out.length));
    return out.taken().data;
  });
}
