import { nothing, type TemplateResult } from "lit-html";
import { escaped } from "../escaped";

const isTemplate = (value: unknown): value is TemplateResult =>
  typeof value === "object" && value !== null && "strings" in value && "values" in value;

/** Whether a template is a glossary term, of which only the word is written here. */
const isTerm = ({ strings }: TemplateResult) => strings[0].includes(' class="term"');

function content(value: unknown): string {
  if (value === nothing || value === undefined || value === null) return "";
  if (isTemplate(value)) return isTerm(value) ? content(value.values.at(-1)) : written(value);
  if (Array.isArray(value)) return value.map(content).join("");
  if (typeof value === "string" || typeof value === "number") return escaped(String(value));
  throw new Error(`a text with ${value}`);
}

function written({ strings, values }: TemplateResult): string {
  return strings.reduce((before, string, index) => {
    // A listener, a conditional attribute or a property has no meaning in static HTML.
    if (/[@?.][\w-]+=$/.test(before)) throw new Error(`a text with a control: ${before.slice(-80)}`);
    const value = content(values[index - 1]);
    return before + (before.endsWith("=") ? `"${value}"` : value) + string;
  });
}

/** Writes a text of the page as HTML. */
export const markup = (template: TemplateResult | undefined): string => content(template).replace(/\s+/g, " ").trim();
