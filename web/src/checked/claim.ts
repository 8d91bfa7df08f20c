import type { PosencFull } from "posenc/full";
import type { Trainings } from "./trained";

/** The statements of the five posts: the letter names the post. */
export const claimIds = [
  ...(["A1", "A2", "A3", "A4", "A5", "A6", "A7"] as const),
  ...(["B1", "B2", "B3", "B4", "B5", "B6", "B7"] as const),
  ...(["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"] as const),
  ...(["C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18"] as const),
  ...(["D1", "D2", "D3", "D4", "D5", "E1", "E2", "E3", "E4", "E5", "E6"] as const),
] as const;
export type ClaimId = (typeof claimIds)[number];

export const postIds = ["A", "B", "C", "D", "E"] as const;
export type PostId = (typeof postIds)[number];

export const postOf = (id: ClaimId): PostId => id[0] as PostId;

/** The verdicts, in the order in which they are counted and offered. */
export const verdicts = ["holds", "conditional", "partial", "illustrative", "refuted"] as const;
export type Verdict = (typeof verdicts)[number];

/** The result of a check: the facts that decide the verdict, and the numbers they follow from. */
export interface Finding {
  /** The statement of the post is true. */
  readonly isTrue: boolean;
  /** It is true only under a condition that the post does not state. */
  readonly limited?: boolean;
  /** It consists of several answers, of which some are wrong. */
  readonly partly?: boolean;
  /** It is not true, but its numbers are examples, and the arithmetic on them is right. */
  readonly illustrative?: boolean;
  readonly numbers: Numbers;
}
export type Numbers = Readonly<Record<string, number>>;

/** The one rule by which facts become a verdict. */
export function verdictOf({ isTrue, limited, partly, illustrative }: Finding): Verdict {
  if (isTrue && partly) return "partial";
  if (isTrue) return limited ? "conditional" : "holds";
  return illustrative ? "illustrative" : "refuted";
}

/** The parameters of a check, which a reader may change before running it again. */
export interface Trial {
  readonly seed: number;
  readonly size: number;
}

/** The meaning of a size: a count, the number of words before the sentence, a distance, or a position. */
export type SizeKind = "words" | "positions" | "dimensions" | "wordsBefore" | "shift" | "position";

/** The sizes that a check can be run with; the first is the default. */
export interface Sizes {
  readonly of: SizeKind;
  readonly choices: readonly [number, ...number[]];
}

export interface Claim {
  /** Whether the result depends on the seed. */
  readonly seeded?: true;
  readonly sizes?: Sizes;
  /** Whether it reads the stored results of trainings. */
  readonly trained?: true;
  check(pe: PosencFull, trial: Trial, trainings?: Trainings): Finding;
}
export type Claims<Letter extends string> = Readonly<Record<Extract<ClaimId, `${Letter}${string}`>, Claim>>;
