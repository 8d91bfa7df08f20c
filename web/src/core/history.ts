import { batch, signal, untracked } from "@preact/signals-core";
import { here, linkToPage, pageOf } from "./pages";
import { linkRows, type Row, readLink, rowsOfLinks, writeLink } from "./state";

/** The link of the state as it last came to rest. */
export const link = signal("");

/** Links to another figure in the last settled state: the link is not drawn again while the state changes. */
export function linkTo(at: string): string {
  link.value;
  return untracked(() => (pageOf(at) === here() ? writeLink({ at, slide: "" }) : linkToPage(pageOf(at), { at })));
}

/** Sets rows, all unless some are named, from the address. */
export function follow(rows = rowsOfLinks()): void {
  batch(() => {
    readLink(location.hash, rows);
    link.value = writeLink();
  });
}

/** Reads rows from the link that are needed before all are known. */
export function readEarly(rows: readonly Row[]): void {
  linkRows(rows, []);
  follow();
}
