/** Contrast of what is not text, from the styles that a browser computed. */

/** Colours of the page, for functions that run in it: { over, contrast, behind, rgba }. */
const COLOURS = `(() => {
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const context = pixel.getContext("2d", { willReadFrequently: true });
  /** Red, green, blue from 0 to 255 and alpha from 0 to 1 of any CSS colour. */
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const luminance = (colour) => {
    const [red, green, blue] = colour.slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  /** Returns what is painted behind an element: the backgrounds of all around it. */
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(rgba(getComputedStyle(at).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reduceRight((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  return { rgba, over, contrast, behind };
})()`;

const inPage = (page, look) => page.evaluate(`(${look})(${COLOURS})`);

/** Controls whose edge (or, for sliders, whose thumb) has less than 3 : 1. */
export const unseenControls = (page) =>
  inPage(page, ({ rgba, over, contrast, behind }) => {
    // Buttons of these are text within an edge that belongs to all of them; terms are underlined words of a text.
    const grouped = ".toggle button, .term";
    const edge = (element) => {
      const style = getComputedStyle(element);
      const under = behind(element.parentElement);
      if (element.matches('[type="range"], [type="radio"], [type="checkbox"]')) {
        const accent = style.accentColor === "auto" ? "#0075ff" : style.accentColor;
        return contrast(over(rgba(accent), under), under);
      }
      const wide = ["Top", "Left"].some((side) => Number.parseFloat(style[`border${side}Width`]) > 0);
      const side = Number.parseFloat(style.borderTopWidth) > 0 ? style.borderTopColor : style.borderLeftColor;
      return wide ? contrast(over(rgba(side), under), under) : contrast(behind(element), under);
    };
    return [...document.querySelectorAll("button, input, select, textarea, .segments span, .toggle")]
      .filter((element) => element.checkVisibility() && !element.matches(`:disabled, ${grouped}`))
      .filter((element) => getComputedStyle(element).opacity !== "0")
      .map((element) => [element, edge(element)])
      .filter(([, ratio]) => ratio < 3)
      .map(([element, ratio]) => `${ratio.toFixed(2)}: ${element.outerHTML.slice(0, 80)}`);
  });

/** Marks of drawings of which neither line nor filling has 3 : 1. */
export const unseenMarks = (page) =>
  inPage(page, ({ rgba, over, contrast, behind }) => {
    const excepted = [
      ".grid", // faint lines behind the data: the axis has the numbers
      '[shape-rendering="crispEdges"] path, .patch, .output rect:not(.frame), [fill^="url"], [data-steps] rect', // colours of values, each told as a number
      ".mark-under, .mark-over, .marked-under, .marked-cell", // black on white: one of them stands out
      ".scene *, .scene-outlines *, .image-token", // a picture below patches whose frames and numbers are what is read
      ".knob, .hit, .token-field", // handles without colour, on marks that have one
      ".frame", // frames around drawings
      ".column, .zone", // tinted ground behind marks that have their own contrast
    ].join();
    const shapes = "path, line, rect, circle, polyline, polygon, ellipse";
    const paint = (colour, opacity, under) => {
      if (colour === "none" || colour.startsWith("url")) return 0;
      const [red, green, blue, alpha] = rgba(colour);
      return contrast(over([red, green, blue, alpha * opacity], under), under);
    };
    const best = (shape) => {
      const style = getComputedStyle(shape);
      const under = behind(shape);
      let opacity = 1;
      for (let at = shape; at.tagName !== "svg"; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      return Math.max(
        // A line has no inside.
        shape.matches("line") ? 0 : paint(style.fill, opacity * Number(style.fillOpacity), under),
        paint(style.stroke, opacity * Number(style.strokeOpacity), under),
      );
    };
    return [...document.querySelectorAll("main svg")]
      .flatMap((drawing) => [...drawing.querySelectorAll(shapes)])
      .filter((shape) => !shape.closest("defs") && !shape.matches(excepted) && shape.checkVisibility())
      .map((shape) => [shape, best(shape)])
      .filter(([, ratio]) => ratio < 3)
      .map(([shape, ratio]) => `${ratio.toFixed(2)}: ${shape.closest("section").id}: ${shape.outerHTML.slice(0, 90)}`);
  });
