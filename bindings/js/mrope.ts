import type { FullModule } from "posenc-module";
import {
  options as checkOptions,
  int32Array,
  nameIfGiven,
  number,
  numberIfGiven,
  numbers,
  text,
  unwrap,
  whole,
  wrongType,
} from "./check.js";
import { type Borrower, borrow, borrowFor, type Loan, lendResultOf } from "./memory.js";
import { PointRotary } from "./point_rotary.js";
import { given, scalingArguments, scalingKeys } from "./scaling.js";
import type {
  Mrope,
  MropeApply,
  MropeCache,
  MropeIds,
  MropeOptions,
  MropePositionOptions,
  MropePositions,
  MropeSegment,
  Tensor,
} from "./types/index.js";

function listOf(positions: MropeIds): ArrayLike<number> {
  if (typeof positions === "object" && positions !== null && "data" in positions) {
    return int32Array("positions.data", positions.data);
  }
  return numbers("positions", positions);
}

class ModuleMrope extends PointRotary implements Mrope {
  apply(x: Float32Array, options: MropeApply): Float32Array {
    options = checkOptions(options, ["shape", "positions", "seqAxis", "inverse"], "apply");
    return this.rotate(x, options, (memory) => memory.doublesFrom(listOf(options.positions), "positions"));
  }

  cache(options: MropeCache): { cos: Tensor; sin: Tensor } {
    options = checkOptions(options, ["positions", "row", "out"], "cache");
    return this.cosinesAndSines(options, (memory) => memory.doublesFrom(listOf(options.positions), "positions"));
  }
}

const keys = ["dim", "layout", "base", "rotaryDim", "exponent", ...scalingKeys, "sections", "order"] as const;

export function mrope(module: FullModule, options: MropeOptions): Mrope {
  options = checkOptions(options, keys, "mrope");
  const { dim, layout, base = 10000, rotaryDim, exponent = "paper", sections, order } = options;
  const handle = borrow(module, (memory) => {
    const list = Array.from(numbers("sections", sections), (section, i) => whole(`sections[${i}]`, section));
    const lent = memory.doublesFrom(list, "sections");
    return unwrap(
      module.mropeMake(
        whole("dim", dim),
        text("layout", layout, "the name of a layout; it has no default"),
        number("base", base),
        given("rotaryDim", rotaryDim),
        text("exponent", exponent),
        ...scalingArguments(options),
        lent.address,
        lent.length,
        text("order", order, "the name of an order; it has no default"),
      ),
    );
  });
  return new ModuleMrope(module, "mrope", handle, dim);
}

const kinds = ["text", "image", "video"] as const;

type Fields = { [name in (typeof kinds)[number] | "secondsPerGrid"]?: unknown };

/** A segment as five numbers: kind; length, or t, h and w; seconds a grid. */
function numbersOf(segment: MropeSegment, where: string): number[] {
  const fields = checkOptions<Fields>({ ...segment }, [...kinds, "secondsPerGrid"], where);
  const [kind, ...others] = kinds.filter((name) => fields[name] !== undefined);
  if (kind === undefined || others.length > 0) throw wrongType(where, segment, "one of text, image, video");
  const seconds = numberIfGiven(`${where}.secondsPerGrid`, fields.secondsPerGrid);
  if (kind === "text") return [0, whole(`${where}.text`, fields.text), 0, 0, seconds];
  const grid = numbers(`${where}.${kind}`, fields[kind]);
  if (grid.length !== 3) throw wrongType(`${where}.${kind}`, fields[kind], "three numbers, [t, h, w]");
  return [kinds.indexOf(kind), ...Array.from(grid, (extent) => whole(`${where}.${kind}`, extent)), seconds];
}

function lendSegments(memory: Borrower, segments: readonly MropeSegment[], where: string): Loan {
  if (!Array.isArray(segments)) throw wrongType(where, segments, "an array of segments");
  return memory.doublesFrom(Array.from(segments, (segment, i) => numbersOf(segment, `${where}[${i}]`)).flat(), where);
}

const positionKeys = [
  "preset",
  "segments",
  "rows",
  "time",
  "next",
  "mergeSize",
  "tokensPerSecond",
  "padding",
  "paddingPosition",
  "out",
] as const;

/** The rows of a batch, or the one there is. */
function rowsOf({ segments, rows }: MropePositionOptions): readonly (readonly MropeSegment[])[] {
  if (rows === undefined) return [segments ?? []];
  if (segments !== undefined) throw wrongType("segments", segments, "nothing beside rows");
  if (!Array.isArray(rows)) throw wrongType("rows", rows, "an array of arrays of segments");
  return rows;
}

export function mropePositions(module: FullModule, options: MropePositionOptions): MropePositions {
  options = checkOptions(options, positionKeys, "mropePositions");
  const rows = rowsOf(options);
  const shared = [
    text("preset", options.preset, "the name of a preset; it has no default"),
    nameIfGiven("time", options.time),
    nameIfGiven("next", options.next),
    given("mergeSize", options.mergeSize),
    numberIfGiven("tokensPerSecond", options.tokensPerSecond),
  ] as const;
  const filled = whole("paddingPosition", options.paddingPosition ?? 1);
  return borrowFor(module, options.out, (memory) => {
    const lent = Array.from(rows, (row, i) =>
      lendSegments(memory, row, options.rows === undefined ? "segments" : `rows[${i}]`),
    );
    const lengths = lent.map((loan) => unwrap(module.mropeTokens(...shared, loan.address, loan.length / 5)));
    const length = Math.max(0, ...lengths);
    const isRagged = lengths.some((own) => own !== length);
    const side = text("padding", options.padding ?? (isRagged ? undefined : "left"), 'the side, "left" or "right"');
    const shape = options.rows === undefined ? [3, length] : [3, rows.length, length];
    const out = lendResultOf(Int32Array, memory, shape, "3 * rows * length");
    const ropeDeltas = lent.map((loan, row) =>
      unwrap(
        module.mropePositions(
          ...shared,
          loan.address,
          loan.length / 5,
          out.address,
          rows.length,
          row,
          length,
          side,
          filled,
        ),
      ),
    );
    return { positions: out.taken(), ropeDeltas, lengths };
  });
}
