import { bold, display, row, sub, sup } from "../../draw/math";

/** The score of rotated vectors is that of one vector rotated by the difference. */
export const relativeRotation = () =>
  display(
    row(
      sup(row("(", sub(bold("R"), "m"), bold("q"), ")"), "⊤"),
      "(",
      sub(bold("R"), "n"),
      bold("k"),
      ")",
      "=",
      sup(bold("q"), "⊤"),
      sub(bold("R"), row("n", "−", "m")),
      bold("k"),
    ),
  );
