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

/** Two ways to put a title and a drawing, above each other or side by side: the room for each line of the title, its size, and the place of the drawing. */
const layouts = {
  above: {
    room: width - 2 * margin,
    size: 46,
    place: (rows: number) => {
      const top = 112 + rows * 56;
      return { left: margin, top, width: width - 2 * margin, height: height - top - 32 };
    },
  },
  beside: { room: 368, size: 42, place: () => ({ left: 440, top: 40, width: width - 480, height: height - 80 }) },
};

/** Widths of letters in ems, roughly: Chinese ones are square. */
const extent = (text: string) =>
  [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/u.test(letter) ? 1 : 0.66), 0);

/** Where lines may break: between words, and in Chinese between clauses or, where these are too long, letters. */
function pieces(text: string, most: number): readonly string[] {
  const clauses = /[\u3400-\u9fff]/u.test(text) ? (text.match(/[^，。？！]+[，。？！]*/gu) ?? []) : [];
  if (clauses.length > 0 && clauses.every((clause) => extent(clause.trim()) <= most)) return clauses;
  return text.match(/[\u3400-\u9fff][\u3000-\u303f\uff00-\uffef]*|[^\s\u2e80-\uffef]+\s*|\s+|./gu) ?? [];
}

/** Lines of at most so many ems. */
function lines(text: string, most: number): string[] {
  const made = [""];
  for (const piece of pieces(text, most)) {
    if (made[made.length - 1] && extent((made[made.length - 1] + piece).trim()) > most) made.push("");
    made[made.length - 1] += piece;
  }
  return made.map((line) => line.trim());
}

/** As few lines as there can be, none much longer than the others. */
function balanced(text: string, most: number): string[] {
  const rows = lines(text, most).length;
  let least = most;
  while (least > 1 && lines(text, least - 0.5).length === rows) least -= 0.5;
  return lines(text, least);
}

function heading(rows: readonly string[], size: number): string {
  const text = (line: string, row: number) => {
    // The Chinese font has no bold letters.
    const bold = /[\u2e80-\uffef]/u.test(line) ? ` stroke="${ink}" stroke-width="${size / 32}"` : "";
    return `<text x="${margin}" y="${132 + row * 56}" font-family="sans-serif" font-weight="bold" font-size="${size}" fill="${ink}"${bold}>${escaped(line)}</text>`;
  };
  return rows.map(text).join("");
}

/** The picture that is seen where a link is shared: the title and the drawing, as large as it can be, as PNG. */
export async function sharePicture(title: string, choices: readonly (readonly Drawing[])[]): Promise<Buffer> {
  const candidates = Object.values(layouts).flatMap(({ room, size, place }) => {
    const rows = balanced(title, room / size);
    const { left, top, ...space } = place(rows.length);
    return choices.flatMap((drawings) =>
      [0, Number.POSITIVE_INFINITY].map((most) => {
        const drawing = flow(drawings, most);
        const scale = Math.min(space.width / drawing.width, space.height / drawing.height, 2.2);
        const x = left + (space.width - scale * drawing.width) / 2;
        const y = top + (space.height - scale * drawing.height) / 2;
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
