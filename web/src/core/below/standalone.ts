/** The properties that a drawing takes from the style sheet; all but the opacity are inherited. */
const carried = (
  "fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin paint-order opacity " +
  "font-family font-size font-weight font-style text-anchor dominant-baseline"
).split(" ");

/** Drawings of the page side by side, as one SVG file; without any it is an empty one. */
export function standalone(...drawings: SVGSVGElement[]): string {
  if (drawings.length === 1) return alone(drawings[0]);
  let left = 0;
  let tallest = 1;
  const parts = drawings.map((drawing) => {
    const { width, height } = drawing.viewBox.baseVal;
    const part = alone(drawing).replace("<svg", `<svg x="${left}"`);
    left += width;
    tallest = Math.max(tallest, height);
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left || 1}" height="${tallest}">${parts.join("")}</svg>`;
}

/** A drawing with the computed style of each shape written into it. */
function alone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    const around = original === drawing ? undefined : getComputedStyle(original.parentElement as Element);
    for (const property of carried) {
      const value = style.getPropertyValue(property);
      const inherited = property === "opacity" ? "1" : around?.getPropertyValue(property);
      if (value && value !== inherited) copies[index].setAttribute(property, value);
    }
    for (const attribute of ["class", "tabindex", "role"]) copies[index].removeAttribute(attribute);
  });
  for (const element of copies) if (isScreenOnly(element)) element.remove();
  const box = drawing.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("x", String(box.x));
  paper.setAttribute("y", String(box.y));
  paper.setAttribute("width", String(box.width));
  paper.setAttribute("height", String(box.height));
  paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(paper);
  // The template engine marks its places with comments.
  return new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/gs, "");
}

/** Parts that only serve the pointer or the keyboard carry this mark; they are left out of files. */
function isScreenOnly(element: Element): boolean {
  return element.hasAttribute("data-screen-only");
}
