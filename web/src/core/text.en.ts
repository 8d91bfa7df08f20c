/** The page's own words, in English. */
export const en = {
  ofPage: {
    index: {
      title: "posenc: positional encodings, exact, in your browser",
      statement: "A transformer sees all words at once. Here is how it is told which came first.",
    },
    more: {
      title: "posenc: extrapolation measured, and RoPE of images",
      statement: "Which encoding reads on? And where is a piece of an image?",
    },
  },
  sentence: "The cat sat on the mat",
  slides: "Slides",
  questions: "All questions, with answers",
  pages: "Pages",
  contents: "Contents",
  skip: "Skip to the figures",
  linkTo: "Link to:",
  language: "Language",
  theme: "Theme",
  themes: { auto: "Auto", light: "Light", dark: "Dark" },
  loading: "Starting the library…",
  failed:
    "The figures cannot be shown: the WebAssembly library did not start. A recent browser with WebAssembly is needed (Chrome 91, Firefox 89, Safari 15.4 or later).",
  fetching: "Loading this figure…",
  lost: "This figure could not be fetched:",
  again: "Try again",
  tools: "This figure",
  menu: "Files, code, link",
  showTable: "Show as table",
  hideTable: "Hide table",
  player: { play: "Play", pause: "Pause", back: "A step back", forward: "A step forward" },
  reset: "Reset",
  comma: ", ",
  semicolon: "; ",
  gap: " ",
  colon: ": ",
  stop: ". ",
};
export type ShellText = typeof en;
