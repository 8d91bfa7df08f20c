import type { Computation } from "../core/computation";
import { program as javascript } from "./javascript";
import type { CodeLanguage, Heads } from "./languages";
import { program as pytorch } from "./python";

const writers: Readonly<Record<CodeLanguage, (computation: Computation, heads: Heads) => string>> = {
  pytorch,
  javascript,
};

/** Writes a program that compares its results with the library's numbers, and ends with "ok" or an error. */
export const program = (computation: Computation, language: CodeLanguage, heads: Heads): string =>
  writers[language](computation, heads);
