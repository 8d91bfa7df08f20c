/** The library's words for what the field, and so these pages, call otherwise. */

/** A sentence of the library in English: its dimensions are dimensions. Chinese has 维 already. */
export const inOurTerms = (sentence: string): string =>
  sentence.replace(
    /\b(l)ane(s?)\b/gi,
    (_, first: string, many: string) => `${first === "L" ? "D" : "d"}imension${many}`,
  );
