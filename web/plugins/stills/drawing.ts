/** A drawing as a file of its own, and its size in CSS pixels. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Rounds coordinates to hundredths of a pixel. */
const rounded = (svg: string) =>
  svg.replace(/ (?:d|points|transform|c?[xy][12]?|r|rx|ry|width|height)="[^"]*"/g, (attribute) =>
    attribute.replace(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)))),
  );

function sized(svg: string): Drawing {
  const side = (name: string) => Number(svg.match(new RegExp(`^<svg[^>]* ${name}="([\\d.]+)"`))?.[1]);
  const [width, height] = [side("width"), side("height")];
  if (!(width > 0 && height > 0)) throw new Error(`a drawing without a size: ${svg.slice(0, 200)}`);
  return { svg, width, height };
}

/** Takes apart a panel's file: it has one drawing, or several side by side, which may be nested. */
export function drawingsIn(file: string): Drawing[] {
  const svg = rounded(file).replace(/>\s+</g, "><");
  if (!/^<svg [^>]*><svg x=/.test(svg)) return [sized(svg)];
  const found: Drawing[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, index } of svg.matchAll(/<svg\b|<\/svg>/g)) {
    if (tag === "<svg" && depth++ === 1) start = index;
    if (tag === "</svg>" && --depth === 1)
      found.push(sized(svg.slice(start, index + tag.length).replace(/ x="[^"]*"/, "")));
  }
  return found;
}

const gap = 16;

/** Joins drawings into one: they flow in lines of at most `space` pixels, as on the page. */
export function flow(drawings: readonly Drawing[], space: number): Drawing {
  if (drawings.length === 1) return drawings[0];
  let [left, top, width, height] = [0, 0, 0, 0];
  const parts = drawings.map((part) => {
    if (left > 0 && left + part.width > space) [left, top] = [0, height + gap];
    const placed = part.svg.replace("<svg", `<svg x="${left}" y="${top}"`);
    width = Math.max(width, left + part.width);
    height = Math.max(height, top + part.height);
    left += part.width + gap;
    return placed;
  });
  const [paper] = drawings[0].svg.match(/<rect [^>]*>/) ?? [""];
  const [fill] = paper.match(/ fill="[^"]*"/) ?? [""];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}"${fill}/>${parts.join("")}</svg>`;
  return { svg, width, height };
}
