import { standalone } from "../../../core/below/standalone";

/** The figure as a file: the axes, and the pictures in it. */
export function drawing(figure: HTMLElement): string {
  const images = [".heat-canvas", ".heat-bar"].map((selector) => {
    const canvas = figure.querySelector(selector) as HTMLCanvasElement;
    const { left, top, width, height } = canvas.style;
    const box = `x="${Number.parseFloat(left)}" y="${Number.parseFloat(top)}" width="${Number.parseFloat(width)}"`;
    const size = `height="${Number.parseFloat(height)}" preserveAspectRatio="none"`;
    return `<image ${box} ${size} href="${canvas.toDataURL()}"/>`;
  });
  const axes = figure.querySelector(".heat-axes") as SVGSVGElement;
  return standalone(axes).replace("</svg>", `${images.join("")}</svg>`);
}
