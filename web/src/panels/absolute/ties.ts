import { nothing, svg, type TemplateResult } from "lit-html";
import { plain } from "../../core/format";
import { selection } from "../../core/page-state";
import { movedAlong, pointIn } from "../../draw/cursor";
import { type Model, offset } from "./model";

export const signed = (value: number) => (value > 0 ? `+${value}` : plain(value));

const height = 216;
const lineOf = { first: 62, second: 164 };

/** Both sentences with their position numbers, lines between equal words, and the offsets of neighbours above. */
export function tiesPlot(
  model: Model,
  chosen: number,
  choose: (step: number) => void,
  width: number,
  texts: { label: string; spoken: string },
): TemplateResult {
  const { first, second, ties, steps } = model;
  const most = Math.max(first.length, second.length, 1);
  const room = width / most;
  const x = (position: number) => (position - 0.5) * room;
  const at = steps[chosen];
  const inStep = (position: number) => at && (position === at.from.first || position === at.to.first);
  const inSecond = (position: number) => at && (position === at.from.second || position === at.to.second);
  // Long words are written smaller where there is little room, so that they never overlap.
  const longest = Math.max(1, ...[...first, ...second].map((word) => (/\p{Script=Han}/u.test(word) ? 2 : word.length)));
  const size = Math.min(16, (room / longest) * 1.6);

  const words = (sentence: readonly string[], y: number, below: boolean, strong: (position: number) => unknown) =>
    sentence.map((word, index) => {
      const position = index + 1;
      return svg`<g class=${strong(position) ? "token chosen" : "token"}>
        <text x=${x(position)} y=${y} text-anchor="middle" font-size=${size}>${word}</text>
        <text class="position" x=${x(position)} y=${below ? y + 20 : y - 22} text-anchor="middle">${position}</text>
      </g>`;
    });

  const arc = (from: number, to: number, y: number, below: boolean, value: number, strong: boolean) => {
    const [left, right] = [x(from), x(to)];
    const rise = below ? 26 : -24;
    return svg`<g class=${strong ? "offset chosen" : "offset"}>
      <path d="M${left} ${y}Q${(left + right) / 2} ${y + rise} ${right} ${y}" />
      <text x=${(left + right) / 2} y=${y + (below ? 27 : -16)} text-anchor="middle">${signed(value)}</text>
    </g>`;
  };

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
        : svg`<line class=${inStep(from) ? "tie chosen" : "tie"} x1=${x(from)} y1=${lineOf.first + 8} x2=${x(to)}
            y2=${lineOf.second - size - 2} />`,
    )}
    ${words(first, lineOf.first, false, inStep)} ${words(second, lineOf.second, true, inSecond)}
    ${
      at
        ? svg`${arc(at.from.first, at.to.first, lineOf.first - 36, false, offset(at), true)}
          ${
            at.second === undefined
              ? nothing
              : arc(at.from.second as number, at.to.second as number, lineOf.second + 25, true, at.second, true)
          }`
        : nothing
    }
  </svg>`;
}
