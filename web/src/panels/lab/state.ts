import { choice, defineState, number, words } from "../../core/state";

export const state = defineState({
  labTask: choice("lt", ["text", "order", "back", "pair"]),
  labShown: words("le", "", 80),
  labGuess: words("lg", "", 30),
  labDoublings: number("lx", 0, 0, 3, true),
  labSteps: choice("ls", ["auto", "full", "short"]),
  labSeeds: choice("ln", ["1", "3"]),
  labLayer: number("ll", 1, 1, 2, true),
  labHead: number("lh", 1, 1, 4, true),
});
