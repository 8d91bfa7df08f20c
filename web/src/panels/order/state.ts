import { defineState, number, words } from "../../core/state";

export const state = defineState({
  orderOther: words("again", "On mat the sat cat the.", 200),
  orderEncoding: number("enc", 0, 0, 4, true),
});
