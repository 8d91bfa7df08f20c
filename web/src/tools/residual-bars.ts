import { svg, type TemplateResult } from "lit-html";
import { text } from "../core/i18n";
import { type Axis, axisBelow, scale } from "../draw/axes";

/** A hypothesis and how far it is from the numbers. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly isChosen: boolean;
}

const margin = { left: 12, right: 20, top: 4, bottom: 44 };
const rowHeight = 44;
/** Residuals below this look the same: they are all nothing. */
const least = 0.01;

/** 0.5, 12, 3.1e6 */
export const short = (value: number) => {
  const three = Number(value.toPrecision(3));
  const isFar = three >= 1e4 || (three > 0 && three < 0.001);
  return isFar ? three.toExponential().replace("+", "").replace("-", "−") : String(three);
};

/** Bars on a logarithmic scale, a row each. */
export function residualBars(bars: readonly Bar[], label: string, axisName: string, width: number): TemplateResult {
  const finite = bars.map(({ value }) => value).filter((value) => Number.isFinite(value) && value > 0);
  const low = 10 ** Math.floor(Math.log10(Math.max(least, Math.min(1, ...finite))) - 1);
  const high = 10 ** Math.ceil(Math.log10(Math.max(10, ...finite)));
  const axis: Axis = { name: axisName, low, high, log: true, format: short };
  const down = bars.length * rowHeight;
  const area = { left: margin.left, top: margin.top, across: width - margin.left - margin.right, down };
  const x = scale(axis, area.left, area.left + area.across);
  const height = margin.top + down + margin.bottom;
  return svg`<svg class="residual-bars" role="img" aria-label=${label} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    ${axisBelow(area, axis)}
    ${bars.map(({ name, value, isChosen }, row) => {
      const top = margin.top + row * rowHeight;
      const end = x(Math.min(high, Math.max(low, Number.isFinite(value) ? value : high)));
      return svg`<g class=${isChosen ? "bar chosen" : "bar"}>
        <text x=${area.left + 6} y=${top + 12} dominant-baseline="central">${name}${text.value.colon}${short(value)}</text>
        <rect x=${area.left} y=${top + 22} width=${Math.max(2, end - area.left)} height="14" rx="2" />
      </g>`;
    })}
  </svg>`;
}
