import { html, nothing, type TemplateResult } from "lit-html";
import { type Line, plain, single } from "../format";
import { language } from "../i18n";

/** The most lines that are shown: more are too many to read, and slow to lay out. */
const most = { rows: 50, columns: 16 };
const cut = {
  en: `At most ${most.rows} rows and ${most.columns} columns are shown here; the CSV file has all of them.`,
  zh: `这里最多显示 ${most.rows} 行、${most.columns} 列，完整的数据在 CSV 文件里。`,
};

/** The first lines of a panel's numbers as a table; the first line names the columns. */
export function dataTable(lines: Iterable<Line>, caption: string): TemplateResult {
  const shown: Line[] = [];
  let more = false;
  for (const line of lines) {
    // The line of names is not counted.
    if (shown.length > most.rows) {
      more = true;
      break;
    }
    if (line.length > most.columns) more = true;
    shown.push(line.slice(0, most.columns));
  }
  const [names = [], ...rows] = shown;
  // Files have the digits that read back as the same float32; the table has the significant ones.
  const digits = (value: number) => (Number.isInteger(value) ? plain(value) : single(value));
  const cellText = (value: string | number) => (typeof value === "number" ? digits(value) : value);
  const row = (line: Line): TemplateResult =>
    html`<tr>
      ${line.map((value, at) => (at === 0 ? html`<th scope="row">${cellText(value)}</th>` : html`<td>${cellText(value)}</td>`))}
    </tr>`;
  return html`<div class="scroll data-table" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption>${caption}</caption>
        <thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${rows.map(row)}</tbody>
      </table>
    </div>
    ${more ? html`<p class="note">${cut[language.value]}</p>` : nothing}`;
}
