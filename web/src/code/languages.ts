/** The kinds of code: frameworks, in which the formula is written out, and the library's own calls. */
export const codeLanguages = ["pytorch", "jax", "cpp", "javascript"] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

/** What begins a comment. */
export const commentOf = (language: CodeLanguage) => (language === "pytorch" || language === "jax" ? "#" : "//");

/** What comments say: of the whole, and above the numbers to compare with. */
export interface Heads {
  readonly title: string;
  readonly expected: string;
}
