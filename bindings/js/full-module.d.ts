// What the compiled module of posenc/full has beside that of posenc (module.d.ts).

declare module "posenc-module" {
  import type { HubConfig, Scaling } from "./types/index.js";

  /** What `posenc/full` holds. */
  export interface FullModule extends Module {
    sinusoidShiftMatrix(sinusoid: Handle, by: number, out: number): Outcome;
    sinusoidShift(sinusoid: Handle, by: number, table: number, size: number): Outcome;

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

    /** `shape`, here and below: the address of four doubles, heads, queries, keys and query offset. */
    relativeOffsets(shape: number, out: number, size: number): Outcome;
    relativeExpand(
      shape: number,
      inner: number,
      compact: number,
      compactSize: number,
      out: number,
      size: number,
    ): Outcome;
    relativeExpandIds(
      shape: number,
      inner: number,
      compact: number,
      compactSize: number,
      out: number,
      size: number,
    ): Outcome;
    relativeSinusoid(sinusoid: Handle, sign: string, shape: number, out: number, size: number): Outcome;

    alibiSlopes(slopes: string, steepness: number, out: number, heads: number): Outcome;
    alibiBias(
      slopes: string,
      distance: string,
      steepness: number,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
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

    copeBias(
      shape: number,
      dim: number,
      future: string,
      query: number,
      logits: number,
      embedding: number,
      embeddingSize: number,
      out: number,
      counts: number,
    ): Outcome;
    fireBias(
      c: number,
      threshold: number,
      epsilon: number,
      weight1: number,
      weight1Size: number,
      bias1: number,
      bias1Size: number,
      weight2: number,
      weight2Size: number,
      bias2: number,
      bias2Size: number,
      shape: number,
      future: string,
      compact: boolean,
      out: number,
      size: number,
    ): Outcome;
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
    kerpleBias(
      kernel: string,
      r1: number,
      r1Size: number,
      r2: number,
      r2Size: number,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
    sandwichBias(
      dim: number,
      base: number,
      indices: string,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
    shawIds(maxDistance: number, shape: number, out: number, size: number): Outcome;
    shawAttention(
      shape: number,
      dim: number,
      valueDim: number,
      scale: number,
      maxDistance: number,
      future: string,
      query: number,
      key: number,
      value: number,
      keyTable: number,
      keyTableSize: number,
      valueTable: number,
      valueTableSize: number,
      weights: number,
      output: number,
    ): Outcome;
    /** `ids`, here and below: their address, or 0 for `count` consecutive ones. `paddingIdx`: NaN when not given. */
    tableInit(
      dim: number,
      seed: number,
      uniform: boolean,
      scale: number,
      paddingIdx: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
    tableLookup(
      table: number,
      tableSize: number,
      dim: number,
      ids: number,
      count: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
    tableAdd(
      x: number,
      size: number,
      dim: number,
      table: number,
      tableSize: number,
      ids: number,
      count: number,
      offset: number,
    ): Outcome;
    tableGradient(
      gradient: number,
      size: number,
      dim: number,
      ids: number,
      count: number,
      offset: number,
      paddingIdx: number,
      out: number,
      outSize: number,
    ): Outcome;
    paddedPositions(mask: number, size: number, sequence: number, paddingIdx: number, past: number): Outcome;
    sgdStep(
      lr: number,
      momentum: number,
      dampening: number,
      weightDecay: number,
      nesterov: boolean,
      step: number,
      gradient: number,
      gradientSize: number,
      parameters: number,
      size: number,
      buffer: number,
      bufferSize: number,
    ): Outcome;
    /** `decay`: "" when not given. */
    adamStep(
      lr: number,
      beta1: number,
      beta2: number,
      eps: number,
      weightDecay: number,
      decay: string,
      step: number,
      gradient: number,
      gradientSize: number,
      parameters: number,
      size: number,
      firstMoment: number,
      firstSize: number,
      secondMoment: number,
      secondSize: number,
    ): Outcome;
    /** `grids`: the address of four doubles, the old height and width and the new ones. */
    tableResize(
      table: number,
      size: number,
      dim: number,
      grids: number,
      interpolation: string,
      antialias: boolean,
      alignCorners: boolean,
      prefix: number,
      out: number,
      outSize: number,
    ): Outcome;
    reformerAxialLookup(
      shape: number,
      rank: number,
      dims: number,
      dimCount: number,
      combination: string,
      tables: number,
      tablesSize: number,
      ids: number,
      count: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
    reformerAxialGradient(
      shape: number,
      rank: number,
      dims: number,
      dimCount: number,
      combination: string,
      gradient: number,
      gradientSize: number,
      ids: number,
      count: number,
      offset: number,
      out: number,
      size: number,
    ): Outcome;
    swinTokens(height: number, width: number, classToken: boolean): number | Failure;
    swinTableRows(height: number, width: number, classToken: boolean): number | Failure;
    swinIndex(height: number, width: number, classToken: boolean, out: number, size: number): Outcome;
    swinBias(
      height: number,
      width: number,
      classToken: boolean,
      heads: number,
      table: number,
      tableSize: number,
      out: number,
      size: number,
    ): Outcome;
    swinLogCoordinates(
      height: number,
      width: number,
      pretrainedHeight: number,
      pretrainedWidth: number,
      out: number,
      size: number,
    ): Outcome;
    swinLogCpb(
      height: number,
      width: number,
      pretrainedHeight: number,
      pretrainedWidth: number,
      weight1: number,
      weight1Size: number,
      bias1: number,
      bias1Size: number,
      weight2: number,
      weight2Size: number,
      bias2: number,
      bias2Size: number,
      heads: number,
      out: number,
      size: number,
    ): Outcome;
    t5Make(buckets: number, maxDistance: number, bidirectional: boolean): Handle | Failure;
    t5Ids(t5: Handle, shape: number, out: number, size: number): Outcome;
    t5Bias(
      t5: Handle,
      table: number,
      tableSize: number,
      shape: number,
      future: string,
      out: number,
      size: number,
    ): Outcome;
    t5Free(t5: Handle): void;
    transformerXlAttention(
      shape: number,
      dim: number,
      valueDim: number,
      scale: number,
      future: string,
      query: number,
      key: number,
      value: number,
      relative: number,
      relativeSize: number,
      contentBias: number,
      positionBias: number,
      weights: number,
      output: number,
    ): Outcome;
    relativeShift(heads: number, queries: number, width: number, x: number, out: number): Outcome;
  }
}
