import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { math, row, sqrt, sub, sup } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      <strong>The curves show how far off angles are by a position, in four ways of computing them.</strong> Where a curve crosses
      the line of what you allow, a model's angles are too far from its formula's.
    </p>
  `,
  outro: () => html`
    <p>
      The angle of position ${math("p")} in pair ${math("i")} is ${math("p", sub("ω", "i"), ".")} Only the angle modulo
      ${math("2", "π")} counts, and that is what gets lost: at position 100000 a ${term("float32", "float32")} angle has about two decimals left, a ${term("bfloat16", "bfloat16")} angle none at all. Models compute their angles in different ways. The figure takes each of them and
      measures, at every position, the angle between its cosine and sine and the true ones, in the pair where it is
      largest.
    </p>
    <p>
      <strong>The four methods.</strong> <em>float32 angles</em>: frequency and product in float32, as most model code has
      it. <em>Running products</em>: a vector rotated position by position, each result rounded to float32.
      <em>bfloat16 angles</em>: position, frequency and product rounded to 8 bits, as in a model whose buffers are
      cast before they are used; from 257 on not even the position can be told from its neighbour.
      <em>bfloat16 cosines</em>: true angles, only cosine and sine rounded to 8 bits: off by at most
      ${math(sqrt(2), "·", sup(2, row("−", 9)))}, at any position.
    </p>
    <p>
      <strong>The truth</strong> is this library's table: computed from exact angles and rounded once, within
      ${math(sup(2, row("−", 24)))} at any position.
    </p>
  `,
  pairs: "Pairs d/2",
  base: "Base b",
  reach: "Positions",
  limit: "Wrong by more than x, radians",
  position: "Position p",
  ways: {
    float32: "float32 angles",
    running: "running products",
    bfloat16: "bfloat16 angles",
    stored: "bfloat16 cosines",
  },
  drifts: (way: string, limit: string, position: number) => `${way} drift past ${limit} rad at position ${position}.`,
  holds: (way: string, limit: string, position: number) => `${way} stay within ${limit} rad up to position ${position}`,
  most: (error: string) => `; the largest error is ${error}.`,
  soFar: ".",
  question: (limit: string) => `From which position on is your model's angle wrong by more than ${limit}?`,
  from: (position: string) => `from position ${position} on`,
  notUpTo: (position: string) => `not up to position ${position}`,
  searching: (position: string) => `not up to position ${position}, still looking…`,
  progress: (done: string, all: string) => `${done} of ${all} positions computed`,
  way: "Angles by",
  first: (limit: string) => `first error > ${limit}`,
  errorAt: (position: string) => `error at position ${position}, rad`,
  worst: "largest up to there, rad",
  pair: "in pair i",
  positionAxis: "position p",
  errorAxis: "largest error up to p, radians",
  canvas:
    "Curves of the largest error by position, both axes logarithmic. Left and right arrows change the position, Page Up and Page Down by a factor of two, Home and End go to the first and the last.",
  describe: (o: { dims: number; base: string; reach: string }) =>
    `Largest error of an angle by position, ${o.dims} dimensions, base ${o.base}, up to position ${o.reach}, both axes logarithmic.`,
};
