import type { Language } from "../i18n";
import type { Glossary } from "./entries.en";

/** The entries of a language, fetched when they are first needed. */
export const glossaryIn: Readonly<Record<Language, () => Promise<Glossary>>> = {
  en: async () => (await import("./entries.en")).en,
  zh: async () => (await import("./entries.zh")).zh,
};
