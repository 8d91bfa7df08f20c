import { svg, type TemplateResult } from "lit-html";
import type { Tensor } from "posenc";
import { selection } from "../../core/page-state";
import { labelOf, shortened } from "../../core/words";
import { arrow, arrowTips, type Label, planeAxes } from "../../draw/plane";
import { type Model, tokenCount } from "./model";
import { state } from "./state";
import type { en } from "./text.en";

const tokens = Array.from({ length: tokenCount }, (_, token) => token);

/** Reduces degrees to (-180, 180]. */
const around = (degrees: number) => 180 - ((((180 - degrees) % 360) + 360) % 360);

export function setAngle(token: number, degrees: number): void {
  const next = around(Math.round(degrees));
  state.angles.value = state.angles.value.map((angle, at) => (at === token ? next : angle));
}

/** The least width of a plane that has space for words beside its arrows. */
const wordsFit = 320;

/** The outputs of the three tokens as arrows: dashed before all rotate together, solid after. */
export function outputs({ rotated, still, query, key }: Model, size: number, label: string): TemplateResult {
  const reach =
    1.22 * Math.max(0.1, ...[rotated.output, still.output, query, key].flatMap(({ data }) => [...data].map(Math.abs)));
  const unit = size / 2 / reach;
  const at = (x: Tensor, token: number) => [x.data[2 * token] * unit, -x.data[2 * token + 1] * unit] as const;
  return svg`<svg class="rope-outputs" role="img" aria-label=${label} width=${size} height=${size}
      viewBox="${-size / 2} ${-size / 2} ${size} ${size}">
    <defs>${arrowTips("output")}</defs>
    ${planeAxes(reach, size)}
    ${tokens.map((token) => [arrow("output", "", at(still.output, token), "q", false), arrow("output", `O${token}`, at(rotated.output, token), "q", true)])}
  </svg>`;
}

/** The word of the reader's sentence at a token, if it has one. */
export const wordOf = (token: number) => shortened(labelOf(token) ?? "", 8);

/** The token whose word is chosen: the last one where the word chosen is further on. */
export const chosenToken = () => Math.min(selection.position.value, tokenCount - 1);

/** Degrees an arrow key adds; Home and End go straight to a value. */
const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: 1,
  ArrowUp: 1,
  ArrowRight: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/**
 * Twelve arrows: Q and K of three tokens, before (dashed) and after rotation (solid); the solid ones can be rotated.
 */
export function plane(model: Model, size: number, words: typeof en): TemplateResult {
  const all = [model.query, model.key].flatMap((x) => tokens.map((t) => Math.hypot(x.data[2 * t], x.data[2 * t + 1])));
  const reach = Math.max(0.1, ...all) * 1.22;
  const unit = size / 2 / reach;
  const at = (x: Tensor, token: number) => [x.data[2 * token] * unit, -x.data[2 * token + 1] * unit] as const;

  const half = size / 2;
  const taken: Label[] = [];
  const drawn = (x: Tensor, token: number, kind: "q" | "k", rotated: boolean) =>
    svg`<g class=${rotated && token === chosenToken() ? "chosen-arrow" : ""}>${arrow(
      "tip",
      `${kind.toUpperCase()}${token}${rotated ? "′" : ""}`,
      at(x, token),
      kind,
      rotated,
      { word: rotated && size >= wordsFit ? wordOf(token) : "", half, taken },
    )}</g>`;

  const handle = (before: Tensor, after: Tensor, token: number, kind: "q" | "k") => {
    const [x, y] = at(after, token);
    const angle = state.angles.value[token];
    const name = `${kind.toUpperCase()}${token}′`;
    const drag = (event: PointerEvent) => {
      const knob = event.currentTarget as SVGElement;
      if (event.type === "pointerdown") {
        selection.position.value = token;
        knob.setPointerCapture(event.pointerId);
        return;
      }
      if (!knob.hasPointerCapture(event.pointerId)) return;
      const drawing = knob.ownerSVGElement as SVGSVGElement;
      const box = drawing.getBoundingClientRect();
      const towards = Math.atan2(box.top + box.height / 2 - event.clientY, event.clientX - box.left - box.width / 2);
      const from = Math.atan2(before.data[2 * token + 1], before.data[2 * token]);
      setAngle(token, ((towards - from) * 180) / Math.PI - state.shift.value);
    };
    const press = (event: KeyboardEvent) => {
      const step = keySteps[event.key];
      if (step === undefined && event.key !== "Home" && event.key !== "End") return;
      event.preventDefault();
      // Several keys can come in one frame: from the state, not from what is drawn.
      setAngle(token, event.key === "Home" ? 0 : event.key === "End" ? 180 : state.angles.value[token] + step);
    };
    return svg`<circle class="knob ${kind}" data-screen-only data-handle=${name} cx=${x} cy=${y} r="13"
      tabindex="0" role="slider" aria-label=${words.handle(name)} aria-valuemin="-360" aria-valuemax="360"
      aria-valuenow=${angle} aria-valuetext="${angle}°"
      @pointerdown=${drag} @pointermove=${drag} @keydown=${press} />`;
  };

  // Solid arrows are drawn over dashed ones, but their labels come first.
  const after = tokens.map((t) => [drawn(model.rotatedQuery, t, "q", true), drawn(model.rotatedKey, t, "k", true)]);
  return svg`<svg class="rope-plane" role="group" aria-label=${words.plane} width=${size} height=${size}
      viewBox="${-half} ${-half} ${size} ${size}">
    <defs>${arrowTips("tip")}</defs>
    ${planeAxes(reach, size)}
    ${tokens.map((t) => [drawn(model.query, t, "q", false), drawn(model.key, t, "k", false)])}
    ${after}
    ${tokens.map((t) => [handle(model.query, model.rotatedQuery, t, "q"), handle(model.key, model.rotatedKey, t, "k")])}
  </svg>`;
}
