import type { PanelEntry } from "../core/panel";
import { state } from "./problem/state";

/* What is known of the first figure before all others are. */

export const first = {
  title: { en: "A bag of words: attention without positions", zh: "没有位置编码：句子只是一袋词" },
  state,
} as const satisfies PanelEntry;

/** The title of its chapter. */
export const firstChapter = { en: "Why positional encoding", zh: "为什么需要位置编码" } as const;
