import { effect } from "@preact/signals-core";
import { html, render } from "lit-html";
import { load } from "posenc";
import { version } from "posenc/package.json";
import { bar } from "./bar";
import { text } from "./i18n";
import { host, type PanelModule } from "./panel";
import { heatmap } from "./panels/heatmap";
import { followLink, state, writeLink } from "./state";
import { followTheme } from "./theme";

/** In the order of the page. All but the first are fetched while that is drawn. */
const panels: { [id in PanelModule["id"]]: () => PanelModule | Promise<PanelModule> } = {
  heatmap: () => heatmap,
  sum: async () => (await import("./panels/sum")).sum,
  rope: async () => (await import("./panels/rope")).rope,
};
const ids = Object.keys(panels) as PanelModule["id"][];
const element = (id: string) => document.getElementById(id) as HTMLElement;

function show(id: PanelModule["id"]): void {
  element(id).scrollIntoView();
  element(`${id}-title`).focus({ preventScroll: true });
}

/** The page of checked statements, in the same language and theme. */
const checkedLink = () => `./checked.html${writeLink({ at: "" })}`;

function frame(): void {
  const words = text.value;
  render(
    html`
      ${bar(words.title)}
      <h1>${words.statement}</h1>
      <p class="lead">${words.lead}</p>
      <nav aria-label=${words.contents}>
        <ol>
          ${ids.map(
            (id) => html`<li>
              <a
                href=${writeLink({ at: id })}
                @click=${(event: Event) => {
                  event.preventDefault();
                  state.at.value = id;
                  show(id);
                }}
                >${words.panels[id]}</a
              >
            </li>`,
          )}
        </ol>
        <p class="elsewhere"><a href=${checkedLink()}>${words.checked}</a></p>
      </nav>
    `,
    element("header"),
  );
  render(
    html`
      <h2>${words.sources}</h2>
      <ul>
        ${words.sourceList.map((source) => html`<li>${source}</li>`)}
      </ul>
      <p class="version">${words.version(version)}</p>
    `,
    element("footer"),
  );
}

async function start(): Promise<void> {
  followLink();
  followTheme();
  effect(frame);
  const main = element("main");
  const tell = (status: "loading" | "failed") =>
    effect(() => {
      const role = status === "failed" ? "alert" : "status";
      render(html`<p class="status" role=${role}>${text.value[status]}</p>`, main);
    });
  const stopLoading = tell("loading");
  try {
    const pe = await load();
    stopLoading();
    render(
      ids.map((id) => html`<section id=${id} aria-labelledby="${id}-title"></section>`),
      main,
    );
    const hosted = ids.map(async (id) => host(element(id), await panels[id](), pe));
    await Promise.all(hosted);
    if (state.at.value) show(state.at.value);
  } catch (error) {
    stopLoading();
    tell("failed");
    console.error(error);
  }
}

start();
