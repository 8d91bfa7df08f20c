import { fromSource } from "../from-source.mjs";

/** The verdict of arithmetic on each statement. */
const EXPECTED = {
  holds: "A1 A2 A4 A7 B3 B4 B5 B6 C1 C2 C4 C5 C7 C11 C12 C13 C14 C16 D3 D4 E1 E3 E5",
  conditional: "A3 A6 B2 B7 C15 C17",
  partial: "C18 D2 E4",
  refuted: "A5 B1 C6 C8 C9 C10 D1 D5 E6",
  illustrative: "C3 E2",
};
export const expected = Object.fromEntries(
  Object.entries(EXPECTED).flatMap(([verdict, ids]) => ids.split(" ").map((id) => [id, verdict])),
);

let once;
/** The checks alone, without a page around them. */
export const checks = () => {
  once ??= fromSource("checked", `export { claims } from "./checks"; export { claimIds, verdictOf } from "./claim";`);
  return once;
};

/** The size that a check starts with. */
export const firstSize = ({ sizes }) => sizes?.choices[0] ?? 0;
