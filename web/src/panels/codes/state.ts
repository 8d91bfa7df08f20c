import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  codesRule: choice("written", ["count", "share", "bits", "waves"]),
  codesLength: number("cn", 10, 2, 64, true),
});
