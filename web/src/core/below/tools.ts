import { effect, untracked } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { frameCode } from "../embed/code";
import type { Line } from "../format";
import { language } from "../i18n";
import { isAlone } from "../pages";
import type { Panel, PanelCode } from "../panel";
import { type Row, writeLink } from "../state";
import { copied } from "./copy-box";
import { dataTable } from "./data-table";

/** Writes comma-separated values, with quotes where they are needed. */
function csv(lines: Iterable<Line>): string {
  const field = (value: string | number) => {
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Array.from(lines, (line) => `${line.map(field).join(",")}\r\n`).join("");
}

/* The actions of the buttons below a panel; fetched when one of them is first used. */

/** The parts that can be unfolded below a figure. */
export type Fold = "table" | "code" | "embed";

/** Redraws the figures with unfolded parts: a copy changes the labels of all copy buttons. */
const redrawn = new Set<() => void>();
effect(() => {
  copied.value;
  untracked(() => {
    for (const redraw of redrawn) redraw();
  });
});

/** The function that draws code, once it is fetched. */
let writer: Awaited<ReturnType<PanelCode["fetch"]>> | undefined;

/** Draws the parts unfolded below a figure; its code follows once the module that writes it is fetched. */
export function below(
  id: string,
  title: string,
  panel: Panel,
  uses: readonly Row[],
  unfolded: ReadonlySet<Fold>,
  redraw: () => void,
): TemplateResult {
  redrawn.add(redraw);
  const table = unfolded.has("table") ? dataTable(panel.rows(), title) : nothing;
  const wanted = unfolded.has("code") ? panel.code : undefined;
  if (!writer)
    wanted?.fetch().then((fetched) => {
      writer = fetched;
      redraw();
    }, console.error);
  const code = wanted && writer ? writer.codeOf(id, title, wanted.computation(), redraw) : nothing;
  return html`${table}${code}${unfolded.has("embed") ? frameCode(id, title, uses) : nothing}`;
}

/** Downloads a text or an image as a file. */
function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Draws a drawing as pixels, `scale` of them to a CSS pixel each way. */
async function pixels(drawing: string, scale = 2): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(image.naturalWidth * scale);
  canvas.height = Math.ceil(image.naturalHeight * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("not enough memory for the picture"))),
      "image/png",
    );
  });
}

export type FileKind = "csv" | "svg" | "png";

async function content(panel: Panel, kind: FileKind): Promise<Blob> {
  if (kind === "csv") return new Blob([csv(panel.rows())], { type: "text/csv;charset=utf-8" });
  // A panel out of sight may not have been drawn since the state changed.
  panel.update();
  const drawing = await panel.svg();
  return kind === "svg" ? new Blob([drawing], { type: "image/svg+xml" }) : pixels(drawing);
}

/** Downloads a panel's numbers or its drawing. */
export async function download(panel: Panel, name: string, kind: FileKind): Promise<void> {
  save(`${name}.${kind}`, await content(panel, kind));
}

/** Copies the link to a figure; calls `notify` with true when it is copied, and with false two seconds later. */
export async function copyLink(id: string, notify: (isCopied: boolean) => void): Promise<void> {
  const live = writeLink({ at: id });
  // The link is to the page whose preview is the figure; that page leads to the live one.
  const shared = isAlone ? live : `./figures/${id}.${language.value}.html${writeLink({ at: "" })}`;
  try {
    await navigator.clipboard.writeText(new URL(shared, location.href).href);
  } catch {
    // Without access to the clipboard the link goes into the address bar, to be copied by hand.
    history.replaceState(null, "", live);
  }
  notify(true);
  setTimeout(notify, 2000, false);
}
