// Part of what the compiled module of posenc/full has: storage types, rotary caches, shifts, xPos, points, M-RoPE.

declare module "posenc-module" {
  import type { Scaling } from "./types/index.js";

  export interface FullModule {
    /** Here and below `dtype` is one of 16 bits. */
    storedConvert(dtype: string, widen: boolean, from: number, to: number, size: number): Outcome;
    storedTable(sinusoid: Handle, dtype: string, list: number, count: number, offset: number, out: number): Outcome;
    storedGrid(sinusoid: Handle, dtype: string, mask: number, maskSize: number, out: number): Outcome;
    storedCache(
      rotary: Handle,
      dtype: string,
      form: string,
      list: number,
      count: number,
      offset: number,
      cosines: number,
      cosinesSize: number,
      sines: number,
      sinesSize: number,
    ): Outcome;
    storedApply(
      rotary: Handle,
      dtype: string,
      x: number,
      size: number,
      shape: number,
      rank: number,
      positions: number,
      inverse: boolean,
    ): Outcome;
    rotaryMakeFloat32(
      dim: number,
      layout: string,
      base: number,
      rotaryDim: number,
      exponent: string,
      exponentDim: number,
      scaling: Scaling | undefined,
      length: number,
    ): Handle | Failure;
    rotaryCacheRow(rotary: Handle, form: string): number | Failure;
    rotaryCacheIn(
      rotary: Handle,
      form: string,
      list: number,
      count: number,
      offset: number,
      cosines: number,
      cosinesSize: number,
      sines: number,
      sinesSize: number,
    ): Outcome;
    rotateWithCache(
      form: string,
      layout: string,
      rotaryDim: number,
      cosines: number,
      cosinesSize: number,
      sines: number,
      sinesSize: number,
      x: number,
      size: number,
      shape: number,
      rank: number,
      positions: number,
      inverse: boolean,
    ): Outcome;
    rotaryShift(rotary: Handle, x: number, size: number, shape: number, rank: number, by: number): Outcome;
    rotaryAgain(
      from: Handle,
      to: Handle,
      x: number,
      size: number,
      shape: number,
      rank: number,
      positions: number,
    ): Outcome;
    rotaryMatrix(rotary: Handle, position: number, inverse: boolean, out: number, size: number): Outcome;
    convertLayout(
      dim: number,
      rotaryDim: number,
      from: string,
      to: string,
      inner: number,
      x: number,
      size: number,
      out: number,
    ): Outcome;
    packedPositions(boundaries: number, count: number, out: number, size: number): Outcome;
    maskPositions(mask: number, size: number, sequence: number, padding: number, out: number): Outcome;
    linearAttention(
      rotary: Handle,
      heads: number,
      queries: number,
      keys: number,
      dim: number,
      valueDim: number,
      causal: boolean,
      queryOffset: number,
      queryPositions: number,
      keyPositions: number,
      query: number,
      key: number,
      value: number,
      output: number,
    ): Outcome;
    xposMake(
      dim: number,
      layout: string,
      base: number,
      rotaryDim: number,
      exponent: string,
      exponentDim: number,
      scaling: Scaling | undefined,
      length: number,
      centre: number,
      scaleBase: number,
    ): Handle | Failure;
    xposRotaryDim(xpos: Handle): number;
    xposAttentionFactor(xpos: Handle): number;
    xposApply(
      xpos: Handle,
      x: number,
      size: number,
      shape: number,
      rank: number,
      positions: number,
      side: string,
      inverse: boolean,
    ): Outcome;
    xposScales(xpos: Handle, list: number, count: number, offset: number, out: number, size: number): Outcome;
    xposFree(xpos: Handle): void;

    /** NaN and "" stand for options that were not given. */
    gridRotaryMake(
      preset: string,
      dim: number,
      layout: string,
      base: number,
      axes: number,
      lanes: number,
      laneCount: number,
      start: number,
      reference: number,
      referenceCount: number,
      merge: number,
      maxFrequency: number,
    ): Handle | Failure;
    mixedRotaryMake(
      dim: number,
      rotaryDim: number,
      heads: number,
      axes: number,
      layout: string,
      order: string,
      frequencies: number,
      size: number,
    ): Handle | Failure;
    mixedFrequencies(dim: number, heads: number, base: number, seed: number, out: number, size: number): Outcome;
    mropeMake(
      dim: number,
      layout: string,
      base: number,
      rotaryDim: number,
      exponent: string,
      exponentDim: number,
      scaling: Scaling | undefined,
      length: number,
      sections: number,
      sectionCount: number,
      order: string,
    ): Handle | Failure;
    pointRotaryAxes(rotary: Handle): number;
    pointRotaryDim(rotary: Handle): number;
    pointRotaryAttentionFactor(rotary: Handle): number;
    pointRotaryCells(rotary: Handle, shape: number, rank: number): number | Failure;
    pointRotaryPoints(rotary: Handle, shape: number, rank: number, out: number, size: number): Outcome;
    pointRotaryApply(
      rotary: Handle,
      x: number,
      size: number,
      shape: number,
      rank: number,
      sequenceAxis: number,
      points: number,
      count: number,
      before: number,
      after: number,
      inverse: boolean,
    ): Outcome;
    pointRotaryCache(
      rotary: Handle,
      points: number,
      count: number,
      before: number,
      after: number,
      row: string,
      cosines: number,
      sines: number,
      size: number,
    ): Outcome;
    pointRotaryFree(rotary: Handle): void;
    /** `segments` holds five doubles for each of `count`. */
    mropeTokens(
      preset: string,
      time: string,
      next: string,
      merge: number,
      tokensPerSecond: number,
      segments: number,
      count: number,
    ): number | Failure;
    mropePositions(
      preset: string,
      time: string,
      next: string,
      merge: number,
      tokensPerSecond: number,
      segments: number,
      count: number,
      out: number,
      rows: number,
      row: number,
      length: number,
      side: string,
      padding: number,
    ): number | Failure;
  }
}
