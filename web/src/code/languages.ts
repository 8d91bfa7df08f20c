/** The framework for which formulas are written out, and the language in which the library is called. */
export const codeLanguages = ["pytorch", "javascript"] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

/** The sign that begins a comment. */
export const commentOf = (language: CodeLanguage) => (language === "pytorch" ? "#" : "//");

/** The comments of a program: at its start, and above the numbers to compare with. */
export interface Heads {
  readonly title: string;
  readonly expected: string;
}
