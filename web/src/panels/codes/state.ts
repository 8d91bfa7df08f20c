import { defineState, number } from "../../core/state";

export const state = defineState({
  codesLength: number("cn", 16, 4, 32, true),
});
