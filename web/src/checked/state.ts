import { choice, defineState, words } from "../core/state";
import { postIds, verdicts } from "./claim";

export const state = defineState({
  claim: words("claim", "", 3),
  trials: words("trials", "", 1000),
  verdictShown: choice("verdict", ["all", ...verdicts]),
  postShown: choice("post", ["all", ...postIds]),
});

/** Defaults for links to other pages, which leave this page's state out. */
export const nothingOfThisPage = { trials: "", claim: "", verdictShown: "all", postShown: "all" };
