import { svg, type TemplateResult } from "lit-html";
import { brief } from "../../core/format";
import { type Axis, scale } from "../../draw/axes";
import { margin } from "../../draw/curve";
import { type Decay, rises } from "./model";

const rowHeight = 18;

/** Draws a row for each base: a tick wherever the curve is higher than at the previous distance. */
export function strip(options: {
  id: string;
  label: string;
  x: Axis;
  distances: readonly number[];
  decays: readonly Decay[];
  quantity: "bound" | "score";
  width: number;
}): TemplateResult {
  const { id, label, distances, decays, quantity, width } = options;
  const x = scale(options.x, margin.left, width - margin.right);
  const height = decays.length * rowHeight + 18;
  return svg`<svg id=${id} class="rises" role="img" aria-label=${label} width=${width} height=${height}
      viewBox="0 0 ${width} ${height}">
    <text x=${margin.left} y="11" class="axis-name">${label}</text>
    ${decays.map((decay, row) => {
      const top = 18 + row * rowHeight;
      const ticks = distances
        .map((distance, at) =>
          rises(decay[quantity], at) ? `M${x(distance).toFixed(2)} ${top + 2}v${rowHeight - 5}` : "",
        )
        .join("");
      return svg`<g class="curve-${row}" data-rises=${row}>
        <rect x=${margin.left} y=${top + 1} width=${width - margin.left - margin.right} height=${rowHeight - 3} />
        <path d=${ticks || "M0 0"} />
        <text x=${margin.left - 4} y=${top + 8} text-anchor="end" dominant-baseline="central">${brief(decay.base)}</text>
      </g>`;
    })}
  </svg>`;
}
