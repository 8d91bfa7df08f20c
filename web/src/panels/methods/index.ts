import { computed } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { rowSlider } from "../../controls";
import { plain, significant } from "../../core/format";
import type { Context, FullPanelModule, Panel } from "../../core/panel";
import { standalone } from "../../draw/standalone";
import { bytesChart } from "./chart";
import { type Facts, facts, type MethodName, methodNames, moved, sizes } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import { growth, lengths, measure, type Timing } from "./timing";
import "./style.css";

const texts = { en, zh };
type Text = typeof en;

/**
 * What document 002's table says of the methods that it compares: trainable, extrapolates, relative. The first and the
 * last are what is computed here, too; whether a trained model extrapolates does not follow from a position's code.
 */
const claims: Partial<Record<MethodName, readonly [boolean, boolean, boolean]>> = {
  sinusoid: [false, true, false],
  learned: [true, false, false],
  shaw: [true, true, true],
  rope: [false, true, true],
};

/** What it says of cost and storage, for n positions and d lanes. */
const costs: Partial<Record<MethodName, string>> = { sinusoid: "O(n)", learned: "O(n)", shaw: "O(n²)", rope: "O(n)" };
const storage: Partial<Record<MethodName, string>> = { sinusoid: "0", learned: "O(d·n)", shaw: "O(n²)", rope: "0" };

/** Scores are sums in float32: smaller changes than this are rounding. */
const rounding = 1e-4;
const isRelative = ({ change }: Facts) => change < rounding;

/** Seconds with a unit that fits. */
function time(seconds: number): string {
  if (seconds < 1e-3) return `${significant(seconds * 1e6, 3)} µs`;
  return `${significant(seconds * 1e3, 3)} ms`;
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 2 ** 20 ? `${significant(count / 1024, 4)} KiB` : `${significant(count / 2 ** 20, 4)} MiB`;
}

function mount(element: HTMLElement, context: Context<PosencFull>): Panel {
  const { pe } = context;
  /** Counting takes some time, so it is done once for the same sizes. */
  const all = computed(() => methodNames.map((name) => [name, facts(pe, name)] as const));
  let timings: Timing[] = [];
  let measuring = 0;

  async function run(): Promise<void> {
    const own = ++measuring;
    timings = [];
    context.frames.request();
    const report = (timing: Timing) => {
      timings.push(timing);
      context.frames.request();
    };
    await measure(pe, sizes.value, report, () => own !== measuring);
    if (own === measuring) measuring = 0;
    context.frames.request();
  }

  /** The computed fact, and below it what document 002's table says of the same, marked where the two differ. */
  function answer(words: Text, name: MethodName, which: "trainable" | "relative", value: boolean, shown: string) {
    const claim = claims[name]?.[which === "trainable" ? 0 : 2];
    const differs = claim !== undefined && claim !== value;
    return html`<td data-fact=${which} class=${differs ? "marked" : ""}>
      ${value ? words.yes : words.no} <span class="check">${shown}</span>
      ${claim === undefined ? nothing : html`<span class="badge ${differs ? "" : "quiet"}">${words.document(claim ? words.yes : words.no)}</span>`}
    </td>`;
  }

  /** Whether a position has a code, and below it what document 002's table says of another question. */
  function beyond(words: Text, name: MethodName, value: boolean): TemplateResult {
    const claim = claims[name]?.[1];
    return html`<td data-fact="beyond">
      ${value ? words.yes : html`${words.no} <span class="check">${words.tableEnds(plain(sizes.value.length - 1))}</span>`}
      ${claim === undefined ? nothing : html`<span class="badge quiet">${words.extrapolates(claim ? words.yes : words.no)}</span>`}
    </td>`;
  }

  /** How many cells answer the document's questions, and how many of them differ. */
  function compared(): readonly [cells: number, differing: number] {
    const pairs = all.value.flatMap(([name, fact]) => {
      const claim = claims[name];
      return claim ? [claim[0] === fact.parameters > 0, claim[2] === isRelative(fact)] : [];
    });
    return [pairs.length, pairs.filter((same) => !same).length];
  }

  function counts(words: Text): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.counted}>
      <table class="methods">
        <caption>${words.counted}</caption>
        <thead>
          <tr>
            ${words.columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${all.value.map(
            ([name, fact]) => html`<tr data-method=${name}>
              <th scope="row">${words.methods[name]}</th>
              ${answer(words, name, "trainable", fact.parameters > 0, words.parameters(fact.parameters))}
              <td data-fact="bytes">
                ${bytes(fact.bytes)}
                ${fact.bytesOfPairs === undefined ? nothing : html`<span class="check">${words.ofPairs(bytes(fact.bytesOfPairs))}</span>`}
                ${storage[name] === undefined ? nothing : html`<span class="badge quiet">${words.document(storage[name])}</span>`}
              </td>
              ${answer(words, name, "relative", isRelative(fact), words.change(moved, significant(fact.change, 3)))}
              <td data-fact="distinct">
                ${fact.distinct === fact.of ? words.yes : words.no}
                <span class="check">${words.distinct[name === "shaw" || name === "t5" || name === "alibi" ? "distances" : "positions"](fact.distinct, fact.of)}</span>
              </td>
              ${beyond(words, name, fact.beyond)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="note" data-compared>${words.compared(...compared())}</p>`;
  }

  function measured(words: Text): TemplateResult {
    const found = (method: MethodName, length: number) =>
      timings.find((timing) => timing.method === method && timing.length === length);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.measured}>
      <table class="methods timings">
        <caption>${words.measured}</caption>
        <thead>
          <tr>
            <th scope="col">${words.columns[0]}</th>
            ${lengths.map((length) => html`<th scope="col">n = ${length}</th>`)}
            <th scope="col">${words.doubled}</th>
          </tr>
        </thead>
        <tbody>
          ${methodNames.map((name) => {
            const times = growth(timings, name);
            return html`<tr data-timing=${name}>
              <th scope="row">${words.methods[name]}<span class="check">${words.work[name]}</span></th>
              ${lengths.map((length) => {
                const one = found(name, length);
                return html`<td class="weight" data-seconds=${one?.seconds ?? nothing}>${one ? time(one.seconds) : "–"}</td>`;
              })}
              <td class="weight" data-growth>
                ${times ? `× ${significant(times, 3)}` : "–"}
                ${costs[name] === undefined ? nothing : html`<span class="badge quiet">${words.document(costs[name])}</span>`}
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  function update(): void {
    const words = texts[context.language()];
    render(
      html`${counts(words)}
        <div class="controls">
          ${rowSlider(state.methodLength, words.length, { scale: "log" })}
          ${rowSlider(state.methodDim, words.dim, { scale: "log" })} ${rowSlider(state.methodHeads, words.heads)}
        </div>
        <h3>${words.chart}</h3>
        ${bytesChart(
          all.value.map(([name, { bytes: kept, bytesOfPairs }]) => ({
            name: words.methods[name],
            kept,
            all: bytesOfPairs,
          })),
          Math.min(640, context.width()),
          words.chart,
          bytes,
        )}
        <div class="controls measure">
          <button type="button" data-tool="measure" @click=${run}>${measuring ? words.measuring : words.measure}</button>
          <p class="hint" role="status">${timings.length === 0 ? words.notYet : words.conditions}</p>
        </div>
        ${timings.length > 0 ? measured(words) : nothing}`,
      element,
    );
  }

  return {
    update,
    *rows() {
      const { length, dim, heads } = sizes.value;
      yield [
        "method",
        "length",
        "dim",
        "heads",
        "parameters",
        "bytes",
        "bytes of all pairs",
        `score change when moved by ${moved}`,
        "distinct",
        "of",
        "position 2n",
        ...lengths.map((n) => `measured seconds at n = ${n}`),
      ];
      for (const [name, fact] of all.value)
        yield [
          name,
          length,
          dim,
          heads,
          fact.parameters,
          fact.bytes,
          fact.bytesOfPairs ?? "",
          fact.change,
          fact.distinct,
          fact.of,
          fact.beyond ? "yes" : "no",
          ...lengths.map((n) => timings.find((one) => one.method === name && one.length === n)?.seconds ?? ""),
        ];
    },
    svg() {
      update();
      const made = element.querySelector<SVGSVGElement>(".bytes-chart");
      return made ? standalone(made) : "";
    },
    describe() {
      const words = texts[context.language()];
      const { length, dim, heads } = sizes.value;
      const relative = all.value.filter(([, fact]) => isRelative(fact));
      return words.describe(
        plain(length),
        plain(dim),
        plain(heads),
        relative.map(([name]) => words.methods[name]),
      );
    },
    destroy() {
      measuring = -1;
      render(nothing, element);
    },
  };
}

export const panel: FullPanelModule = {
  library: "full",
  uses: [state.methodLength, state.methodDim, state.methodHeads],
  texts,
  mount,
};
