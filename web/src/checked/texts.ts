import { computed, signal } from "@preact/signals-core";
import { type Language, language } from "../core/i18n";
import type { ClaimId, PostId } from "./claim";
import type { Quotation, Source } from "./quotations";
import type { Statements } from "./statements.en";
import { en } from "./text.en";
import { zh } from "./text.zh";

/** The texts of this page. */
export const words = computed(() => ({ en, zh })[language.value]);

/** The texts of the rows: statements in one language, and quotations of the posts. */
export interface RowTexts {
  readonly statements: Statements;
  readonly quotations: Readonly<Record<ClaimId, Quotation>>;
  readonly sources: Readonly<Record<PostId, Source>>;
}
export const rowTexts = signal<RowTexts | undefined>(undefined);

const files: Readonly<Record<Language, () => Promise<{ readonly statements: Statements }>>> = {
  en: () => import("./statements.en"),
  zh: () => import("./statements.zh"),
};

/** Fetches the texts of the rows in this language. */
export async function fetchRowTexts(wanted: Language): Promise<void> {
  const [{ statements }, { quotations, sources }] = await Promise.all([files[wanted](), import("./quotations")]);
  // The reader may have chosen another one meanwhile.
  if (wanted === language.peek() && rowTexts.peek()?.statements !== statements)
    rowTexts.value = { statements, quotations, sources };
}
