import { display, frac, row, sub } from "../../draw/math";

/** The score of two patches with equal vectors. */
export const meanCosine = () =>
  display(
    row(
      frac(row("2"), "d"),
      "∑",
      "cos",
      row("(", "Δ", "y", "·", sub("ω", row("y", ",", "i")), "+", "Δ", "x", "·", sub("ω", row("x", ",", "i")), ")"),
    ),
  );
