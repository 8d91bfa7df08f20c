import { html, nothing, type TemplateResult } from "lit-html";
import {
  type AttributePart,
  Directive,
  type DirectiveParameters,
  directive,
  type ElementPart,
} from "lit-html/directive.js";
import { plain } from "../core/format";
import { type ChoiceName, type NumberName, state, table, type Value } from "../core/state";

// In modules of their own: what the first panel does without is no part of the first load.
export { player } from "./player";
export { textBox } from "./text-box";

/** Shows a number in a box, but leaves alone what the reader is typing there while it means the same number. */
class Shown extends Directive {
  override update(part: AttributePart | ElementPart, [value]: DirectiveParameters<this>): unknown {
    const box = part.element as HTMLInputElement;
    const typing = box === document.activeElement && box.value !== "" && Number(box.value) === value;
    if (!typing && box.value !== String(value)) {
      box.value = String(value);
      box.removeAttribute("aria-invalid");
    }
    return undefined;
  }
  render(_value: number): unknown {
    return undefined;
  }
}
const shown = directive(Shown);

interface Limits {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** A number box: takes over what is valid as it is typed, marks what is not, and returns to the last good number. */
export function numberBox(options: {
  id?: string;
  label?: string;
  value: number;
  limits: Limits;
  step?: number;
  set(value: number): void;
}): TemplateResult {
  const { id, label, value, limits, step, set } = options;
  const read = (event: Event) => {
    const box = event.currentTarget as HTMLInputElement;
    const next = box.valueAsNumber;
    const valid = next >= limits.min && next <= limits.max && (!limits.whole || Number.isInteger(next));
    if (valid) {
      box.removeAttribute("aria-invalid");
      set(next);
    } else if (event.type === "change") {
      box.value = String(value);
      box.removeAttribute("aria-invalid");
    } else {
      box.setAttribute("aria-invalid", "true");
    }
  };
  return html`<input
    type="number"
    class="number"
    id=${id ?? nothing}
    aria-label=${label ?? nothing}
    min=${limits.min}
    max=${limits.max}
    step=${limits.whole ? 1 : (step ?? "any")}
    ${shown(value)}
    @input=${read}
    @change=${read}
  />`;
}

/** How a slider's way is divided: evenly, or so that every doubling takes as long. */
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
  set(value: number): void;
}): TemplateResult {
  const { id, label, value, limits, scale = "linear", step = limits.whole ? 1 : 0.01, unit = "", set } = options;
  const [low, high] = options.span ?? [limits.min, limits.max];
  const log = scale === "log";
  const inside = Math.min(high, Math.max(low, value));
  const place = log ? Math.round((notches * Math.log(inside / low)) / Math.log(high / low)) : inside;

  const drag = (event: Event) => {
    const at = Number((event.currentTarget as HTMLInputElement).value);
    if (!log) return set(at);
    const exact = low * (high / low) ** (at / notches);
    const next = limits.whole ? Math.round(exact) : Number(exact.toPrecision(3));
    // A notch can be less than a whole step; a key press must do something all the same.
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
        aria-valuetext="${plain(value)}${unit}"
        @input=${drag}
      />
    </div>
    <div>${numberBox({ id, value, limits, step, set })}</div>
    <span class="unit">${unit}</span>
  </div>`;
}

/** A slider with a number box for a row of the state. */
export function rowSlider(
  name: NumberName,
  label: string,
  options: { span?: readonly [number, number]; scale?: Scale; step?: number; unit?: string } = {},
): TemplateResult {
  return slider({
    ...options,
    id: `row-${name}`,
    label,
    value: state[name].value,
    limits: table[name],
    set: (value) => {
      state[name].value = value;
    },
  });
}

/** One of a few, all of them in sight; `shown` is the one in force where the state leaves it open. */
export function choices<K extends ChoiceName>(
  name: K,
  legend: string,
  options: readonly (readonly [Value<K>, string])[],
  shown: Value<K> = state[name].value,
): TemplateResult {
  const chosen = state[name];
  return html`<fieldset class="choices">
    <legend>${legend}</legend>
    <div class="segments">
      ${options.map(
        ([value, label]) => html`<label>
          <input
            type="radio"
            name="row-${name}"
            value=${value}
            .checked=${shown === value}
            @change=${() => {
              chosen.value = value as (typeof chosen)["value"];
            }}
          /><span>${label}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}
