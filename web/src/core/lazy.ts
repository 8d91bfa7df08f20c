import { effect } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { Posenc } from "posenc";
import { heading } from "./heading";
import { host, mounting } from "./host";
import { language, text } from "./i18n";
import type { AnyPanelModule, PanelEntry } from "./panel";
import { stirred } from "./stirred";

/** How far below or above the screen something may be when its code is fetched, once the reader has stirred. */
const near = "900px 0px";

/** A panel whose code is fetched when its section comes near. */
export interface Lazy {
  /** Fetches it now; settles when it is drawn, or when the section shows that this failed. */
  open(): Promise<void>;
  /** Fetches its code only, so that `open` draws it at once. */
  ahead(): Promise<unknown>;
}

/** Fetches a panel when its `section` comes near; until it is drawn the section is `waiting`. `library` is the small entry. */
export function lazy(
  section: HTMLElement,
  entry: PanelEntry,
  fetch: () => Promise<AnyPanelModule>,
  library: () => Promise<Posenc>,
): Lazy {
  const { id } = section;
  let opening: Promise<void> | undefined;
  /** Draws it, once its code is there. */
  let show: (() => void) | undefined;
  let isShown = false;
  let problem = "";

  function placeholder(): void {
    const words = text.value;
    render(
      html`<div class="prose">
        ${heading(id, entry.title[language.value])}
        ${
          problem
            ? html`<p class="problem" role="alert">${words.lost} <code>${problem}</code></p>
                <button type="button" class="again" @click=${open}>${words.again}</button>`
            : html`<p class="note">${opening ? words.fetching : nothing}</p>`
        }
      </div>`,
      section,
    );
  }
  const stop = effect(placeholder);

  async function code(): Promise<() => void> {
    const module = await fetch();
    const mount = await mounting(module, library);
    return () => {
      stop();
      isShown = true;
      // The focus may be on the heading, which the panel replaces by its own.
      const jumped = section.contains(document.activeElement);
      render(nothing, section);
      host(section, entry, module, mount);
      if (jumped) document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
    };
  }

  async function ahead(): Promise<void> {
    // A failure is reported by `open`, which tries again.
    show ??= await code().catch(() => undefined);
  }

  async function fetched(): Promise<void> {
    try {
      show ??= await code();
      show();
    } catch (error) {
      console.error(error);
      problem = error instanceof Error ? error.message : String(error);
      opening = undefined;
      placeholder();
    }
  }

  function open(): Promise<void> {
    if (!opening) {
      problem = "";
      opening = fetched();
      if (!isShown) placeholder();
    }
    return opening;
  }

  const openWithin = (rootMargin: string) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        open();
      },
      { rootMargin },
    );
    observer.observe(section);
  };
  openWithin("0px");
  stirred.then(() => openWithin(near));
  return { open, ahead };
}
