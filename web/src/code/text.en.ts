/** The words around code, in English. */
export const en = {
  title: (figure: string) => `${figure}: code`,
  codeFor: "For",
  languages: { pytorch: "PyTorch", javascript: "JavaScript (posenc)" },
  heading: (figure: string) => `${figure}, at the settings chosen on posenc’s page`,
  expected: "What posenc computes, to compare with:",
  note: "This computes what the figure shows at its current settings, compares it with the library’s numbers and prints “ok”.",
  none: "At these settings there is nothing to compute.",
};
