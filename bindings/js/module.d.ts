// The compiled modules as bindings/embind exports them, a small one and one with everything. Addresses are byte offsets into its memory.

declare module "posenc-module" {
  import type { Scaling } from "./types/index.js";

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
    sinusoidTable(
      sinusoid: Handle,
      list: number,
      count: number,
      offset: number,
      precision: string,
      out: number,
    ): Outcome;
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
    /**
     * `shape`, here and in all that rotates: the address of doubles, the axes of sequence, dim and batch (NaN when not
     * given) and `rank` extents. `positions`: of five doubles, a list's address or 0, its size, the first position, how
     * many lists (NaN: one for all), and 1 for the first position everywhere.
     */
    rotaryApply(
      rotary: Handle,
      x: number,
      size: number,
      shape: number,
      rank: number,
      positions: number,
      inverse: boolean,
    ): Outcome;
    rotaryFree(rotary: Handle): void;
    rotaryStepMake(
      rotary: Handle,
      x: number,
      size: number,
      shape: number,
      rank: number,
      inverse: boolean,
    ): Handle | Failure;
    /** 0 when it failed; what failed, rotaryApply says. */
    _rotary_step(step: Handle, position: number): number;
    rotaryStepFree(step: Handle): void;

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

  export default function createModule(options: {
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
  }): Promise<FullModule>;
}
