import { nothing, svg, type TemplateResult } from "lit-html";
import { plain } from "../../core/format";
import { selection } from "../../core/page-state";
import { shortened } from "../../core/words";
import { movedAlong, pointIn } from "../../draw/cursor";
import { type Model, offset } from "./model";

export const signed = (value: number) => (value > 0 ? `+${value}` : plain(value));

/** Distances above and below the words, to their numbers and then to the arcs, in CSS pixels. */
const space = { number: 22, arcs: 34, between: 96, label: 18 };

/** How far an arc rises: one over others rises beyond them and their numbers. */
const riseOf = (value: number) => Math.min(96, 12 * Math.abs(value) + (Math.abs(value) > 1 ? 20 : 4));

/** Draws both sentences with their position numbers, lines between equal words, and the offset of every pair of neighbours. */
export function tiesPlot(
  model: Model,
  chosen: number,
  choose: (step: number) => void,
  width: number,
  texts: { label: string; spoken: string },
): TemplateResult {
  const { first, second, ties, steps } = model;
  const most = Math.max(first.length, second.length, 1);
  const wide = width / most;
  const x = (position: number) => (position - 0.5) * wide;
  const at = steps[chosen];
  const inStep = (position: number) => at && (position === at.from.first || position === at.to.first);
  const inSecond = (position: number) => at && (position === at.from.second || position === at.to.second);
  // Long words are written smaller in narrow columns, and then cut, so that they never overlap.
  const fits = Math.max(2, Math.floor(wide / 6));
  const longest = Math.max(
    1,
    ...[...first, ...second].map((word) =>
      /\p{Script=Han}/u.test(word) ? 2 * word.length : Math.min(fits, word.length),
    ),
  );
  const size = Math.max(9, Math.min(16, ((wide - 3) / longest) * 1.6));

  const rise = (values: readonly (number | undefined)[]) => Math.max(0, ...values.map((value) => riseOf(value ?? 0)));
  const firstLine = rise(steps.map(offset)) + space.label + space.arcs + 4;
  const secondLine = firstLine + space.between;
  const height = secondLine + space.arcs + rise(steps.map(({ second }) => second)) + space.label;

  const words = (sentence: readonly string[], y: number, below: boolean, strong: (position: number) => unknown) =>
    sentence.map((word, index) => {
      const position = index + 1;
      return svg`<g class=${strong(position) ? "token chosen" : "token"} font-size=${size}>
        <title>${word}</title>
        <text x=${x(position)} y=${y} text-anchor="middle">${shortened(word, fits)}</text>
        <text class="position" x=${x(position)} y=${below ? y + 20 : y - space.number} text-anchor="middle">${position}</text>
      </g>`;
    });

  /** An arc is dashed where the other sentence has another offset, or none. */
  const arc = (step: number, from: number, to: number, below: boolean) => {
    const [left, right] = [x(from), x(to)];
    const y = below ? secondLine + space.arcs - 8 : firstLine - space.arcs;
    const up = (below ? 1 : -1) * riseOf(to - from);
    const differs = offset(steps[step]) !== steps[step].second;
    return svg`<g class="offset ${differs ? "differs" : ""} ${step === chosen ? "chosen" : ""}">
      <path d="M${left} ${y}C${left} ${y + (4 / 3) * up} ${right} ${y + (4 / 3) * up} ${right} ${y}" />
      <text class="halo" x=${(left + right) / 2} y=${y + up + (below ? 14 : -5)} text-anchor="middle">${signed(to - from)}</text>
    </g>`;
  };
  // The chosen one last, over the others.
  const order = steps.map((_, step) => step).sort((a, b) => Number(a === chosen) - Number(b === chosen));

  const choosePoint = (event: PointerEvent) => {
    const point = pointIn(event);
    if (!point || steps.length === 0) return;
    const middle = (step: number) => (x(steps[step].from.first) + x(steps[step].to.first)) / 2;
    choose(
      steps.reduce((best, _, s) => (Math.abs(middle(s) - point.x) < Math.abs(middle(best) - point.x) ? s : best), 0),
    );
  };
  const press = (event: KeyboardEvent) => {
    // Several keys can come in one frame: from the state, not from what is drawn.
    const next = movedAlong(event, Math.min(selection.position.value, steps.length - 1), steps.length);
    if (next !== undefined) choose(next);
  };
  return svg`<svg class="ties" role="slider" tabindex="0" aria-label=${texts.label} aria-valuemin="0"
      aria-valuemax=${Math.max(0, steps.length - 1)} aria-valuenow=${chosen} aria-valuetext=${texts.spoken}
      width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      @pointermove=${choosePoint} @pointerdown=${choosePoint} @keydown=${press}>
    ${ties.map(({ first: from, second: to }) =>
      to === undefined
        ? nothing
        : svg`<line class=${inStep(from) ? "tie chosen" : "tie"} x1=${x(from)} y1=${firstLine + 8} x2=${x(to)}
            y2=${secondLine - size - 2} />`,
    )}
    ${order.map((step) => arc(step, steps[step].from.first, steps[step].to.first, false))}
    ${order.map((step) => {
      const { from, to } = steps[step];
      return from.second === undefined || to.second === undefined ? nothing : arc(step, from.second, to.second, true);
    })}
    ${words(first, firstLine, false, inStep)} ${words(second, secondLine, true, inSecond)}
  </svg>`;
}
