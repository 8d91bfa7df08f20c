import { defineState, words } from "../core/state";

export const state = defineState({
  claim: words("claim", "", 3),
  trials: words("trials", "", 1000),
});
