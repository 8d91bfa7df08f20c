import type { FullModule } from "posenc-module";
import { options as checkOptions, flag, number, unwrap } from "./check.js";
import { borrowFor, lendResult } from "./memory.js";
import { lendPositions } from "./positions.js";
import { ModuleRotary } from "./rotary.js";
import { axesKeys, rotateInPlace, rotationKeys, tokenPositions } from "./rotation.js";
import type { RotaryMatrixOptions, RotateAgainOptions, ShiftRotatedOptions, Tensor } from "./types/index.js";

export function shiftRotated(module: FullModule, x: Float32Array, options: ShiftRotatedOptions): Float32Array {
  options = checkOptions(options, [...axesKeys, "rotary", "by"], "shiftRotated");
  const { by } = options;
  const rotary = ModuleRotary.addressOf(module, "rotary", options.rotary);
  const isList = typeof by === "object" && by !== null;
  if (!isList) number("by", by);
  return rotateInPlace(
    module,
    x,
    options,
    (memory) =>
      isList
        ? lendPositions(memory, undefined, by, 0)
        : { ...lendPositions(memory, by, undefined, 0), everywhere: true },
    (lent) =>
      module.rotaryShift(rotary, lent.x.address, lent.x.length, lent.shape.address, lent.rank, lent.positions.address),
  );
}

export function rotateAgain(module: FullModule, x: Float32Array, options: RotateAgainOptions): Float32Array {
  options = checkOptions(options, [...rotationKeys, "from", "to"], "rotateAgain");
  const from = ModuleRotary.addressOf(module, "from", options.from);
  const to = ModuleRotary.addressOf(module, "to", options.to);
  return rotateInPlace(module, x, options, tokenPositions(options), (lent) =>
    module.rotaryAgain(from, to, lent.x.address, lent.x.length, lent.shape.address, lent.rank, lent.positions.address),
  );
}

export function rotaryMatrix(module: FullModule, options: RotaryMatrixOptions): Tensor {
  options = checkOptions(options, ["rotary", "position", "inverse", "out"], "rotaryMatrix");
  const { rotary, position, inverse = false } = options;
  const handle = ModuleRotary.addressOf(module, "rotary", rotary);
  return borrowFor(module, options.out, (memory) => {
    const out = lendResult(memory, [rotary.dim, rotary.dim], "dim * dim");
    unwrap(
      module.rotaryMatrix(handle, number("position", position), flag("inverse", inverse), out.address, out.length),
    );
    return out.taken();
  });
}
