/** The page's own words, in English. */
export const en = {
  title: "posenc: positional encodings, exact, in your browser",
  name: "posenc",
  statement: "A transformer sees all words at once. Here is how it learns which came first.",
  lead: "Figures to play with: a position chosen in one of them is chosen in all. Every number in them is computed on your machine, at this moment, by the same C++ library you can install from npm.",
  contents: "Figures",
  checked: "Checked: what five popular posts say, computed again",
  language: "Language",
  theme: "Theme",
  themes: { auto: "Auto", light: "Light", dark: "Dark" },
  loading: "Starting the library…",
  failed:
    "The figures cannot be shown: the WebAssembly library did not start. A recent browser with WebAssembly is needed (Chrome 91, Firefox 89, Safari 15.4 or later).",
  fetching: "Loading this figure…",
  lost: "This figure could not be fetched:",
  again: "Try again",
  refused: "The library refuses this:",
  tools: "Export",
  csv: "CSV",
  svg: "SVG",
  png: "PNG",
  showTable: "Show as table",
  hideTable: "Hide table",
  tableCut: (rows: number, columns: number) =>
    `At most ${rows} rows and ${columns} columns are shown here; the CSV file has all of them.`,
  player: { play: "Play", pause: "Pause", back: "A step back", forward: "A step forward" },
  copyLink: "Copy link",
  copied: "Link copied",
  reset: "Reset",
  version: (version: string) => `posenc ${version}. Nothing you type here leaves your browser.`,
};
export type ShellText = typeof en;
