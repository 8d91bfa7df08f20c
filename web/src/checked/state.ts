import { choice, defineState, words } from "../core/state";
import { postIds, verdicts } from "./claim";

export const state = defineState({
  claim: words("claim", "", 3),
  trials: words("trials", "", 1000),
  verdictShown: choice("verdict", ["all", ...verdicts]),
  postShown: choice("post", ["all", ...postIds]),
});
