import { effect } from "@preact/signals-core";
import { choice, defineState, number, words } from "./state";

/** The look of the page. */
export const page = defineState({
  language: choice("lang", ["auto", "en", "zh"]),
  theme: choice("theme", ["auto", "light", "dark"]),
});

/** Keeps the document's theme equal to the state's; "auto" follows the system. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = page.theme.value;
  });
}

/**
 * Shared by all figures: what is selected in one is selected in every other that has it, the last one where there are
 * fewer.
 */
export const selection = defineState({
  position: number("p", 1, 0, 4095, true),
  otherPosition: number("q", 10, 0, 127, true),
  pair: number("pair", 1, 0, 255, true),
  headPair: number("i", 40, 0, 511, true),
});

/**
 * The reader's sentence: the words of all figures about sentences, and the labels of positions in the others. Its default
 * is that of the language in use (i18n.ts).
 */
export const reader = defineState({
  sentence: words("text", "", 200),
});
