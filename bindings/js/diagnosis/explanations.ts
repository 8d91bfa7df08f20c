// Diagnoses of the core, with sentences.

import type * as t from "../types/index.js";
import type { CoreDiagnosis, CoreExplanation } from "./calls.js";
import { sentences } from "./sentences.js";

type Language = keyof typeof sentences;
type Words = (typeof sentences)[Language];

/** The remedy of all mistakes, each sentence once. */
function remedyOf(told: CoreExplanation, words: Words): t.Remedy {
  const { mistakes, dims, dimsBefore, factor, shift } = told;
  const numbers = {
    ...(dims.length > 0 && (dimsBefore ? { rows: dims } : { dims })),
    ...(factor !== 1 && { factor }),
    ...(shift !== 0 && { shift }),
  };
  const texts = new Set<string>();
  if (dims.length > 0) texts.add(dimsBefore ? words.remedies.rows : words.remedies.dims);
  for (const mistake of mistakes) {
    const name = words.remedyOf[mistake as keyof Words["remedyOf"]];
    if (name === undefined || (name === "dims" && dims.length > 0)) continue;
    const text = words.remedies[name];
    texts.add(typeof text === "function" ? text({ factor, shift }) : text);
  }
  return { ...numbers, text: words.joined([...texts]) };
}

function explanationOf(told: CoreExplanation, isExpected: boolean, words: Words): t.Explanation {
  const { found, mistakes, ulps, units, bits } = told;
  const names = mistakes.map((mistake) => words.mistakes[mistake as keyof Words["mistakes"]]);
  // Each kind has a function that takes its own.
  const says = words.found[found.type] as (found: t.Explanation["found"]) => string;
  return {
    found,
    mistakes,
    residual: { ulps, units },
    bits,
    remedy: isExpected && mistakes.length > 0 ? remedyOf(told, words) : null,
    text: words.joined([says(found), ...names]),
  };
}

/** The diagnosis, in one language. */
export function explained(
  kind: t.Diagnosis["kind"],
  { verdict, explanations: all, next, dtype }: CoreDiagnosis,
  sampled: t.Diagnosis["sampled"],
  isExpected: boolean,
  language: Language,
): t.Diagnosis {
  const words = sentences[language];
  const explanations = all.map((told) => explanationOf(told, isExpected, words));
  const [first] = explanations;
  const isRight = isExpected && first?.mistakes.length === 0;
  const parts = [
    verdict !== "none" && verdict !== "ambiguous" && first ? first.text : "",
    isRight && verdict !== "none" && verdict !== "ambiguous" ? words.asExpected : "",
    words.verdicts[verdict]({ bits: first?.bits ?? 0, count: explanations.length }),
    next.length > 0 ? words.next(next) : "",
    sampled ? words.sampled(sampled) : "",
  ];
  return { kind, verdict, explanations, next, dtype, sampled, text: words.joined(parts.filter((part) => part !== "")) };
}
