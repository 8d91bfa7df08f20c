import type { Line } from "../format";
import type { Panel } from "../panel";
import { standalone } from "./standalone";

/** Writes comma-separated values, with quotes where they are needed. */
function csv(lines: Iterable<Line>): string {
  const field = (value: string | number) => {
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Array.from(lines, (line) => `${line.map(field).join(",")}\r\n`).join("");
}

/** Milliseconds after which a download has begun on the slowest machine: some browsers read its address late. */
const begun = 60_000;

/** Downloads a text or an image as a file. */
function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), begun);
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

export const fileKinds = ["csv", "svg", "png"] as const;
type FileKind = (typeof fileKinds)[number];

async function content(panel: Panel, body: Element, kind: FileKind): Promise<Blob> {
  if (kind === "csv") return new Blob([csv(panel.rows())], { type: "text/csv;charset=utf-8" });
  // A panel out of sight may not have been drawn since the state changed.
  panel.update();
  const svg = standalone(...body.querySelectorAll<SVGSVGElement>(panel.drawing));
  return kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : pixels(svg);
}

/** Downloads a panel's numbers or its drawing. */
export async function download(panel: Panel, body: Element, name: string, kind: FileKind): Promise<void> {
  save(`${name}.${kind}`, await content(panel, body, kind));
}
