/** A float32 array with its shape, in row-major order (the last axis is contiguous). */
export interface Tensor {
  /** As many values as the extents multiply to. */
  data: Float32Array;
  /** Extents, the slowest axis first. */
  shape: number[];
}
