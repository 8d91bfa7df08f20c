import { choice, defineState } from "../../core/state";

export const state = defineState({
  modelsBy: choice("by", ["year", "base", "context", "cache"]),
});
