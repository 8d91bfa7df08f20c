import { existsSync } from "node:fs";
import { type ResvgRenderOptions, renderAsync } from "@resvg/resvg-js";
import { escaped } from "../escaped";
import { type Drawing, flow } from "./drawing";

/** As those who show a link like it. */
const width = 1200;
const height = 630;
const margin = 56;
const ink = "#1f2026";
const paper = "#fcfbf8";
const accent = "#5b2a86";

/** Of Debian's packages fonts-dejavu-core and fonts-wqy-microhei: with these the pictures are the same on every machine. */
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

/** Two letters without a glyph look the same: boxes, or nothing. */
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

/** Two ways to put a title and a drawing: above each other, or side by side. */
const layouts = {
  above: { left: margin, top: 160, width: width - 2 * margin, height: height - 160 - 40, size: 46 },
  beside: { left: 432, top: 40, width: width - 432 - 40, height: height - 80, size: 42 },
};

/** Widths of letters in ems, roughly: Chinese ones are square. */
const extent = (text: string) =>
  [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/u.test(letter) ? 1 : 0.66), 0);

/** Lines of at most so many ems; Chinese breaks anywhere but before punctuation. */
function lines(text: string, most: number): string[] {
  const pieces = text.match(/[\u3400-\u9fff\uf900-\ufaff][\u3000-\u303f\uff00-\uffef]*|[^\s\u2e80-\uffef]+\s*|\s+|./gu) ?? [];
  const made = [""];
  for (const piece of pieces) {
    if (made[made.length - 1] && extent((made[made.length - 1] + piece).trim()) > most) made.push("");
    made[made.length - 1] += piece;
  }
  return made.map((line) => line.trim());
}

function titleLines(title: string, size: number, room: number, left: number, top: number): string {
  return lines(title, room / size)
    .map(
      (line, row) =>
        `<text x="${left}" y="${top + row * size * 1.3}" font-family="sans-serif" font-weight="bold" font-size="${size}" fill="${ink}">${escaped(line)}</text>`,
    )
    .join("");
}

/** The picture that is seen where a link is shared: the title and the drawing, as large as it can be, as PNG. */
export async function sharePicture(title: string, choices: readonly (readonly Drawing[])[]): Promise<Buffer> {
  const candidates = (Object.keys(layouts) as (keyof typeof layouts)[]).flatMap((name) =>
    choices.flatMap((drawings) =>
      [0, Number.POSITIVE_INFINITY].map((room) => {
        const drawing = flow(drawings, room);
        const place = layouts[name];
        const scale = Math.min(place.width / drawing.width, place.height / drawing.height, 2.2);
        return { name, place, drawing, scale };
      }),
    ),
  );
  const { name, place, drawing, scale } = candidates.reduce((best, each) => (each.scale > best.scale ? each : best));
  const [w, h] = [drawing.width * scale, drawing.height * scale];
  const x = place.left + (place.width - w) / 2;
  const y = place.top + (place.height - h) / 2;
  const brand = `<text x="${margin}" y="72" font-family="monospace" font-weight="bold" font-size="26" fill="${accent}">posenc</text>`;
  const heading =
    name === "above"
      ? titleLines(title, place.size, place.width, margin, 132)
      : titleLines(title, place.size, place.left - margin - 16, margin, 150);
  const placed = `<g transform="translate(${x} ${y}) scale(${scale})">${drawing.svg}</g>`;
  return (await renderAsync(svg(brand + heading + placed), options)).asPng();
}
