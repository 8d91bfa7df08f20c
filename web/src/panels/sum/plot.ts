import { svg, type TemplateResult } from "lit-html";
import { fixed, ticks } from "../../core/format";
import { selection } from "../../core/page-state";
import { shortened } from "../../core/words";
import { movedAlong, pointIn } from "../../draw/cursor";
import type { Model, Sum } from "./model";

const inset = { left: 42, right: 40, top: 16, bottom: 28 };

/** The part of the plane both drawings show, so that they can be compared. */
function extent(model: Model): { x: [number, number]; y: [number, number] } {
  const all = [model.scaledEmbedding, ...model.sums.map((sum) => sum.result)];
  const dimension = (which: number) => {
    const values = all.flatMap((x) => Array.from(x.data).filter((_, at) => at % model.dim === which));
    return [Math.min(0, ...values) - 0.15, Math.max(0, ...values) + 0.15] as [number, number];
  };
  return { x: dimension(0), y: dimension(1) };
}

/**
 * The first two dimensions in the plane: a hollow dot at each word vector, an arrow from it to the sum; one word is chosen.
 */
export function plot(model: Model, sum: Sum, width: number, hint: string, spoken: string): TemplateResult {
  const { x: rangeX, y: rangeY } = extent(model);
  const unit = (width - inset.left - inset.right) / (rangeX[1] - rangeX[0]);
  const height = Math.round(inset.top + inset.bottom + unit * (rangeY[1] - rangeY[0]));
  const x = (value: number) => inset.left + (value - rangeX[0]) * unit;
  const y = (value: number) => height - inset.bottom - (value - rangeY[0]) * unit;
  const point = (data: Float32Array, word: number) =>
    [x(data[word * model.dim]), y(data[word * model.dim + 1])] as const;
  const marker = `arrow-${sum.kind}`;
  const step = (range: [number, number]) => ticks(range[0], range[1], ((range[1] - range[0]) * unit) / 48, false);
  const choose = (event: PointerEvent) => {
    const at = pointIn(event);
    if (!at) return;
    const away = model.words.map((_, index) => {
      const [toX, toY] = point(sum.result.data, index);
      return (toX - at.x) ** 2 + (toY - at.y) ** 2;
    });
    selection.position.value = away.indexOf(Math.min(...away));
  };
  const press = (event: KeyboardEvent) => {
    // Several keys can come in one frame: from the state, not from what is drawn.
    const next = movedAlong(event, Math.min(selection.position.value, model.words.length - 1), model.words.length);
    if (next !== undefined) selection.position.value = next;
  };
  return svg`<svg class="plane" role="slider" tabindex="0" aria-label=${hint} data-kind=${sum.kind}
      aria-valuemin="0" aria-valuemax=${model.words.length - 1} aria-valuenow=${model.chosen} aria-valuetext=${spoken}
      width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      @pointermove=${choose} @pointerdown=${choose} @keydown=${press}>
    <defs>
      <marker id=${marker} viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
        <path class="tip" d="M0 1 10 5 0 9z" />
      </marker>
    </defs>
    <g class="axis">
      ${step(rangeX).map(
        (
          tick,
        ) => svg`<line class=${tick === 0 ? "zero" : "grid"} x1=${x(tick)} x2=${x(tick)} y1=${inset.top} y2=${height - inset.bottom} />
          <text x=${x(tick)} y=${height - inset.bottom + 16} text-anchor="middle">${fixed(tick, 1)}</text>`,
      )}
      ${step(rangeY).map(
        (
          tick,
        ) => svg`<line class=${tick === 0 ? "zero" : "grid"} x1=${inset.left} x2=${width - inset.right} y1=${y(tick)} y2=${y(tick)} />
          <text x=${inset.left - 6} y=${y(tick)} text-anchor="end" dominant-baseline="central">${fixed(tick, 1)}</text>`,
      )}
    </g>
    ${model.words.map((word, index) => {
      const [fromX, fromY] = point(model.scaledEmbedding.data, index);
      const [toX, toY] = point(sum.result.data, index);
      const shared = sum.twins[index];
      // Words that end at the same point share one label.
      const name =
        shared.length === 0
          ? shortened(word)
          : shared[0] < index
            ? ""
            : [word, ...shared.map((at) => model.words[at])].map((each) => shortened(each)).join(" = ");
      const label = shortened(name, 28);
      const half = 4 * label.length;
      // The name is beyond the tip, where its own arrow does not cross it.
      const length = Math.hypot(toX - fromX, toY - fromY) || 1;
      const [alongX, alongY] = [(toX - fromX) / length, (toY - fromY) / length];
      const middle = Math.abs(alongX) < 0.4;
      const anchor = middle ? "middle" : alongX > 0 && toX < width - 12 * label.length ? "start" : "end";
      const aside = alongX > 0 && anchor === "end";
      const nameX = middle
        ? Math.max(half, Math.min(toX + alongX * 9, width - half))
        : aside
          ? Math.min(toX + 32, width - 2)
          : toX + alongX * 9;
      return svg`<g class=${shared.length > 0 ? "move twin" : "move"}>
        <title>${word}</title>
        <line class="shaft" x1=${fromX} y1=${fromY} x2=${toX} y2=${toY} marker-end="url(#${marker})" />
        ${
          index === model.chosen
            ? svg`<line class="chosen-move" data-screen-only x1=${fromX} y1=${fromY} x2=${toX} y2=${toY} />`
            : ""
        }
        <circle class="start" cx=${fromX} cy=${fromY} r="3.5" />
        ${shared.length > 0 ? svg`<circle class="ring" cx=${toX} cy=${toY} r="9" />` : ""}
        <text class="word halo" x=${nameX} y=${toY + (aside ? -14 : alongY * 13)}
          text-anchor=${anchor} dominant-baseline="central">${label}</text>
      </g>`;
    })}
  </svg>`;
}
