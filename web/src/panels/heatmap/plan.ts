import type { Exponent, Order, Posenc, SinusoidalOptions } from "posenc";
import { largest } from "../../core/library";

/** What the library makes of a preset and of what is to differ from it. */
export interface SinusoidalPlan {
  readonly order: Order;
  readonly exponent: Exponent;
  readonly shift: number;
  readonly amplitude: number;
  /** The lane of each frequency's sine and of its cosine, -1 where there is none. */
  readonly sines: readonly number[];
  readonly cosines: readonly number[];
}

const presets: Readonly<
  Record<NonNullable<SinusoidalOptions["preset"]>, { order: Order; exponent: Exponent; shift: number }>
> = {
  paper: { order: "interleaved", exponent: "paper", shift: 0 },
  tensor2tensor: { order: "split", exponent: "half", shift: 1 },
  whisper: { order: "split", exponent: "half", shift: 1 },
  diffusers: { order: "split", exponent: "half", shift: 1 },
  ggml: { order: "cosines-first", exponent: "half", shift: 0 },
  mlx: { order: "split", exponent: "half", shift: 1 },
};

/** To be asked of the library as soon as that answers it. */
export function sinusoidalPlan(pe: Posenc, options: SinusoidalOptions): SinusoidalPlan {
  const { dim } = options;
  const preset = presets[options.preset ?? "paper"];
  const exponent = options.exponent ?? preset.exponent;
  const order = options.order ?? preset.order;
  const half = Math.floor(dim / 2);
  // As the library: of another exponent than its own a preset's shift is not kept, nor where it would divide by zero.
  const isOwn = exponent === preset.exponent && !(options.preset === "tensor2tensor" && half === 1);
  const sineCount = exponent === "half" ? half : dim - half;
  const cosineCount = Math.min(sineCount, dim - sineCount);
  const places = Array.from({ length: sineCount }, (_, i) => i);
  const cosine = (i: number) => (order === "interleaved" ? 2 * i + 1 : order === "split" ? sineCount + i : i);
  return {
    order,
    exponent,
    shift: options.shift ?? (isOwn ? preset.shift : 0),
    amplitude: largest(pe.sinusoidal({ ...options, length: 1, offset: 0 })),
    sines: places.map((i) => (order === "interleaved" ? 2 * i : order === "split" ? i : cosineCount + i)),
    cosines: places.map((i) => (i < cosineCount ? cosine(i) : -1)),
  };
}
