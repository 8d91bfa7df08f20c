/** Holds what the posts print, literally: numbers are texts, so that they are shown with the printed digits. */
export interface Printed {
  readonly words: readonly string[];
  readonly embedding: readonly string[];
  readonly position: readonly string[];
  readonly sum: readonly string[];
  readonly dim: number;
  /** Digits after the point in the printed sums. */
  readonly digits: number;
  /** Whether the post prints "…" after the dimensions given. */
  readonly cut: boolean;
}

/** "The cat sat on the mat." in the two posts. */
export const printed: Readonly<Record<"C" | "E", Printed>> = {
  C: {
    words: ["The", "cat", "sat", "on", "the", "mat."],
    embedding: ["0.1 0.3 0.5", "0.2 0.4 0.6", "0.3 0.5 0.7", "0.4 0.6 0.8", "0.1 0.3 0.5", "0.5 0.7 0.9"],
    position: [
      "0.99 0.01 0.98",
      "0.87 0.12 0.94",
      "0.76 0.24 0.91",
      "0.65 0.36 0.88",
      "0.54 0.46 0.82",
      "0.43 0.58 0.79",
    ],
    sum: ["1.09 0.31 1.48", "1.07 0.52 1.54", "1.06 0.74 1.61", "1.05 0.96 1.68", "0.64 0.76 1.32", "0.93 1.28 1.69"],
    dim: 3,
    digits: 2,
    cut: true,
  },
  E: {
    words: ["The", "cat", "sat", "on", "the", "mat"],
    embedding: ["0.1 0.2", "0.3 0.4", "0.5 0.6", "0.7 0.8", "0.9 1.0", "1.1 1.2"],
    position: ["0.0 1.0", "0.8 0.6", "0.5 0.8", "0.2 0.9", "0.9 0.4", "0.7 0.2"],
    sum: ["0.1 1.2", "1.1 1.0", "1.0 1.4", "0.9 1.7", "1.8 1.4", "1.8 1.4"],
    dim: 2,
    digits: 1,
    cut: false,
  },
};
