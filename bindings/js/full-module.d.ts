// What the compiled module of posenc/full has beside that of posenc (module.d.ts). Rotations, relative encodings and
// learned tables are declared in files of their own.

declare module "posenc-module" {
  import type { HubConfig } from "./types/index.js";

  /** What `posenc/full` holds. */
  export interface FullModule extends Module {
    sinusoidShiftMatrix(sinusoid: Handle, by: number, out: number): Outcome;
    sinusoidShift(sinusoid: Handle, by: number, table: number, size: number): Outcome;

    /** NaN and "" stand for options that were not given; flags are then 0 or 1. */
    axialSinusoidMake(
      dim: number,
      preset: string,
      base: number,
      order: string,
      axes: string,
      arrangement: string,
      normalised: number,
      start: number,
      extent: number,
      epsilon: number,
      prefixTokens: number,
      shape: number,
      rank: number,
    ): Handle | Failure;
    axialSinusoidSize(sinusoid: Handle): number;
    axialSinusoidTable(sinusoid: Handle, mask: number, maskSize: number, out: number): Outcome;
    axialSinusoidFree(sinusoid: Handle): void;

    fourierMake(
      preset: string,
      inputs: number,
      unit: string,
      order: string,
      logarithmic: number,
      weights: number,
      size: number,
    ): Handle | Failure;
    fourierNerf(inputs: number, levels: number, preset: string, unit: string): Handle | Failure;
    fourierLanes(fourier: Handle): number;
    fourierFeatures(fourier: Handle, points: number, size: number, out: number, outSize: number): Outcome;
    fourierFree(fourier: Handle): void;

    hubConfig(config: object): HubConfig | Failure;

    /** `list`, here and below: the address of arguments as doubles, see embind/arguments.hpp. */
    absoluteBackward(list: number): Outcome;
    biasFromTable(list: number): Outcome;
    biasTableBackward(list: number): Outcome;
    dropout(list: number): Outcome;
    linearLayer(list: number): Outcome;
    linearBackward(list: number): Outcome;
    multiHead(list: number, maskMeaning: string): Outcome;
    multiHeadBackward(list: number): Outcome;
    scaledDotProduct(list: number, maskMeaning: string): Outcome;
    scaledDotProductBackward(list: number): Outcome;
    shawBackward(shape: number, list: number): Outcome;
    softmax(width: number, x: number, size: number): Outcome;
    softmaxBackward(width: number, weights: number, gradient: number, size: number): Outcome;
    splitHeads(list: number, merge: boolean): Outcome;
  }
}
