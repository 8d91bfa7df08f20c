import type { Row } from "./state";
import { settle } from "./steps";

/**
 * The element that the reader went to or works with, until the reader moves on: its position on the screen, how far
 * the page was scrolled then, and its height. Panels above it may still be drawn, and grow.
 */
let wanted: Element | undefined;
let isArrival = false;
let top = 0;
let scrolled = 0;
let height = 0;

const topOf = (place: Element) => place.getBoundingClientRect().top;

function watch(place: Element): void {
  wanted = place;
  top = topOf(place);
  scrolled = scrollY;
  height = document.body.offsetHeight;
}

function arrive(place: Element): void {
  place.scrollIntoView({ behavior: "instant" });
  isArrival = true;
  watch(place);
}

/** Scrolls it to the top of the screen, or as near as the page allows. The way back leads to where the reader was. */
export function goTo(place: Element): void {
  settle(remember);
  arrive(place);
}

function forgetWanted(): void {
  wanted = undefined;
}

/** Notices that the reader scrolled, for example by keys: the element has moved though nothing has grown. */
function noticeScroll(): void {
  if (!wanted || Math.abs(topOf(wanted) - top) <= 1 || scrollY === scrolled) return;
  if (!isArrival || document.body.offsetHeight === height) forgetWanted();
}

/** Scrolls until its top is at `wantedTop` on the screen. */
function scrollTopTo(place: Element, wantedTop: number): void {
  scrollBy({ top: topOf(place) - wantedTop, behavior: "instant" });
  watch(place);
}

function keep(): void {
  if (!isArrival) noticeScroll();
  if (!wanted) return;
  if (isArrival) arrive(wanted);
  else scrollTopTo(wanted, top);
}

/** The figure or row in which something is pressed stays where it is on the screen. */
function workWith({ target }: Event): void {
  const place = target instanceof Element ? target.closest("article, section") : null;
  isArrival = false;
  if (place) watch(place);
  else forgetWanted();
}

/** Milliseconds without scrolling after which a place is noted: browsers limit the rate of changes to the history. */
const rest = 150;
let timer = 0;

/** The figure or row in sight when the reader last came to rest, its position on the screen, and the window's width. */
let read: Element | undefined;
let readTop = 0;
let width = innerWidth;

/** Keeps with the history's entry where its reader is: in which figure or row, and its position on the screen. */
function remember(): void {
  clearTimeout(timer);
  const parts = [...document.querySelectorAll("section[id], article[id]")];
  // The top of the page is a place of its own, however high what is above the first figure is later. A folded part has no
  // position.
  const here =
    scrollY > 0
      ? parts.findLast((part) => part.getClientRects().length > 0 && topOf(part) <= innerHeight / 2)
      : undefined;
  read = here;
  readTop = here ? topOf(here) : 0;
  history.replaceState({ section: here?.id ?? "", top: here ? topOf(here) : -scrollY }, "");
}

/** A screen that is turned lays out every paragraph anew, which browsers do not always make up for. */
function keepRead(): void {
  if (innerWidth === width) return;
  width = innerWidth;
  if (wanted || !read) return;
  isArrival = false;
  scrollTopTo(read, readTop);
}

/** Leads back to the place that was kept with this entry, if any. */
function restore(): void {
  const { state } = history;
  if (typeof state?.top !== "number") return;
  isArrival = false;
  const place = document.getElementById(state.section);
  if (place) scrollTopTo(place, state.top);
  else {
    // Scrolled by a difference, the page would keep a fraction of a pixel in engines that have them: no top.
    scrollTo({ top: -state.top, behavior: "instant" });
    watch(document.documentElement);
  }
}

/** Links within the page lead to figures by `go`, which keeps the way back; with a key held down browsers open them elsewhere. */
export function followLinks(go: (id: string) => void): void {
  addEventListener("click", (event) => {
    const { target, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
    if (!(target instanceof Element) || defaultPrevented || ctrlKey || metaKey || shiftKey || altKey) return;
    const id = new URLSearchParams(target.closest<HTMLAnchorElement>('a[href^="#"]')?.hash.slice(1)).get("at");
    if (!id) return;
    event.preventDefault();
    go(id);
  });
}

/** Keeps that element in place while panels above it grow as they are drawn; `at` is the part of the page that the link names. */
export function keepPlace(at: Row<string>): void {
  new ResizeObserver(keep).observe(document.body);
  addEventListener("resize", keepRead);
  for (const moved of ["wheel", "touchmove"]) addEventListener(moved, forgetWanted, { capture: true, passive: true });
  for (const pressed of ["pointerdown", "keydown"])
    addEventListener(pressed, workWith, { capture: true, passive: true });

  function comeToRest(): void {
    remember();
    const named = document.getElementById(at.peek())?.getBoundingClientRect();
    const middle = innerHeight / 2;
    // A reader who has scrolled away is no longer at the part that the link names.
    if (named && wanted?.id !== at.peek() && (named.top > middle || named.bottom < middle)) at.value = "";
  }
  addEventListener(
    "scroll",
    () => {
      noticeScroll();
      clearTimeout(timer);
      timer = window.setTimeout(comeToRest, rest);
    },
    { passive: true },
  );

  // Browsers would restore a number of pixels, while figures above have grown since.
  history.scrollRestoration = "manual";
  // The place that waits to be noted is that of the entry that is left, not of the one that is current from here on.
  addEventListener("popstate", () => clearTimeout(timer));
  addEventListener("hashchange", restore);
  // This runs after the link has led to its part of the page.
  queueMicrotask(restore);
}
