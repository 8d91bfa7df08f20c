import { defineState, number, words } from "../../core/state";

export const state = defineState({
  // Post C's second order; as long as the reader's sentence and the spaces that a Chinese one gets.
  orderOther: words("again", "On mat the sat cat the", 400),
  orderEncoding: number("enc", 0, 0, 4, true),
});
