import type { TemplateResult } from "lit-html";
import { frac, math, row, sqrt, sub, sup } from "../draw/math";
import type { ClaimId } from "./claim";

/** The formula of each check. */
export const formulas: Readonly<Record<ClaimId, () => TemplateResult>> = {
  A1: () =>
    math(
      "PE",
      row("(", "p", ",", "2", "i", ")"),
      "=",
      "sin",
      row("(", "p", "/", sup("10000", row("2", "i", "/", "d")), ")"),
    ),
  A2: () => math("PE", row("(", "p", "+", "k", ")"), "=", sub("M", "k"), "PE", row("(", "p", ")")),
  A3: () => math("PE", row("(", "p", ")"), "≠", "PE", row("(", "q", ")")),
  A4: () => math("R", row("(", "i", ",", "j", ")"), "=", "PE", row("(", "j", "−", "i", ")")),
  A5: () => math(sub("ω", "i"), "=", sup("10000", row("−", "2", "i", "/", "d")), ", ", "i", "=", row("0, 2, 4, …")),
  A6: () =>
    math(row("(", sub("x", "1"), ",", sub("x", "2"), ")"), "→", row("(", "−", sub("x", "2"), ",", sub("x", "1"), ")")),
  A7: () => math("λ", "=", "2", "π", "/", sub("θ", "i")),
  B1: () => math("PE", row("(", "p", ")"), "·", "PE", row("(", "p", "+", "1", ")")),
  B2: () => math("softmax", row("(", row("(", "Q", sup("K", "⊤"), "+", "R", ")"), "/", sqrt("d"), ")"), "V"),
  B3: () => math(sup("n", "2"), "→", "2", "n", "−", "1"),
  B4: () => math("Var", row("(", "q", "·", "k", ")"), "=", "d"),
  B5: () => math("Concat", row("(", sub("head", "1"), ", …, ", sub("head", "h"), ")"), sup("W", "O")),
  B6: () => math("X", "=", "E", "+", "PE"),
  B7: () => math("P", "←", "P", "−", "η", "∇", "L"),
  C1: () => math("Attention", row("(", "P", "X", ")"), "=", "P", "Attention", row("(", "X", ")")),
  C2: () => math(sub("X", "0"), "+", "PE", row("(", "0", ")"), "≠", sub("X", "4"), "+", "PE", row("(", "4", ")")),
  C3: () => math("X′", "=", "X", "+", "PE"),
  C4: () => math(sub("λ", "i"), "=", "2", "π", "·", sup("10000", row("2", "i", "/", "d"))),
  C5: () => math("p", row("(", "w", ")")),
  C6: () => math("p", row("(", sub("w", row("i", "+", "1")), ")"), "−", "p", row("(", sub("w", "i"), ")")),
  C7: () => math(sup(row("(", sub("R", "m"), "q", ")"), "⊤"), sub("R", "n"), "k"),
  C8: () =>
    math(row("(", sub("R", "m"), "x", sub("W", "q"), ")"), sup(row("(", sub("R", "n"), "y", sub("W", "k"), ")"), "⊤")),
  C9: () => math("cos", "Δ", row("(", "q", "·", "k", ")"), "+", "sin", "Δ", row("(", "q", "×", "k", ")")),
  C10: () => math("θ", "=", "p", "·", sup("10000", row("−", "2", "i", "/", "(", "d", "/", "2", ")"))),
  C11: () => math("softmax", row("(", "Q", "′", sup(row("K", "′"), "⊤"), "/", sqrt("2"), ")"), "V"),
  C12: () => math("θ", "=", "p", "/", sup("10000", row("2", "i", "/", "12"))),
  C13: () => math(sup("x", "⊤"), sup(sub("W", "q"), "⊤"), sub("R", row("n", "−", "m")), sub("W", "k"), "y"),
  C14: () => math("|", sub("R", "m"), "q", "|", "=", "|", "q", "|"),
  C15: () => math(row("Σ"), "cos", row("(", "s", sub("θ", "i"), ")"), "/", row("(", "d", "/", "2", ")")),
  C16: () => math("g", row("(", "Δx", ",", "Δy", ")")),
  C17: () =>
    math(
      frac(
        row("Σ", row("(", "R", "φ", row("(", "q", ")"), ")"), "·", row("(", "R", "φ", row("(", "k", ")"), ")"), "v"),
        row("Σ", "φ", row("(", "q", ")"), "·", "φ", row("(", "k", ")")),
      ),
    ),
  C18: () => math("N", row("(", "2", "n", ")"), "=", sup("2", "a"), "N", row("(", "n", ")")),
  D1: () => math(row("(", "V", "+", "n", "+", "2", ")"), "d", "+", "…"),
  D2: () => math("PE", row("(", "p", ")")),
  D3: () => math("PE", row("[", ":", "n", "]")),
  D4: () => math("x", "cos", "+", "x̃", "sin"),
  D5: () => math(sub("R", "p"), "PE", row("(", "0", ")"), "=", "PE", row("(", "p", ")")),
  E1: () => math("X", "=", "W", "+", "P"),
  E2: () => math(sub("P", "p"), "=", row("(", "sin", "p", ",", "cos", "p", ")")),
  E3: () => math(sub("P", "i"), "≠", sub("P", "j")),
  E4: () => math("PE", row("(", "p", ")"), ", ", "p", ">", "n"),
  E5: () => math("x", "+", "PE", row("[", ":", "n", "]")),
  E6: () => math(sub("W", "苹果"), "+", "PE", row("(", "p", ")")),
};
