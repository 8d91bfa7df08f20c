// The project's own page in other engines: accessible there too, and the same numbers and pixels as in Chromium.
import { ENGINES } from "../engines.mjs";

export const rows = ENGINES.map((engine) => ({
  ...engine,
  entry: "the page",
  read: "report",
  results: 0, // they are compared with each other, not with the formulas
  seconds: 400,
}));
