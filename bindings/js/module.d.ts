// The compiled modules as bindings/embind exports them, a small one and one with everything. Addresses are byte offsets into its memory.

declare module "posenc-module" {
  import type { HubConfig, Scaling } from "./types/index.js";

  /** What the core says of a wrong argument. */
  export interface Failure {
    argument: string;
    value: number | string;
    expected: string;
  }
  type Outcome = Failure | undefined;
  type Handle = number;

  /** What the entry `posenc` holds. */
  export interface Module {
    readonly HEAP32: Int32Array;
    readonly HEAPF32: Float32Array;
    readonly HEAPF64: Float64Array;
    /** 0 when memory is exhausted. */
    _malloc(bytes: number): number;
    _free(address: number): void;

    /** `exponentDim`, `length` and, below, `rotaryDim`, `sequenceAxis`: NaN when not given. */
    frequenciesMake(
      dim: number,
      base: number,
      exponent: string,
      shift: number,
      scale: number,
      exponentDim: number,
      scaling: Scaling | undefined,
      length: number,
    ): Handle | Failure;
    frequenciesAttentionFactor(frequencies: Handle): number;
    frequenciesCount(frequencies: Handle): number;
    frequenciesRadians(frequencies: Handle, out: number): void;
    frequenciesFree(frequencies: Handle): void;

    /** NaN and "" stand for options that were not given. */
    sinusoidMake(
      dim: number,
      preset: string,
      base: number,
      exponent: string,
      shift: number,
      scale: number,
      order: string,
      amplitude: number,
    ): Handle | Failure;
    sinusoidTable(sinusoid: Handle, list: number, count: number, offset: number, out: number): Outcome;
    sinusoidShiftMatrix(sinusoid: Handle, by: number, out: number): Outcome;
    sinusoidShift(sinusoid: Handle, by: number, table: number, size: number): Outcome;
    sinusoidFree(sinusoid: Handle): void;

    rotaryMake(
      dim: number,
      layout: string,
      base: number,
      rotaryDim: number,
      exponent: string,
      exponentDim: number,
      scaling: Scaling | undefined,
      length: number,
    ): Handle | Failure;
    rotaryAttentionFactor(rotary: Handle): number;
    rotaryDim(rotary: Handle): number;
    rotaryCache(rotary: Handle, list: number, count: number, offset: number, cosines: number, sines: number): Outcome;
    rotaryApply(
      rotary: Handle,
      x: number,
      size: number,
      shape: number,
      rank: number,
      sequenceAxis: number,
      list: number,
      count: number,
      offset: number,
      inverse: boolean,
    ): Outcome;
    rotaryFree(rotary: Handle): void;

    absoluteAdd(x: number, size: number, rows: number, dim: number, table: number, tableSize: number): Outcome;
    linear(x: number, rows: number, inputs: number, weight: number, outputs: number, y: number): Outcome;
    attention(
      heads: number,
      queries: number,
      keys: number,
      dim: number,
      valueDim: number,
      scale: number,
      query: number,
      key: number,
      value: number,
      bias: number,
      biasSize: number,
      biasScaled: boolean,
      weights: number,
      output: number,
    ): Outcome;
  }

  /** What `posenc/full` holds. */
  export interface FullModule extends Module {
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
    axialSinusoidTable(sinusoid: Handle, out: number): Outcome;
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

  export default function createModule(options: {
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
  }): Promise<FullModule>;
}

declare module "posenc-module.wasm" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
