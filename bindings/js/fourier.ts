import type { FullModule } from "posenc-module";
import { options as checkOptions, flagIfGiven, nameIfGiven, numbers, text, unwrap, whole } from "./check.js";
import { type Borrower, borrowFor, lendResult } from "./memory.js";
import type { FourierOptions, NerfOptions, Tensor } from "./types/index.js";

/** The features of points by the core's object, which is then freed. */
function featuresOf(
  module: FullModule,
  memory: Borrower,
  handle: number,
  points: ArrayLike<number>,
  inputs: number,
): Tensor {
  try {
    const coordinates = memory.doublesFrom(numbers("points", points), "points");
    const shape = [Math.floor(coordinates.length / inputs), module.fourierLanes(handle)];
    const out = lendResult(memory, shape, "points * features");
    unwrap(module.fourierFeatures(handle, coordinates.address, coordinates.length, out.address, out.length));
    return out.taken();
  } finally {
    module.fourierFree(handle);
  }
}

export function fourier(module: FullModule, options: FourierOptions): Tensor {
  options = checkOptions(
    options,
    ["points", "weights", "inputs", "preset", "unit", "order", "logarithmic", "out"],
    "fourier",
  );
  const inputs = whole("inputs", options.inputs ?? 1);
  return borrowFor(module, options.out, (memory) => {
    const weights = memory.doublesFrom(numbers("weights", options.weights), "weights");
    const handle = unwrap(
      module.fourierMake(
        text("preset", options.preset, "the name of a preset; it has no default"),
        inputs,
        nameIfGiven("unit", options.unit),
        nameIfGiven("order", options.order),
        flagIfGiven("logarithmic", options.logarithmic),
        weights.address,
        weights.length,
      ),
    );
    return featuresOf(module, memory, handle, options.points, inputs);
  });
}

export function nerf(module: FullModule, options: NerfOptions): Tensor {
  options = checkOptions(options, ["points", "inputs", "levels", "preset", "unit", "out"], "nerf");
  const inputs = whole("inputs", options.inputs ?? 1);
  const levels = whole("levels", options.levels);
  const preset = text("preset", options.preset ?? "paper");
  const handle = unwrap(module.fourierNerf(inputs, levels, preset, nameIfGiven("unit", options.unit)));
  return borrowFor(module, options.out, (memory) => featuresOf(module, memory, handle, options.points, inputs));
}
