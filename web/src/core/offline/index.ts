import type { Lazy } from "../lazy";

/** Fetches what is not seen first. To be called once the first screen is drawn: with the figures that can be printed. */
export function keepForLater(figures: readonly Lazy[] = []): void {
  import("./later").then(({ later }) => later(figures), console.debug);
}
