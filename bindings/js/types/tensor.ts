/** A float32 array with its shape, in row-major order (the last axis is contiguous). */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}
