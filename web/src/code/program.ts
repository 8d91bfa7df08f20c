import type { Computation } from "../core/computation";
import { program as cpp } from "./cpp";
import { program as javascript } from "./javascript";
import type { CodeLanguage, Heads } from "./languages";
import { program as python } from "./python";
import { jax, pytorch } from "./python/dialect";

/** A program that computes it, compares the result with the library's numbers, and ends with "ok" or an error. */
export function program(computation: Computation, language: CodeLanguage, heads: Heads): string {
  switch (language) {
    case "pytorch":
      return `${python(computation, pytorch, heads)}\n`;
    case "jax":
      return `${python(computation, jax, heads)}\n`;
    case "cpp":
      return `${cpp(computation, heads)}\n`;
    case "javascript":
      return `${javascript(computation, heads)}\n`;
  }
}
