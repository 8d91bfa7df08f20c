import { html, svg, type TemplateResult } from "lit-html";
import { plain, ticks } from "../core/format";
import { movedAlong, pointIn, stepped } from "./cursor";
import "./wave-chart.css";

/** Wavelengths of pairs of dimensions, before and after scaling, on a logarithmic axis. */
export interface WaveChart {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Lengths to compare with, drawn as horizontal lines. */
  readonly lengths: readonly { readonly name: string; readonly value: number }[];
  /** Up to five other lines, drawn thin. */
  readonly others: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly chosen: number;
  readonly words: {
    readonly label: string;
    readonly roledescription: string;
    readonly pair: string;
    readonly wavelength: string;
    readonly before: string;
    readonly after: string;
  };
  choose(pair: number): void;
}

const margin = { left: 56, right: 14, top: 12, bottom: 42 };
const height = 320;

/** 10, 100, 1000, 10⁴ … */
const power = (exponent: number) =>
  exponent >= 0 && exponent < 4
    ? String(10 ** exponent)
    : `10${[...plain(exponent)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? "⁻").join("")}`;

/** The chart with its legend; pointer and arrow keys choose a pair. */
export function waveChart(chart: WaveChart, width: number): TemplateResult {
  const { before, after, lengths, others, chosen, words } = chart;
  const last = before.length - 1;
  const finite = [...before, ...after, ...others.flatMap(({ values }) => values), ...lengths.map(({ value }) => value)]
    .filter(Number.isFinite)
    .map(Math.log10);
  const [low, high] = [Math.floor(Math.min(...finite)), Math.ceil(Math.max(...finite))];
  const across = width - margin.left - margin.right;
  const down = height - margin.top - margin.bottom;
  const x = (pair: number) => margin.left + (last === 0 ? 0.5 : pair / last) * across;
  // A pair that does not rotate has an infinite wavelength, drawn at the top.
  const y = (value: number) =>
    margin.top + (1 - (Math.min(high, Math.log10(value)) - low) / Math.max(1, high - low)) * down;
  const bottom = margin.top + down;
  const path = (values: readonly number[]) => values.map((value, pair) => `${x(pair)},${y(value)}`).join(" ");
  const choose = (pair: number) => chart.choose(Math.max(0, Math.min(last, pair)));

  const point = (event: PointerEvent) => {
    const at = pointIn(event);
    if (at) choose(Math.round(((at.x - margin.left) / across) * last));
  };
  const press = (event: KeyboardEvent) => {
    const next = stepped(event, chart, chosen, (from) => movedAlong(event, from, before.length));
    if (next !== undefined) choose(next);
  };

  return html`<div class="pick" tabindex="0" role="application" aria-roledescription=${words.roledescription}
      aria-label=${words.label} @keydown=${press}>
      <svg class="wave-chart" aria-hidden="true" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
        @pointermove=${point} @pointerdown=${point}>
        <g class="axis">
          ${ticks(low, high, 8).map(
            (
              exponent,
            ) => svg`<line class="grid" x1=${margin.left} x2=${width - margin.right} y1=${y(10 ** exponent)} y2=${y(10 ** exponent)} />
              <text x=${margin.left - 8} y=${y(10 ** exponent)} text-anchor="end" dominant-baseline="central">${power(exponent)}</text>`,
          )}
          ${ticks(0, last, across / 56).map(
            (pair) => svg`<line x1=${x(pair)} x2=${x(pair)} y1=${bottom} y2=${bottom + 5} />
              <text x=${x(pair)} y=${bottom + 18} text-anchor="middle">${pair}</text>`,
          )}
          <text class="axis-name" x=${margin.left + across / 2} y=${height - 6} text-anchor="middle">${words.pair}</text>
          <text class="axis-name" transform="translate(12 ${margin.top + down / 2}) rotate(-90)" text-anchor="middle">${words.wavelength}</text>
        </g>
        ${others.map(({ values }, at) => svg`<g class="wave other other-${at}"><polyline points=${path(values)} /></g>`)}
        ${lengths.map(
          ({ name, value }) => svg`<g class="length-line">
            <line x1=${margin.left} x2=${width - margin.right} y1=${y(value)} y2=${y(value)} />
            <text x=${margin.left + 6} y=${y(value) - 6}>${name}</text>
          </g>`,
        )}
        <g class="wave before">
          <polyline points=${path(before)} />
          ${before.map((value, pair) => svg`<circle cx=${x(pair)} cy=${y(value)} r="2.6" />`)}
        </g>
        <g class="wave after">
          <polyline points=${path(after)} />
          ${after.map((value, pair) => svg`<circle cx=${x(pair)} cy=${y(value)} r="2.6" />`)}
        </g>
        <g class="wave-mark" data-screen-only>
          <line x1=${x(chosen)} x2=${x(chosen)} y1=${margin.top} y2=${bottom} />
          <circle cx=${x(chosen)} cy=${y(before[chosen])} r="6" /><circle cx=${x(chosen)} cy=${y(after[chosen])} r="6" />
        </g>
      </svg>
    </div>
    <ul class="legend">
      ${(["before", "after"] as const).map(
        (when) => html`<li>
          <svg width="34" height="12" viewBox="0 0 34 12" aria-hidden="true" class="wave ${when}">
            <polyline points="1,6 33,6" /><circle cx="17" cy="6" r="2.6" /></svg
          >${words[when]}
        </li>`,
      )}
      ${others.map(
        ({ name }, at) => html`<li>
          <svg width="34" height="12" viewBox="0 0 34 12" aria-hidden="true" class="wave other other-${at}">
            <polyline points="1,6 33,6" /></svg
          >${name}
        </li>`,
      )}
    </ul>`;
}
