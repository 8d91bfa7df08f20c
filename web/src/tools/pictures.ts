import { html, nothing, svg, type TemplateResult } from "lit-html";
import { slider } from "../controls";
import { significant } from "../core/format";
import { text } from "../core/i18n";
import { shortened } from "../draw/rounded";
import { evidencePlot, type Point, wrapped, wrappedLines } from "./evidence-plot";
import type { Answer, Picture } from "./protocol";
import { state } from "./state";
import type { ToolsText } from "./text.en";

/* Draws the evidence for an explanation. */

type Angles = Extract<Picture, { kind: "angles" }>;

/** The most rotations that are drawn as a line: those of more are too close together. */
const mostRotations = 12;

const spanOf = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)];

/** Finds the most informative pair, which rotates about once over the positions. */
function mostInformative({ slopes, positions }: Angles): number {
  const [low, high] = spanOf(positions);
  const distances = slopes.map((slope) => Math.abs(Math.log((Math.abs(slope) * (high - low)) / (2 * Math.PI) || 1e-9)));
  return distances.indexOf(Math.min(...distances));
}

function angles(picture: Angles, words: ToolsText, rank: number, width: number): TemplateResult {
  const last = picture.slopes.length - 1;
  const pair = state.drawnPair.value < 0 ? mostInformative(picture) : Math.min(last, state.drawnPair.value);
  const [slope, start] = [picture.slopes[pair], picture.starts[pair]];
  const [low, high] = spanOf(picture.positions);
  const isLine = (Math.abs(slope) * (high - low)) / (2 * Math.PI) <= mostRotations;
  const given = picture.positions.map((position, token): Point => [position, picture.observed[pair][token]]);
  const predicted = picture.positions.map((position): Point => [position, wrapped(slope * position + start)]);
  const right = { low: -Math.PI, high: Math.PI, format: (value: number) => significant(value, 2) };
  return html`<h4>${words.angles(rank, pair)}</h4>
    <div class="controls">
      ${slider({
        id: "drawn-pair",
        label: words.pair,
        value: pair,
        limits: { min: 0, max: last, whole: true },
        set: (value) => {
          state.drawnPair.value = value;
        },
      })}
      <p class="hint">${words.omega}${text.value.colon}<output data-omega>${shortened(slope)}</output></p>
    </div>
    ${evidencePlot(
      {
        label: words.anglesSpoken(pair, given.length, significant(slope, 3)),
        x: { name: words.axes.position, low, high: high > low ? high : low + 1, whole: true },
        y: { name: words.axes.angle, ...right },
        given,
        lines: isLine ? wrappedLines(slope, start, low, high) : [],
        rings: isLine ? [] : predicted,
        names: [words.given, words.predicted],
      },
      width,
    )}
    ${isLine ? nothing : html`<p class="note">${words.isWrapped}</p>`}`;
}

function curve(picture: Exclude<Picture, Angles>, words: ToolsText, width: number): TemplateResult {
  const { kind, xs, observed, found } = picture;
  const isLog = kind === "frequencies";
  const { title, x, y, given, explanation } = words.curves[kind];
  const shown = [...observed, ...found].filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  const [low, high] = spanOf(shown);
  const [from, to] = spanOf(xs);
  const points = (values: readonly number[]) => xs.map((x, at): Point => [x, values[at]]);
  return html`<h4>${title}</h4>
    ${evidencePlot(
      {
        label: title,
        x: {
          name: x,
          low: from,
          high: to > from ? to : from + 1,
          whole: true,
        },
        y: {
          name: y,
          low,
          high: high > low ? high : low + 1,
          log: isLog,
          format: (value) => significant(value, 3),
        },
        given: points(observed),
        lines: [points(found)],
        rings: [],
        names: [given, explanation],
      },
      width,
    )}`;
}

/** Marks the tokens whose numbers are not what was expected, in a row of all. */
export function departing(tokens: readonly number[], count: number, label: string, width: number): TemplateResult {
  const marked = new Set(tokens);
  const cell = width / Math.max(count, 1);
  const height = 24;
  const marks = Array.from({ length: count }, (_, token) => token).filter((token) => marked.has(token));
  return html`<h4>${label}</h4>
    <svg class="departing" role="img" aria-label=${label} width=${width} height=${height}>
      <rect class="all" width=${width} height=${height} />
      ${marks.map((token) => svg`<rect class="mark" x=${token * cell} width=${Math.max(cell, 1)} height=${height} />`)}
    </svg>`;
}

/** Draws the chosen explanation beside the numbers. */
export function pictures({ pictures: all }: Answer, chosen: number, words: ToolsText, width: number): TemplateResult {
  const picture = all[chosen];
  return html`<h3>${words.pictures}</h3>
    ${
      picture === null || picture === undefined
        ? html`<p class="note">${words.noPicture}</p>`
        : picture.kind === "angles"
          ? angles(picture, words, chosen + 1, width)
          : curve(picture, words, width)
    }`;
}
