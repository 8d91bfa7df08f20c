import { svg, type TemplateResult } from "lit-html";

/** A method's bytes: those kept, and those of an entry for each query and key, for methods that have entries. */
export interface Bar {
  readonly name: string;
  readonly kept: number;
  readonly all: number | undefined;
}

const line = 40;
const top = 6;
const bottom = 26;

/** Bytes on a logarithmic scale: full bars for what is kept, hollow ones for all pairs. */
export function bytesChart(
  bars: readonly Bar[],
  width: number,
  label: string,
  textOf: (bytes: number) => string,
): TemplateResult {
  const height = top + bars.length * line + bottom;
  const most = Math.ceil(Math.log2(Math.max(...bars.map(({ kept, all }) => Math.max(kept, all ?? 0)))));
  const x = (bytes: number) => (Math.log2(Math.max(1, bytes)) / most) * (width - 70);
  const bar = ({ name, kept, all }: Bar, at: number) => {
    const y = top + at * line;
    return svg`<text x="0" y=${y + 11} class="bar-name">${name}</text>
      ${all === undefined ? "" : svg`<rect class="all" x="1" y=${y + 17} width=${x(all)} height="14" />`}
      <rect class="kept" x="1" y=${y + 19} width=${x(kept)} height="10" />
      <text x=${x(all ?? kept) + 6} y=${y + 24} dominant-baseline="central">${textOf(all ?? kept)}</text>`;
  };
  return svg`<svg class="bytes-chart" role="img" aria-label=${label} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    <g class="axis">
      ${[0, 10, 20, 30]
        .filter((exponent) => exponent <= most)
        .map(
          (
            exponent,
          ) => svg`<line class="grid" x1=${x(2 ** exponent) + 1} x2=${x(2 ** exponent) + 1} y1=${top} y2=${height - bottom + 4} />
          <text x=${x(2 ** exponent) + 1} y=${height - 8} text-anchor=${exponent === 0 ? "start" : "middle"}>${textOf(2 ** exponent)}</text>`,
        )}
    </g>
    ${bars.map(bar)}
  </svg>`;
}
