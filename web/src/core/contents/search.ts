import type { Term } from "../glossary/entries.en";
import { alsoCalled, asked, figuresOf } from "../glossary/figures";
import { glossaryIn } from "../glossary/glossary";
import { type Language, languages } from "../i18n";
import type { PanelEntry } from "../panel";

/* The index of the contents' search, fetched when the field gets the focus. */

/** A part of the page, with the ids and titles of its figures. */
export interface Part {
  readonly title: PanelEntry["title"];
  readonly figures: readonly (readonly [id: string, title: PanelEntry["title"]])[];
}

export type Kind = "chapter" | "figure" | "term" | "page";

/** An entry of the index: its name in each language, and other words by which it is found. */
export interface Item {
  readonly kind: Kind;
  /** The figure that it leads to. */
  readonly figure: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly explained?: Readonly<Record<Language, string>>;
  readonly text: string;
}

/** Removes case and accents. */
const plainLetters = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const item = (of: Omit<Item, "text">, ...more: readonly string[]): Item => ({
  ...of,
  text: plainLetters([...Object.values(of.names), ...more].join("\n")),
});

/** The index of this page: chapters, figures with the terms that occur in them, and the terms themselves. */
export async function indexOf(parts: readonly Part[]): Promise<readonly Item[]> {
  const [en, zh] = await Promise.all(languages.map((language) => glossaryIn[language]()));
  const terms = Object.keys(en) as Term[];
  const inFigure = (figure: string) =>
    terms
      .filter((term) => figuresOf[term].includes(figure))
      .flatMap((term) => [en[term][0], zh[term][0], alsoCalled[term] ?? ""]);
  return [
    ...parts.map(({ title, figures: [[figure]] }) => item({ kind: "chapter", figure, names: title })),
    ...parts.flatMap(({ figures }) =>
      figures.map(([figure, names]) =>
        item({ kind: "figure", figure, names }, asked[figure] ?? "", ...inFigure(figure)),
      ),
    ),
    ...terms.map((term) =>
      item(
        {
          kind: "term",
          figure: figuresOf[term][0],
          names: { en: en[term][0], zh: zh[term][0] },
          explained: { en: en[term][1], zh: zh[term][1] },
        },
        alsoCalled[term] ?? "",
      ),
    ),
  ];
}

/** Whether a text contains all words of a query. Parts of words count: Chinese has no spaces. */
export function has(text: string, query: string): boolean {
  const letters = plainLetters(text);
  return plainLetters(query)
    .split(/\s+/)
    .every((word) => letters.includes(word));
}
