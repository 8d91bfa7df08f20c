import { choice, defineState } from "../../core/state";

export const state = defineState({
  modelsBy: choice("sorted", ["year", "base", "context", "cache"]),
});
