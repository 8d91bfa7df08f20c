import { choice, defineState, number } from "../../core/state";

export const state = defineState({
  codesRule: choice("code", ["count", "share", "bits", "waves"]),
  codesLength: number("codes", 10, 2, 64, true),
});
