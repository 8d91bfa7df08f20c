import { svg } from "lit-html";

/** A frame in black on white, which is seen on every colour. */
export const mark = (x: number, y: number, width: number, height: number, dashes = "none") =>
  svg`${[["mark-under", "#fff", 4, "none"] as const, ["mark-over", "#000", 2, dashes] as const].map(
    ([name, colour, wide, dash]) => svg`<rect class=${name} x=${x} y=${y} width=${width} height=${height} fill="none"
      stroke=${colour} stroke-width=${wide} stroke-dasharray=${dash} pointer-events="none" />`,
  )}`;
