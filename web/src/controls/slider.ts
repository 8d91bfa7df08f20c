import { html, type TemplateResult } from "lit-html";
import { plain } from "../core/format";
import { type Limits, type NumberRow, put } from "../core/state";
import { numberBox } from "./number-box";

/** The scale of a slider: linear or logarithmic. */
type Scale = "linear" | "log";
const notches = 1000;

/** A slider with a number box, for any number. The slider may span less than the box accepts. */
export function slider(options: {
  id: string;
  label: string | TemplateResult;
  value: number;
  limits: Limits;
  span?: readonly [number, number];
  scale?: Scale;
  step?: number;
  unit?: string;
  /** The words that screen readers speak for 0 where it means none. */
  none?: string;
  set(value: number): void;
}): TemplateResult {
  const { id, label, value, limits, none, scale = "linear", step = limits.whole ? 1 : 0.01, unit = "", set } = options;
  const [low, high] = options.span ?? [limits.min, limits.max];
  const log = scale === "log";
  const inside = Math.min(high, Math.max(low, value));
  const place = log ? Math.round((notches * Math.log(inside / low)) / Math.log(high / low)) : inside;

  const drag = (event: Event) => {
    const at = Number((event.currentTarget as HTMLInputElement).value);
    if (!log) return set(at);
    const exact = low * (high / low) ** (at / notches);
    const next = limits.whole ? Math.round(exact) : Number(exact.toPrecision(3));
    // A notch can be less than a whole step, but a key press must always have an effect.
    set(next === value && at !== place ? Math.min(high, Math.max(low, value + Math.sign(at - place) * step)) : next);
  };
  return html`<div class="control">
    <label for=${id}>${label}</label>
    <div>
      <input
        type="range"
        class="range"
        aria-label=${typeof label === "string" ? label : id}
        min=${log ? 0 : low}
        max=${log ? notches : high}
        step=${log ? 1 : step}
        .value=${String(place)}
        aria-valuetext=${(value === 0 && none) || plain(value) + unit}
        @input=${drag}
      />
    </div>
    <div>${numberBox({ id, value, limits, step, set })}</div>
    <span class="unit">${unit}</span>
  </div>`;
}

/** A slider with a number box for a row of the state; where the row is shared by figures, `id` and `last` are this figure's. */
export function rowSlider(
  row: NumberRow,
  label: string,
  {
    id = `row-${row.name}`,
    last = row.limits.max,
    ...options
  }: {
    id?: string;
    last?: number;
    span?: readonly [number, number];
    scale?: Scale;
    step?: number;
    unit?: string;
    none?: string;
  } = {},
): TemplateResult {
  return slider({
    ...options,
    id,
    label,
    value: Math.min(last, row.value),
    limits: { ...row.limits, max: last },
    set: (value) => put(row, value),
  });
}
