/** The words below the figures, in English. */
export const en = {
  sources: "Where the examples come from: five posts, checked",
  papers: "Papers and articles",
  cite: "Cite posenc",
  citation: "posenc for BibTeX",
  reference: "The library's reference: every function, option and error",
  licences: "Licences of what this page consists of",
};
