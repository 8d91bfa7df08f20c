import { bold, display, row, sub, sup } from "../../draw/math";

export const bar = (...parts: Parameters<typeof row>) => row("|", ...parts, "|");

/** The score's bound, and the sums S_j in it. */
export const bound = () => [
  display(
    row(
      bar(sup(bold("q"), "⊤"), sub(bold("R"), "m"), bold("k")),
      "≤",
      "c",
      "·",
      row("∑", bar(sub("S", "j"), "(", "m", ")")),
    ),
  ),
  display(row(sub("S", "j"), "(", "m", ")", "=", sub("∑", row("l", "<", "j")), sup("e", row("i", "m", sub("θ", "l"))))),
];
