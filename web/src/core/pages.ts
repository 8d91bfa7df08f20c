import { writeLink } from "./state";

/** A link to another page, in the same language and theme and with all other state but `changes`. */
export const linkToPage = (
  page: "index" | "checked" | "tools",
  changes: Readonly<Record<string, unknown>> = {},
): string => `./${page}.html${writeLink(changes)}`;
