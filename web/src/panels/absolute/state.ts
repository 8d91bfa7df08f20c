import { defineState, words } from "../../core/state";

export const state = defineState({
  absoluteSecond: words("s2", "On the mat, the cat sat", 200),
});
