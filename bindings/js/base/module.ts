// The compiled module, as the glue hands it out.

/**
 * The small module or the full one. Addresses are byte offsets into its memory. Besides what is here it has a
 * function for each description (call.ts), which takes the address of a block and gives 0 or that of a report.
 */
export interface Module {
  readonly HEAPF64: Float64Array;
  /** 0 when memory is exhausted. */
  _malloc(bytes: number): number;
  _free(address: number): void;
  /** Returns 0 when it failed; `rotaryApply` then gives the error. */
  _rotary_step(step: number, position: number): number;
  /** Ends an object of the core's. */
  release(handle: number): void;
  readonly [call: string]: unknown;
}
