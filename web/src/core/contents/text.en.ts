/** The words of the contents. */
export const en = {
  search: "Search figures and terms",
  key: "Ctrl or ⌘ K",
  kinds: { chapter: "Chapters", figure: "Figures", term: "Terms", page: "Pages" },
  count: (found: number) => (found === 1 ? "1 result" : `${found} results`),
  none: "Nothing found.",
};
export type ContentsText = typeof en;
