import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, math, row, sub, sup } from "../../draw/math";
import type { found as Found, Rule } from "./model";

const found = ({ distance, count, low, high, isOne }: ReturnType<typeof Found>) =>
  `Distance ${distance}, ${count} pairs: ${isOne ? `always ${low}` : `from ${low} to ${high}`}.`;

export const en = {
  intro: () => html`
    <p>
      <strong>A column holds all pairs with one distance; a good rule puts them on one dot.</strong> Wanted is a rule
      ${math("f")} that puts a position into query and key so that their ${term("logit", "score")} knows the distance alone.
    </p>
  `,
  outro: () => html`
    ${display(row("f", "(", "q", ", ", "m", ")", "·", "f", "(", "k", ", ", "n", ")", "=", "g", "(", "n", "−", "m", ")"))}
    <p>
      <strong>Try adding</strong> a code to each vector. The product has four parts, and only ${math(row(sub("p", "m"), "·", sub("p", "n")))} is about
      distance: ${math(row("q", "·", sub("p", "n")))} and ${math(row(sub("p", "m"), "·", "k"))} pull each column apart.
    </p>
    <p>
      <strong>Try scaling</strong> by ${math(sup("s", "m"), ".")} Lengths multiply, so positions add up:
      ${math(row(sup("s", row("m", "+", "n"))))} instead of their difference.
    </p>
    <p>
      <strong>Try rotating</strong> by an angle ${math("θ")} for each position: every column falls onto one dot. Lengths stay, and the angle
      between the arrows changes by ${math(row("(", "n", "−", "m", ")", "θ"))} alone, whose sign tells before from after.
    </p>
    <p>
      <strong>It had to be a rotation.</strong> Read the two numbers as one complex number. A rule that goes on step by step multiplies by some
      ${math("z")} for each position, and the score holds
    </p>
    ${display(row(sup(row("|", "z", "|"), row("2", "m")), sup("z", row("n", "−", "m"))))}
    <p>
      ${math("m")} drops out only if ${math(row("|", "z", "|"), "=", "1", ":")} no longer, no shorter, only turned. That is rotary position
      embedding ${term("rope", "RoPE", ")", "(")}. The argument follows 苏剑林 (Jianlin Su),
      <a href="https://kexue.fm/archives/8265" lang="zh-CN">博采众长的旋转式位置编码</a> (2021), and the
      <a href="https://arxiv.org/abs/2104.09864">RoFormer</a> paper.
    </p>
  `,
  rule: "Rule f",
  rules: { add: "add", scale: "scale", rotate: "rotate" } as Record<Rule, string>,
  slide: "Slide both: query at m",
  distance: "distance: positions back from the query",
  angle: "Angle per position",
  entry: (name: string) => (_line: number, column: number) => `${name}, dimension ${column}`,
  picture: "Scores of all pairs of positions by their distance. Left and right arrow keys choose a distance.",
  score: "score",
  apart: (degrees: string) => `${degrees}° apart`,
  lengths: (query: string, key: string) => `lengths ${query} and ${key}`,
  both: (m: number, n: number) => `○ ${m} and ${n}`,
  prompt: "Before you look: which of three rules gives all pairs of one distance the same score?",
  answers: { add: "Add a code", scale: "Make it longer", rotate: "Turn it" } as Record<Rule, string>,
  why: (spread: Readonly<Record<string, string>>) =>
    `At one distance, scores differ by up to ${spread.add} when a code is added (a query meets the key's code, too) and by up to ${spread.scale} when vectors are scaled (later pairs are longer), but by ${spread.rotate} when both are turned: the angle between them stays.`,
  found,
  describe: (rule: string, says: string, m: string, n: string) =>
    `Rule: ${rule}. ${says} The ring is the pair whose arrows are shown, query at ${m} and key at ${n}; small dots are the arrows' tips at all other positions.`,
};
