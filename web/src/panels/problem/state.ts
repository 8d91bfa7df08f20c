import { choice, defineState, words } from "../../core/state";

export const state = defineState({
  /** Which word stands at each place, as numbers with points between; anything else is the order of the sentence. */
  problemOrder: words("moved", "", 40),
  problemPositions: choice("positions", ["off", "on"]),
});
