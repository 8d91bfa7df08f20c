import { html, nothing, render, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { rowSlider, slider } from "../../controls";
import { plain, significant } from "../../core/format";
import { wavelength } from "../../core/library";
import { selection } from "../../core/page-state";
import type { Context, FullPanelModule, Panel } from "../../core/panel";
import { standalone } from "../../draw/standalone";
import { waveChart } from "../../draw/wave-chart";
import { examples } from "./examples";
import { configText, type Model, model, type Plan } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

const texts = { en, zh };
type Text = typeof en;
type Read = Extract<Model, { kind: "read" }>;
const six = (value: number) => (Number.isFinite(value) ? significant(value, 6) : "∞");
const families = Object.keys(examples) as (keyof typeof examples)[];

function mount(element: HTMLElement, context: Context<PosencFull>): Panel {
  const { pe } = context;

  function choose(pair: number): void {
    selection.headPair.value = pair;
  }

  function input(words: Text): TemplateResult {
    const family = state.configFamily.value;
    return html`<div class="controls">
        <fieldset class="choices">
          <legend>${words.examples}</legend>
          <div class="segments">
            ${[...families, "own" as const].map(
              (name) => html`<label>
                <input type="radio" name="row-configFamily" value=${name} .checked=${family === name}
                  @change=${() => {
                    state.configFamily.value = name;
                  }}
                /><span>${name === "own" ? words.own : examples[name].name}</span>
              </label>`,
            )}
          </div>
        </fieldset>
      </div>
      <label for="row-configText">${words.paste}</label>
      <textarea class="config-text" id="row-configText" rows="10" spellcheck="false" maxlength="8000"
        .value=${configText()}
        @input=${(event: Event) => {
          const text = state.configText.parse((event.currentTarget as HTMLTextAreaElement).value);
          if (text === undefined) return;
          state.configText.value = text;
          state.configFamily.value = "own";
        }}
      ></textarea>`;
  }

  function warnings(words: Text, shown: Read): readonly unknown[] {
    const { unknownKeys } = shown.config;
    const of = ({ plan, rotated, needsLength, after }: Plan) => [
      plan.rotary.layout === undefined ? words.noLayout : nothing,
      rotated < plan.rotary.dim ? words.partial(rotated, plan.rotary.dim) : nothing,
      needsLength ? words.needsLength : nothing,
      plan.mrope ? words.sections(plan.mrope.sections.join(" + ")) : nothing,
      after.attentionFactor === 1 ? nothing : words.factor(six(after.attentionFactor)),
    ];
    const all = [
      unknownKeys.length > 0 ? words.unknown(unknownKeys.join(", ")) : nothing,
      ...of(shown.plans[shown.chosen]),
    ];
    return all.filter((warning) => warning !== nothing);
  }

  function plans(words: Text, shown: Read): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.plans}>
      <table class="plans">
        <caption>${words.plans}</caption>
        <thead><tr>${words.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>
          ${shown.plans.map(
            ({ plan, base, rotated, after }, index) => html`<tr data-plan=${index}>
              <th scope="row">
                ${
                  shown.plans.length > 1
                    ? html`<label class="plan-choice"><input type="radio" name="row-configPlan" .checked=${shown.chosen === index}
                        @change=${() => {
                          state.configPlan.value = index;
                        }} /> ${plan.layerType}</label>`
                    : (plan.layerType ?? words.allLayers)
                }
              </th>
              <td data-lanes>${rotated} / ${plan.rotary.dim}</td>
              <td>${plan.rotary.layout ?? "?"}</td>
              <td data-base>${plain(base)}</td>
              <td data-rule>${plan.rotary.scaling?.type ?? "default"}</td>
              <td class="weight" data-factor>${six(after.attentionFactor)}</td>
              <td class="weight">${six(after.data[0])} … ${six(after.data[after.data.length - 1])}</td>
              <td class="weight" data-longest>${six(wavelength(after.data[after.data.length - 1]))}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  function details(words: Text, shown: Read): TemplateResult {
    const plan = shown.plans[shown.chosen];
    const { rotary } = plan.plan;
    const count = plan.after.data.length;
    const pair = Math.min(selection.headPair.value, count - 1);
    const [before, after] = [plan.before[pair], plan.after.data[pair]];
    const told = warnings(words, shown);
    const { scaling } = rotary;
    const settings = Object.entries(scaling ?? {}).filter(([, value]) => typeof value !== "object");
    return html`<h3>${words.warnings}</h3>
      ${
        told.length > 0
          ? html`<ul class="warnings">${told.map((warning) => html`<li>${warning}</li>`)}</ul>`
          : html`<p class="note">${words.noWarnings}</p>`
      }
      <p class="note">${words.settings} <code>${settings.map(([name, value]) => `${name}: ${value}`).join(", ") || "–"}</code></p>
      ${plan.needsLength ? html`<div class="controls">${rowSlider(state.configLength, words.length, { scale: "log" })}</div>` : nothing}
      ${waveChart(
        {
          before: Array.from(plan.before, wavelength),
          after: Array.from(plan.after.data, wavelength),
          lengths: plan.originalLength
            ? [{ name: words.trained(plain(plan.originalLength)), value: plan.originalLength }]
            : [],
          chosen: pair,
          words: words.chart,
          choose,
          current: () => selection.headPair.value,
        },
        context.width(),
      )}
      <div class="controls">
        ${slider({
          id: "config-pair",
          label: words.chart.pair,
          value: pair,
          limits: { ...selection.headPair.limits, max: count - 1 },
          set: choose,
        })}
      </div>
      <div class="readout" aria-live="polite">
        <p class="equation">
          ω = ${plain(plan.base)}<sup>−${2 * pair}/${rotary.exponentDim ?? plan.rotated}</sup> =
          <output data-config-omega="before">${six(before)}</output>,
          λ = 2π / ω = <output data-config-wave="before">${six(wavelength(before))}</output>
        </p>
        <p class="equation">
          ω′ = <output data-config-omega="after">${six(after)}</output>,
          λ′ = 2π / ${six(after)} = <output data-config-wave="after">${six(wavelength(after))}</output>
        </p>
      </div>`;
  }

  function update(): void {
    const words = texts[context.language()];
    const shown = model(pe);
    const refused = "message" in shown ? shown : undefined;
    render(
      html`${input(words)}
        <p class="problem" role="alert" data-config-problem>${
          refused ? html`${words[refused.kind]} <code>${refused.message}</code>` : nothing
        }</p>
        ${shown.kind === "read" ? html`${plans(words, shown)}${details(words, shown)}` : nothing}`,
      element,
    );
  }

  return {
    update,
    *rows() {
      yield ["layer type", "pair", "omega before", "omega", "wavelength before", "wavelength"];
      const shown = model(pe);
      if (shown.kind !== "read") return;
      for (const { plan, before, after } of shown.plans)
        for (const [pair, omega] of after.data.entries())
          yield [plan.layerType ?? "", pair, before[pair], omega, wavelength(before[pair]), wavelength(omega)];
    },
    svg() {
      update();
      const made = element.querySelector<SVGSVGElement>(".wave-chart");
      return made ? standalone(made) : `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`;
    },
    describe() {
      const words = texts[context.language()];
      const shown = model(pe);
      if (shown.kind !== "read") return words.nothing;
      const { plan, rotated, after } = shown.plans[shown.chosen];
      return words.describe(
        shown.plans.length,
        plan.layerType ?? words.allLayers,
        rotated,
        six(wavelength(after.data[after.data.length - 1])),
      );
    },
    destroy() {
      render(nothing, element);
    },
  };
}

export const panel: FullPanelModule = {
  library: "full",
  uses: [state.configFamily, state.configText, state.configPlan, selection.headPair, state.configLength],
  texts,
  mount,
};
