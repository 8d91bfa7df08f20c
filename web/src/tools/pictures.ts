import { html, nothing, svg, type TemplateResult } from "lit-html";
import { slider } from "../controls";
import { significant } from "../core/format";
import { put } from "../core/state";
import { axes, scale } from "../draw/axes";
import type { Picture } from "./protocol";
import { state } from "./state";
import type { ToolsText } from "./text.en";

/* Draws the evidence for an explanation: dots are given, rings are the explanation's. */

/** The values that an axis spans. */
function spanOf(values: readonly number[]): { low: number; high: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { low, high: high > low ? high : low + 1 };
}

function plot(
  { kind, xs, series }: Picture,
  at: number,
  label: string,
  words: ToolsText,
  width: number,
): TemplateResult {
  const height = 320;
  const area = { left: 58, top: 48, across: width - 74, down: height - 90 };
  const { given, found } = series[at];
  const log = kind === "frequencies";
  const isShown = (value: number) => Number.isFinite(value) && (!log || value > 0);
  const [, x, y, ...names] = words.curves[kind];
  const span = kind === "angles" ? { low: -Math.PI, high: Math.PI } : spanOf([...given, ...found].filter(isShown));
  const across = { name: x, whole: true, ...spanOf(xs) };
  const up = { name: y, log, format: (value: number) => significant(value, 3), ...span };
  const xOf = scale(across, area.left, area.left + area.across);
  const yOf = scale(up, area.top + area.down, area.top);
  const marks = (name: string, values: readonly number[], r: number, legend: number) => {
    const [fill, stroke] = r === 4 ? ["var(--query)", "none"] : ["none", "var(--key)"];
    const dot = (at: number, height: number) =>
      svg`<circle cx=${at} cy=${height} r=${r} fill=${fill} stroke=${stroke} stroke-width="2" />`;
    return svg`<g class=${name}>
      ${dot(legend, 10)}
      <text x=${legend + 12} y="10" dominant-baseline="central">${names[r === 4 ? 0 : 1]}</text>
      ${xs.map((each, i) => (isShown(values[i]) ? dot(xOf(each), yOf(values[i])) : nothing))}
    </g>`;
  };
  return svg`<svg class="evidence-plot" role="img" aria-label=${label} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    ${axes(area, across, up)} ${marks("explanation", found, 7, area.left + area.across / 2)}
    ${marks("given", given, 4, area.left + 8)}
  </svg>`;
}

/** Marks the tokens whose numbers are not what was expected, in a row of all. */
export function departing(tokens: readonly number[], count: number, label: string, width: number): TemplateResult {
  const cell = width / count;
  return html`<h4>${label}</h4>
    <svg class="departing" role="img" aria-label=${label} width=${width} height="24">
      <rect width=${width} height="24" fill="none" stroke="currentColor" />
      ${tokens.map(
        (token) => svg`<rect class="mark" x=${token * cell} width=${Math.max(cell, 1)} height="24" fill="var(--key)"
          shape-rendering="crispEdges" />`,
      )}
    </svg>`;
}

/** Draws an explanation beside the numbers; of several pairs the one that is chosen. */
export function drawn(picture: Picture | null, words: ToolsText, rank: number, width: number): TemplateResult {
  if (picture === null) return html`<h3>${words.pictures}</h3><p class="note">${words.noPicture}</p>`;
  const { kind, series, best } = picture;
  const last = series.length - 1;
  const pair = state.drawnPair.value < 0 ? best : Math.min(last, state.drawnPair.value);
  const set = (value: number) => put(state.drawnPair, value);
  const limits = { min: 0, max: last, whole: true };
  const choosing = () =>
    html`<div class="controls">${slider({ id: "drawn-pair", label: words.pair, value: pair, limits, set })}</div>`;
  const label = `${words.curves[kind][0]}${words.shown(rank)}`;
  return html`<h3>${words.pictures}</h3>
    <h4>${label}</h4>
    ${kind === "angles" ? choosing() : nothing} ${plot(picture, kind === "angles" ? pair : 0, label, words, width)}`;
}
