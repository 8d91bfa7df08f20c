import { html, nothing, type TemplateResult } from "lit-html";
import * as lit from "lit-html/directive.js";
import { plain } from "../core/format";
import { language } from "../core/i18n";
import type { Limits } from "../core/state";

const words = {
  en: (low: string, high: string, whole: boolean) => `${whole ? "A whole number" : "A number"} from ${low} to ${high}`,
  zh: (low: string, high: string, whole: boolean) => `${low} 到 ${high} 之间的${whole ? "整" : ""}数`,
};

/** Shows a number in a box, but leaves alone what the reader is typing there while it means the same number. */
class Shown extends lit.Directive {
  override update(part: lit.AttributePart | lit.ElementPart, [value]: lit.DirectiveParameters<this>): unknown {
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
const shown = lit.directive(Shown);

/** A number box: takes valid numbers as they are typed, marks invalid ones, and falls back to the last valid one with a word on its range. */
export function numberBox(options: {
  id?: string;
  label?: string;
  value: number;
  limits: Limits;
  step?: number;
  set(value: number): void;
}): TemplateResult {
  const { id, label, value, limits, step, set } = options;
  const range = words[language.value](plain(limits.min), plain(limits.max), limits.whole);
  const read = (event: Event) => {
    const box = event.currentTarget as HTMLInputElement;
    const next = box.valueAsNumber;
    box.setCustomValidity("");
    const valid = next >= limits.min && next <= limits.max && (!limits.whole || Number.isInteger(next));
    if (valid) {
      box.removeAttribute("aria-invalid");
      set(next);
    } else if (event.type === "change") {
      box.value = String(value);
      box.removeAttribute("aria-invalid");
      box.setCustomValidity(range);
      box.reportValidity();
    } else {
      box.setAttribute("aria-invalid", "true");
    }
  };
  return html`<input
    type="number"
    class="number"
    id=${id ?? nothing}
    aria-label=${label ?? nothing}
    title=${range}
    min=${limits.min}
    max=${limits.max}
    step=${limits.whole ? 1 : (step ?? "any")}
    ${shown(value)}
    @input=${read}
    @change=${read}
  />`;
}
