import type { selection } from "../core/page-state";
import type { Value } from "../core/state";
import type { PanelId, panels } from "../panels";
import type { ClaimId } from "./claim";

type Intersection<Union> = (Union extends unknown ? (x: Union) => void : never) extends (x: infer All) => void
  ? All
  : never;
type Rows = typeof selection & Intersection<(typeof panels)[PanelId]["state"]>;

/** A figure of the main page, and the state in which it shows the subject of a claim. */
export type FigureLink = { readonly at: PanelId } & Readonly<Partial<{ [K in keyof Rows]: Value<Rows[K]> }>>;

/** The figure that shows each claim best. */
export const figures: Readonly<Record<ClaimId, FigureLink>> = {
  A1: { at: "waves", waveLength: 8 },
  A2: { at: "waves", wavePairs: "0 1 2 3", position: 8 },
  A3: { at: "codes" },
  A4: { at: "relative", relativeMethod: "offset", relativeSize: 8 },
  A5: { at: "waves" },
  A6: { at: "pairs", pairLayout: "half", pairCount: 4 },
  A7: { at: "pairs", pairLayout: "half", pairCount: 16, pairValue: 1 },
  B1: { at: "similarity", similarLength: 128 },
  B2: { at: "relative", relativeHeads: 1 },
  B3: { at: "relative", relativeMethod: "offset", relativeSize: 32 },
  B4: { at: "rope" },
  B5: { at: "relative", relativeHeads: 4, relativeHead: 1 },
  B6: { at: "mix" },
  B7: { at: "lab", labShown: "sinusoid.learned", labGuess: "text:-" },
  C1: { at: "problem", problemOrder: "3.5.0.2.1.4" },
  C2: { at: "mix", position: 4 },
  C3: { at: "mix" },
  C4: { at: "waves", waveLength: 500 },
  C5: { at: "problem", problemOrder: "3.4.5.0.1.2", problemPositions: "on" },
  C6: { at: "relative", relativeMethod: "offset", relativeSize: 6 },
  C7: { at: "derive", deriveRule: "rotate", queryAt: 17 },
  C8: { at: "rope", shift: 45 },
  C9: { at: "derive", deriveRule: "rotate", planeAngle: 30 },
  C10: { at: "pairs", pairLayout: "half" },
  C11: { at: "rope" },
  C12: { at: "pairs" },
  C13: { at: "derive", deriveRule: "rotate", queryAt: 9, deriveBack: 5 },
  C14: { at: "pairs", pair: 0, pairAt: 4 },
  C15: { at: "decay" },
  C16: { at: "patches", patchY: 2, patchX: 3, overY: 5, overX: 1 },
  C17: { at: "derive", deriveRule: "rotate", planeAngle: 60 },
  C18: { at: "lab", labShown: "sinusoid.learned.RoPE.Shaw", labGuess: "text:-", labDoublings: 3 },
  D1: { at: "choose" },
  D2: { at: "waves", waveLength: 4096 },
  D3: { at: "waves", waveLength: 30, waveDim: 512 },
  D4: { at: "pairs", pairLayout: "half", pairCount: 16 },
  D5: { at: "rope" },
  E1: { at: "mix" },
  E2: { at: "mix", position: 1 },
  E3: { at: "mix", position: 5 },
  E4: { at: "waves", waveLength: 512, waveDim: 64, wavePairs: "0 12 24 31", pair: 24 },
  E5: { at: "mix" },
  E6: { at: "problem", problemPositions: "on" },
};
