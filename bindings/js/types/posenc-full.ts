import type { AttentionModules } from "./attention-modules.js";
import type { SinusoidalGridOptions } from "./axial_sinusoid.js";
import type { FourierOptions, NerfOptions } from "./fourier.js";
import type { HubConfig } from "./hub-config.js";
import type { Posenc } from "./posenc.js";
import type { RelativeEncodings } from "./relative-encodings.js";
import type { Tensor } from "./tensor.js";

/** The library, loaded from `posenc/full`. */
export interface PosencFull extends Omit<Posenc, "attention" | "linear">, AttentionModules, RelativeEncodings {
  /** Sinusoids of a grid's coordinates, [...shape, dim], or [prefixTokens + cells, dim]. */
  sinusoidalGrid(options: SinusoidalGridOptions): Tensor;
  /** Fourier features of points, [points, 2 * features]. */
  fourier(options: FourierOptions): Tensor;
  /** NeRF's encoding of points, [points, lanes]. */
  nerf(options: NerfOptions): Tensor;
  /**
   * Reads the rotary plans out of the object parsed from a model's config.json (Hugging Face transformers 4 and 5).
   * A RangeError names a wrong key with its path: "rope_scaling.factor: …".
   */
  hubConfig(config: object): HubConfig;
}
