import { defineState, number } from "../../core/state";

export const state = defineState({
  textBefore: number("before", 3, 0, 12, true),
  textAfter: number("after", 3, 0, 12, true),
  imageRows: number("ih", 3, 1, 8, true),
  imageColumns: number("iw", 4, 1, 8, true),
  imageToken: number("it", 5, 0, 63, true),
});
