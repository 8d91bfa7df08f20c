import { choice, defineState, words } from "../../core/state";

export const state = defineState({
  /** The order of the words as their numbers with points between; anything else is the order of the sentence. */
  problemOrder: words("moved", "", 40),
  problemPositions: choice("positions", ["off", "on"]),
});
