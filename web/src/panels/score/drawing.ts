import { svg, type TemplateResult } from "lit-html";
import type { Tensor } from "posenc";
import { fixed } from "../../core/format";
import { arrow, arrowTips, planeAxes, pointed } from "../../draw/plane";
import type { Model } from "./model";
import { state } from "./state";

export interface DrawingWords {
  readonly plane: string;
  readonly handle: (name: string) => string;
}

const keySteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.05, 0],
  ArrowRight: [0.05, 0],
  ArrowUp: [0, 0.05],
  ArrowDown: [0, -0.05],
};

const lengthOf = (x: Tensor) => Math.hypot(x.data[0], x.data[1]);

/** The plane grows by doubling, so that it does not change while a pointer drags. */
export function reachOf({ query, key }: Model): number {
  let reach = 0.5;
  while (reach < Math.max(lengthOf(query), lengthOf(key)) * 1.1) reach *= 2;
  return reach;
}

/** The wedge from the rotated query to the rotated key, the short way round; both are from the origin, in pixels. */
function wedge(from: readonly [number, number], to: readonly [number, number]): TemplateResult {
  const radius = 0.6 * Math.min(Math.hypot(...from), Math.hypot(...to));
  const end = ([x, y]: readonly [number, number]) => {
    const length = Math.hypot(x, y) || 1;
    return `${((x / length) * radius).toFixed(2)} ${((y / length) * radius).toFixed(2)}`;
  };
  // On a screen y grows downwards: a positive cross product is clockwise.
  const isClockwise = from[0] * to[1] - from[1] * to[0] > 0;
  return svg`<path class="wedge" d="M0 0L${end(from)}A${radius.toFixed(2)} ${radius.toFixed(2)} 0 0 ${isClockwise ? 1 : 0} ${end(to)}Z" />`;
}

/** q and k as they are (dashed, to be dragged) and rotated to their positions (solid). */
export function drawing(model: Model, size: number, words: DrawingWords): TemplateResult {
  const reach = reachOf(model);
  const unit = size / 2 / reach;
  const at = (x: Tensor) => [x.data[0] * unit, -x.data[1] * unit] as const;

  const handle = (name: "q" | "k", x: Tensor) => {
    const [left, top] = at(x);
    const row = name === "q" ? state.planeQuery : state.planeKey;
    const place = (values: readonly number[]) => {
      const { min, max } = row.limits;
      row.value = values.map((value) => Math.min(max, Math.max(min, Number(value.toFixed(2)))));
    };
    const drag = (event: PointerEvent) => {
      const knob = event.currentTarget as SVGElement;
      if (event.type === "pointerdown") knob.setPointerCapture(event.pointerId);
      else if (knob.hasPointerCapture(event.pointerId)) {
        const [pointX, pointY] = pointed(event, reach);
        // Not so far that the plane would grow.
        const shrink = Math.min(1, (reach * 0.9) / Math.hypot(pointX, pointY));
        place([pointX * shrink, pointY * shrink]);
      }
    };
    const press = (event: KeyboardEvent) => {
      const step = keySteps[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const factor = event.shiftKey ? 10 : 1;
      place(row.value.map((value, dimension) => value + step[dimension] * factor));
    };
    const angle = Math.round((Math.atan2(x.data[1], x.data[0]) * 180) / Math.PI);
    return svg`<circle class="knob ${name}" data-screen-only data-handle=${name} cx=${left} cy=${top} r="13"
      tabindex="0" role="slider" aria-label=${words.handle(name)} aria-valuemin="-180" aria-valuemax="180"
      aria-valuenow=${angle} aria-valuetext="[${[...x.data].map((value) => fixed(value, 2)).join(", ")}]"
      @pointerdown=${drag} @pointermove=${drag} @keydown=${press} />`;
  };

  return svg`<svg class="score-plane" role="group" aria-label=${words.plane} width=${size} height=${size}
      viewBox="${-size / 2} ${-size / 2} ${size} ${size}">
    <defs>${arrowTips("score")}</defs>
    ${planeAxes(reach, size)} ${wedge(at(model.rotatedQuery), at(model.rotatedKey))}
    ${arrow("score", "q", at(model.query), "q", false)} ${arrow("score", "k", at(model.key), "k", false)}
    ${arrow("score", "q′", at(model.rotatedQuery), "q", true)} ${arrow("score", "k′", at(model.rotatedKey), "k", true)}
    ${handle("q", model.query)} ${handle("k", model.key)}
  </svg>`;
}
