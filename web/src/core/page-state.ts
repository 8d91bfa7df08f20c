import { choice, defineState, number } from "./state";

/** How the page looks. */
export const page = defineState({
  language: choice("lang", ["auto", "en", "zh"]),
  theme: choice("theme", ["auto", "light", "dark"]),
  palette: choice("colours", ["PuOr", "RdBu"]),
});

/** What is chosen in one figure is chosen in every figure that has such a thing; one with fewer of them marks its last. */
export const selection = defineState({
  position: number("p", 3, 0, 4095, true),
  otherPosition: number("q", 10, 0, 127, true),
  lane: number("k", 4, 0, 511, true),
  pair: number("pair", 1, 0, 255, true),
  headPair: number("i", 40, 0, 511, true),
});
