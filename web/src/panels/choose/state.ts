import { choice, defineState } from "../../core/state";

export const state = defineState({
  chooseFor: choice("for", ["all", "short", "long", "extend", "untrained", "encoder"]),
});
