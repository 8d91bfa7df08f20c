import { existsSync } from "node:fs";
import { type ResvgRenderOptions, renderAsync } from "@resvg/resvg-js";
import { escaped } from "../escaped";
import { type Drawing, flow } from "./drawing";

/** The size that link previews expect, and a margin. */
const width = 1200;
const height = 630;
const margin = 56;
const ink = "#1f2026";
const paper = "#fcfbf8";
const accent = "#5b2a86";

/** From Debian's fonts-dejavu-core and fonts-wqy-microhei: with these the pictures are the same on every machine. */
const fontFiles = [
  "dejavu/DejaVuSans.ttf",
  "dejavu/DejaVuSans-Bold.ttf",
  "dejavu/DejaVuSansMono.ttf",
  "wqy/wqy-microhei.ttc",
].map((file) => `/usr/share/fonts/truetype/${file}`);

const options: ResvgRenderOptions = {
  background: paper,
  font: fontFiles.every((file) => existsSync(file))
    ? { fontFiles, loadSystemFonts: false, sansSerifFamily: "DejaVu Sans", monospaceFamily: "DejaVu Sans Mono" }
    : { loadSystemFonts: true },
};

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;

async function pixels(text: string): Promise<Buffer> {
  const content = `<text x="20" y="100" font-family="sans-serif" font-size="40" fill="#000">${text}</text>`;
  return (await renderAsync(svg(content), options)).pixels;
}

/** Ends the build without Latin or Chinese letters: two letters without a glyph look the same. */
export async function checkFonts(): Promise<void> {
  for (const [one, other] of ["ao", "位置"]) {
    const [first, second] = await Promise.all([pixels(one), pixels(other)]);
    if (first.equals(second))
      throw new Error(
        `Pictures to share need a font that has “${one}”: install Debian's fonts-dejavu-core and fonts-wqy-microhei, ` +
          "or other fonts with Latin and Chinese letters.",
      );
  }
}

/** Arrangements of title and drawing: the width and size of the title's lines, and the rectangle of the drawing. */
const layouts = {
  above: {
    space: width - 2 * margin,
    size: 46,
    place: (rows: number) => {
      const top = 112 + rows * 56;
      return { left: margin, top, width: width - 2 * margin, height: height - top - 32 };
    },
  },
  beside: { space: 368, size: 42, place: () => ({ left: 440, top: 40, width: width - 480, height: height - 80 }) },
};

/** The width of a text in ems, roughly: Chinese characters are square. */
const extent = (text: string) =>
  [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/u.test(letter) ? 1 : 0.66), 0);

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Breaks a text between words into lines of at most so many ems; punctuation stays with the word before it. */
function lines(text: string, most: number): string[] {
  const broken = [""];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const line = broken[broken.length - 1];
    if (isWordLike && line && extent(line + segment) > most) broken.push(segment);
    else broken[broken.length - 1] = line + segment;
  }
  return broken.map((line) => line.trim());
}

function heading(rows: readonly string[], size: number): string {
  const text = (line: string, row: number) => {
    // The Chinese font has no bold letters.
    const bold = /[\u2e80-\uffef]/u.test(line) ? ` stroke="${ink}" stroke-width="${size / 32}"` : "";
    return `<text x="${margin}" y="${132 + row * 56}" font-family="sans-serif" font-weight="bold" font-size="${size}" fill="${ink}"${bold}>${escaped(line)}</text>`;
  };
  return rows.map(text).join("");
}

/** Draws the preview of a shared link as PNG: the title and, as large as it can be, one of the drawings. */
export async function sharePicture(title: string, choices: readonly (readonly Drawing[])[]): Promise<Buffer> {
  const candidates = Object.values(layouts).flatMap(({ space, size, place }) => {
    const rows = lines(title, space / size);
    const { left, top, ...area } = place(rows.length);
    return choices.flatMap((drawings) =>
      [0, Number.POSITIVE_INFINITY].map((most) => {
        const drawing = flow(drawings, most);
        const scale = Math.min(area.width / drawing.width, area.height / drawing.height, 2.2);
        const x = left + (area.width - scale * drawing.width) / 2;
        const y = top + (area.height - scale * drawing.height) / 2;
        return { rows, size, drawing, scale, x, y };
      }),
    );
  });
  const { rows, size, drawing, scale, x, y } = candidates.reduce((best, each) =>
    each.scale > best.scale ? each : best,
  );
  const brand = `<text x="${margin}" y="72" font-family="monospace" font-weight="bold" font-size="26" fill="${accent}">posenc</text>`;
  const placed = `<g transform="translate(${x} ${y}) scale(${scale})">${drawing.svg}</g>`;
  return (await renderAsync(svg(brand + heading(rows, size) + placed), options)).asPng();
}
