import { computed } from "@preact/signals-core";
import { page, reader } from "./page-state";
import { en } from "./text.en";
import { zh } from "./text.zh";

export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** The first of the reader's languages that the page has; English if it has none of them. */
export function preferred(asked: readonly string[]): Language {
  for (const tag of asked) {
    const found = languages.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (found) return found;
  }
  return "en";
}

/** The language in use: the one in the link, else the reader's. */
export const language = computed<Language>(() =>
  page.language.value === "auto" ? preferred(navigator.languages) : page.language.value,
);

const shell = { en, zh };
/** The page's own texts (each panel has its own in its folder). */
export const text = computed(() => shell[language.value]);

Object.defineProperty(reader.sentence, "initial", { get: () => text.value.sentence });
