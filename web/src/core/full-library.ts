import type { PosencFull } from "posenc/full";

let full: Promise<PosencFull> | undefined;

/** The library with every encoding; fetched when first needed, and again if that failed. */
export function fullLibrary(): Promise<PosencFull> {
  full ??= import("posenc/full").then(
    ({ load }) => load(),
    (error) => {
      full = undefined;
      throw error;
    },
  );
  return full;
}
