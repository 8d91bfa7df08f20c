import { choice, defineState, number, words } from "../../core/state";

export const state = defineState({
  labTask: choice("lt", ["text", "order", "back", "pair", "roles"]),
  labShown: words("le", "", 80),
  labGuess: words("lg", "", 30),
  labDoublings: number("lx", 0, 0, 3, true),
});
