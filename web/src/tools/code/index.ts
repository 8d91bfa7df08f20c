import type { Explanation } from "posenc/tools";
import { type CodeLanguage, commentOf } from "../../code/languages";
import { list } from "../../code/literal";
import type { Right } from "../protocol";
import { cpp, script } from "./posenc";
import { torch } from "./python";

/* Code to copy: lines that correct existing numbers, and a function that computes them right. */

/** The comments of the code. */
export interface CodeWords {
  readonly dims: string;
  readonly rows: string;
  readonly factor: string;
  readonly shift: string;
  readonly right: string;
}

type Remedy = NonNullable<Explanation["remedy"]>;

const numbersOf: Readonly<Record<CodeLanguage, (order: readonly number[]) => string>> = {
  pytorch: (order) => `order = ${list(order)}`,
  cpp: (order) => `constexpr std::array order{${list(order).slice(1, -1)}};`,
  javascript: (order) => `const order = ${list(order)};`,
};

/** Permutes the dimensions of outputs, or the rows of weights. */
function ordered(what: "dims" | "rows", order: readonly number[], language: CodeLanguage, words: CodeWords): string[] {
  const dim = order.length;
  const isRows = what === "rows";
  const taken = (type: string) =>
    isRows
      ? `for (${type} row = 0; row < rows; ++row) right[row] = w[row - (row % ${dim}) + order[row % ${dim}]];`
      : `for (${type} i = 0; i < y.${type === "let" ? "length" : "size()"}; ++i) right[i] = y[i - (i % ${dim}) + order[i % ${dim}]];`;
  const python = isRows ? `w = w.reshape(-1, ${dim}, w.shape[-1])[:, order].reshape(w.shape)` : "y = y[..., order]";
  const done = { pytorch: python, cpp: taken("std::size_t"), javascript: taken("let") };
  return [`${commentOf(language)} ${isRows ? words.rows : words.dims}`, numbersOf[language](order), done[language], ""];
}

function mend(remedy: Remedy, language: CodeLanguage, words: CodeWords): string[] {
  const mark = commentOf(language);
  const end = language === "cpp" || language === "javascript" ? ";" : "";
  const { factor, shift } = remedy;
  return [
    ...(remedy.dims ? ordered("dims", remedy.dims, language, words) : []),
    ...(remedy.rows ? ordered("rows", remedy.rows, language, words) : []),
    ...(factor === undefined || factor === 1
      ? []
      : [
          `${mark} ${words.factor}`,
          {
            pytorch: `y = y * ${factor}`,
            cpp: `for (float& value : y) value *= ${factor}`,
            javascript: `y = y.map((value) => value * ${factor})`,
          }[language] + end,
          "",
        ]),
    ...(shift === undefined || shift === 0
      ? []
      : [
          `${mark} ${words.shift}`,
          {
            pytorch: `positions = positions + ${shift}`,
            cpp: `for (double& position : positions) position += ${shift}`,
            javascript: `positions = positions.map((p) => p + ${shift})`,
          }[language] + end,
          "",
        ]),
  ];
}

/** Writes all code; empty if there is none. */
export function code(right: Right | null, remedy: Remedy | null, language: CodeLanguage, words: CodeWords): string {
  const whole = {
    pytorch: () => torch(right as Right),
    cpp: () => cpp(right as Right),
    javascript: () => script(right as Right),
  };
  const mended = remedy ? mend(remedy, language, words) : [];
  if (!right) return mended.join("\n").trim();
  const before = mended.length > 0 ? [...mended, `${commentOf(language)} ${words.right}`] : [];
  return [...before, whole[language]()].join("\n");
}
