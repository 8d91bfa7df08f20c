import { defineState, words } from "../../core/state";

export const state = defineState({
  absoluteFirst: words("s1", "The cat sat on the mat", 200),
  absoluteSecond: words("s2", "On the mat, the cat sat", 200),
});
