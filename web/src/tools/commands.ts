import { html, type TemplateResult } from "lit-html";
import { copyBox } from "../core/below/copy-box";
import type { ToolsText } from "./text.en";

/** Commands and code for related tasks that have no form here. */
const lines = {
  fixtures: "npx posenc fixtures config.json -o fixtures",
  edit: `import { load } from "posenc/tools";

const pe = await load();
const rotary = pe.rotary({ dim: 128, layout: "half" });
// The first 16 tokens go; those behind them close up and are rotated back by 16 positions.
const edits = [{ type: "drop", from: 0, to: 16 }];
const { keys: left, bound } = pe.editKeys(keys, { rotary, shape: [tokens, heads, 128], seqAxis: 0, edits });`,
  command: `npx posenc diagnose before.npy after.npy --positions 0..7 --expected config.json
npx posenc diagnose --cache model.safetensors:cos model.safetensors:sin
npx posenc explain config.json`,
};

export function commands(words: ToolsText): TemplateResult {
  const part = (id: keyof typeof lines, explained: string) => html`<div class="prose">
      <h2>${words[id]}</h2>
      <p>${explained}</p>
    </div>
    ${copyBox(`lines-${id}`, words[id], lines[id])}`;
  return html`${part("fixtures", words.fixturesText)} ${part("edit", words.editText)}
    ${part("command", words.commandText)}`;
}
