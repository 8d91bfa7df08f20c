import { html, nothing, type TemplateResult } from "lit-html";
import type { Finding } from "posenc/engines";
import type { PosencFull } from "posenc/full";
import { coded } from "../../code/figure";
import { rowSlider } from "../../controls";
import { wavelength } from "../../core/arithmetic";
import { fullFigure, kept } from "../../core/figure";
import { brief, plain } from "../../core/format";
import { language, text } from "../../core/i18n";
import { selection } from "../../core/page-state";
import { noJson, refusal } from "../../core/refusal";
import { put } from "../../core/state";
import { curvePlot } from "../../draw/curve";
import { short, shortened } from "../../draw/rounded";
import { computationOf } from "./computation";
import { differences } from "./differences";
import { engineSettings } from "./engines";
import { inputs } from "./inputs";
import { engines, fetchEngines } from "./library";
import { configText, type Model, otherText, readModel, six } from "./model";
import { state } from "./state";
import { en, type Text } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Read = Extract<Model, { kind: "read" }>;

// Read once for each text: a long one takes some time.
const own = kept((pe: PosencFull) => readModel(pe, configText()));
const other = kept((pe: PosencFull) => readModel(pe, otherText() ?? ""));

const findingsOf = ({ model }: Read) => engines.explain(model, { language: language.value });

/** The library's findings about the model, in groups. */
function findings(words: Text, shown: Read): TemplateResult {
  const all = findingsOf(shown);
  const group = (kind: Finding["kind"]) => {
    const those = all.filter((finding) => finding.kind === kind);
    if (those.length === 0) return nothing;
    return html`<h4>${words.kinds[kind]}</h4>
      <ul class="findings" data-kind=${kind}>
        ${those.map(({ code, path, sentence }) => html`<li data-code=${code}>${sentence}${kind === "evidence" ? nothing : html` <code>${path}</code>`}</li>`)}
      </ul>`;
  };
  return html`<h3>${words.explained}</h3>${(["risk", "unusual", "does", "evidence"] as const).map(group)}`;
}

/** The table of differences from the other config. */
function comparison(words: Text, pe: PosencFull, shown: Read, against: Model): TemplateResult {
  return against.kind === "read"
    ? html`<h3>${words.compare}</h3>
        ${differences(words, pe.compare(shown.model, against.model))}`
    : html``;
}

/** Returns the sentence that says why a text cannot be read. */
function reason(words: Text, read: Model): string {
  if (read.kind === "no-json") return noJson(read.error, language.value);
  if (read.kind === "refused") return refusal(read.error, language.value);
  return read.kind === "too-large" ? words.tooLarge(plain(read.pairs)) : "";
}

/** A column for each kind of layer, of this model and behind it of the other: what differs from the first is marked. */
function plans(words: Text, shown: Read, against: Model): TemplateResult {
  const others = against.kind === "read" ? against.plans : [];
  const all = [...shown.plans, ...others];
  const lines: readonly (readonly [string, (each: (typeof all)[number]) => string | number])[] = [
    ["dims", ({ rotated, plan }) => `${rotated} / ${plan.rotary.dim}`],
    ["layout", ({ plan }) => plan.rotary.layout ?? "?"],
    ["base", ({ base }) => plain(base)],
    ["rule", ({ plan }) => plan.rotary.scaling?.type ?? "default"],
    ["factor", ({ after }) => after.attentionFactor],
    ["first", ({ after }) => after.data[0]],
    ["last", ({ after }) => after.data[after.data.length - 1]],
    ["longest", ({ after }) => six(wavelength(after.data[after.data.length - 1]))],
  ];
  const layers = (each: (typeof all)[number], index: number) =>
    index < shown.plans.length && shown.plans.length > 1
      ? html`<label class="plan-choice"><input type="radio" name="row-configPlan" .checked=${shown.chosen === index}
          @change=${() => put(state.configPlan, index)} /> ${each.plan.layerType}</label>`
      : (each.plan.layerType ?? words.allLayers);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.plans}>
    <table class="plans">
      <caption>${words.plans}</caption>
      <thead>
        ${
          others.length === 0
            ? nothing
            : html`<tr>
                <td></td>
                <th scope="colgroup" colspan=${shown.plans.length}>${words.differenceColumns[1]}</th>
                <th scope="colgroup" colspan=${others.length}>${words.differenceColumns[2]}</th>
              </tr>`
        }
        <tr>
          <td></td>
          ${all.map((each, index) => html`<th scope="col" data-plan=${index < shown.plans.length ? index : nothing}>${layers(each, index)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(([name, cellOf], line) => {
          const values = all.map(cellOf);
          return html`<tr data-line=${name}>
            <th scope="row">${words.columns[line]}</th>
            ${values.map(
              (value, index) => html`<td class=${index > 0 && value !== values[0] ? "marked" : ""}>
                ${typeof value === "number" ? shortened(value) : value}
              </td>`,
            )}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

/** Wavelengths of pairs in this model, from its base alone and in the model beside it, and the length that it was trained on. */
function plot(words: Text, plan: Read["plans"][number], against: Model, pair: number, width: number): TemplateResult {
  const count = plan.after.data.length;
  const waves = (omegas: ArrayLike<number>) => Array.from(omegas, wavelength).slice(0, count);
  const others = against.kind === "read" ? against.plans.slice(0, 3) : [];
  const length = plan.originalLength;
  const [after, before] = [waves(plan.after.data), waves(plan.before)];
  const curves = [
    { name: words.chart.after, values: after },
    { name: words.chart.before, values: before },
    ...(length ? [{ name: words.trained(plain(length)), values: after.map(() => length) }] : []),
    ...others.map(({ plan: { layerType }, after: theirs }) => ({
      name: [words.differenceColumns[2], layerType].filter(Boolean).join(text.value.colon),
      values: waves(theirs.data),
    })),
  ];
  // A pair that does not rotate has an infinite wavelength, and no point.
  const finite = curves.flatMap(({ values }) => values).filter(Number.isFinite);
  return curvePlot({
    id: "config-waves",
    label: words.chart.label,
    x: { name: words.chart.pair, low: 0, high: count - 1, whole: true },
    y: { name: words.chart.wavelength, low: Math.min(...finite), high: Math.max(...finite), log: true, format: brief },
    xs: after.map((_, at) => at),
    curves,
    chosen: pair,
    choose: (at) => put(selection.headPair, at),
    spoken: `i = ${pair}${text.value.colon}λ ${short(before[pair])}${text.value.comma}λ′ ${short(after[pair])}`,
    width,
  });
}

function details(words: Text, shown: Read, against: Model, width: number): TemplateResult {
  const plan = shown.plans[shown.chosen];
  if (plan === undefined) return html``;
  const { rotary } = plan.plan;
  const count = plan.after.data.length;
  const pair = Math.min(selection.headPair.value, count - 1);
  const [before, after] = [plan.before[pair], plan.after.data[pair]];
  const { scaling } = rotary;
  const settings = Object.entries(scaling ?? {}).filter(([, value]) => typeof value !== "object");
  return html`<h3>${words.frequencies}</h3>
    <p class="note">${words.settings} <code>${settings.map(([name, value]) => `${name}: ${value}`).join(", ") || "–"}</code></p>
    ${plan.needsLength ? html`<div class="controls">${rowSlider(state.configLength, words.length, { scale: "log" })}</div>` : nothing}
    ${plot(words, plan, against, pair, width)}
    <div class="controls">
      ${rowSlider(selection.headPair, words.chart.pair, { id: "config-pair", last: count - 1 })}
    </div>
    <div class="readout" aria-live="polite">
      <p class="equation">
        ω = ${plain(plan.base)}<sup>−${2 * pair}/${rotary.exponentDim ?? plan.rotated}</sup> =
        <output data-config-omega="before">${shortened(before)}</output>,
        λ = 2π / ω = <output data-config-wave="before">${shortened(wavelength(before))}</output>
      </p>
      <p class="equation">
        ω′ = <output data-config-omega="after">${shortened(after)}</output>,
        λ′ = 2π / ${shortened(after)} = <output data-config-wave="after">${shortened(wavelength(after))}</output>
      </p>
    </div>`;
}

export const panel = fullFigure({
  parts: fetchEngines,
  uses: [...Object.values(state), selection.headPair],
  texts: { en, zh },
  model: (pe) => ({ shown: own(pe), against: other(pe) }),
  draw: (words, { shown, against }, { pe, width }) =>
    html`${inputs(words, { own: reason(words, shown), other: reason(words, against) })}
      ${
        shown.kind === "read"
          ? html`<div class="config-view beside">
                <div>${details(words, shown, against, width > 840 ? Math.round(0.56 * width) : width)}</div>
                <div>${shown.plans.length > 0 ? plans(words, shown, against) : nothing}</div>
              </div>
              ${findings(words, shown)}${engineSettings(words.engines, shown.model)}
              ${comparison(words, pe, shown, against)}`
          : nothing
      }`,
  *rows({ shown }) {
    yield ["layer type", "pair", "omega before", "omega", "wavelength before", "wavelength"];
    if (shown.kind !== "read") return;
    for (const { plan, before, after } of shown.plans)
      for (const [pair, omega] of after.data.entries())
        yield [plan.layerType ?? "", pair, before[pair], omega, wavelength(before[pair]), wavelength(omega)];
  },
  drawing: "#config-waves",
  code: coded(({ shown }) => computationOf(shown, selection.headPair.value)),
  describe(words, { shown }) {
    if (shown.kind !== "read") return words.nothing;
    const chosen = shown.plans[shown.chosen];
    if (chosen === undefined) return findingsOf(shown)[0]?.sentence ?? "";
    const { plan, rotated, after } = chosen;
    return words.describe(
      shown.plans.length,
      plan.layerType ?? words.allLayers,
      rotated,
      wavelength(after.data[after.data.length - 1]),
    );
  },
});
