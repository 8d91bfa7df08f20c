/**
 * Makes a panel's file: the drawings in it that the selector finds, side by side. The program that makes it is fetched
 * when a reader asks for a file.
 */
export const fileOf = (panel: Element, selector: string) => async (): Promise<string> => {
  const { standalone } = await import("./standalone");
  return standalone(...panel.querySelectorAll<SVGSVGElement>(selector));
};
