// All rows, in the table's order.
import { rows as browsers } from "./rows/browsers.mjs";
import { rows as bundlers } from "./rows/bundlers.mjs";
import { rows as next } from "./rows/next.mjs";
import { rows as node } from "./rows/node.mjs";
import { rows as pages } from "./rows/pages.mjs";
import { rows as runtimes } from "./rows/runtimes.mjs";

export const rows = [...node, ...runtimes, ...bundlers, ...next, ...pages, ...browsers];
