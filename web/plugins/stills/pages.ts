import type { Language } from "../../src/core/i18n";
import type { Chapter, PanelId } from "../../src/panels";
import { escaped } from "../escaped";
import { type Metadata, metadataTags } from "../metadata";
import { policy } from "../policy";
import type { Drawing } from "./drawing";
import { words } from "./words";

/** A figure for these pages: its texts as HTML, and its drawing at two widths. */
export interface Shown {
  readonly id: PanelId;
  readonly title: string;
  readonly intro: string;
  readonly outro: string;
  readonly name: string;
  readonly caption: string;
  readonly wide: Drawing;
  readonly narrow: Drawing;
}

export const otherThan = (language: Language): Language => (language === "en" ? "zh" : "en");

/** Takes the text out of HTML. */
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();

const live = (root: string, language: Language, id?: PanelId) =>
  `${root}index.html#${id ? `at=${id}&` : ""}lang=${language}`;

interface Page extends Omit<Metadata, "languages" | "kind"> {
  readonly language: Language;
  /** Paths of the style sheets below `root`. */
  readonly styles: readonly string[];
  /** The address of the same page in the other language. */
  readonly other: string;
  readonly head?: string;
  readonly live?: string;
  readonly body: string;
}

function whole({ language, styles, other, head = "", live: target, body, ...about }: Page): string {
  const tag = { en: "en", zh: "zh-CN" };
  const { root } = about;
  const data = target ? ` data-live="${escaped(target)}"` : "";
  const sheets = styles.map((path) => `<link rel="stylesheet" href="${root}${path}" />`).join("");
  return `<!doctype html>
<html lang="${tag[language]}"${data}>
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy("'self'", "'self'")}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${escaped(about.description)}" />
<meta name="twitter:card" content="summary_large_image" />
<title>${escaped(about.title)}</title>
${head}<link rel="icon" href="${root}favicon.svg" type="image/svg+xml" />
<link rel="alternate" hreflang="${tag[otherThan(language)]}" href="${other}" />
${sheets}${metadataTags({ ...about, languages: [language, otherThan(language)], kind: "LearningResource" })}
</head>
<body>
${body}
</body>
</html>
`;
}

function picture({ id, title, name, caption, wide, narrow }: Shown, language: Language, root: string): string {
  const path = `${root}pictures/${id}.${language}`;
  return `<figure>
<picture>
<source media="(max-width: 47rem)" srcset="${path}.narrow.svg" width="${narrow.width}" height="${narrow.height}" />
<img src="${path}.svg" width="${wide.width}" height="${wide.height}" alt="${escaped(name || title)}" loading="lazy" />
</picture>
<figcaption>${escaped(caption)}</figcaption>
</figure>`;
}

const playLink = (id: PanelId, language: Language, root: string) =>
  `<p><a href="${escaped(live(root, language, id))}">${words[language].play}</a></p>`;

/** Links to the same page in the other language. */
const otherLink = (language: Language, href: string) => {
  const other = otherThan(language);
  return `<p lang="${other}"><a href="${href}" hreflang="${other}">${words[other].other}</a></p>`;
};

/** Leaves the lead out: that numbers are computed at this moment is true of the live page only. */
const ofStills = (outro: string) => outro.replace(/<p class="lead">.*?<\/p>/, "");

/** Writes the story: all chapters with their figures, of which the instruments are folded as on the live page. */
export function storyPage(
  language: Language,
  styles: readonly string[],
  texts: { readonly statement: string; readonly more: string },
  chapters: readonly Chapter[],
  figures: ReadonlyMap<PanelId, Shown>,
): string {
  const own = words[language];
  const shown = (id: PanelId) => figures.get(id) as Shown;
  const section = (id: PanelId) => {
    const { title, intro, outro } = shown(id);
    return `<section id="${id}" aria-labelledby="${id}-title">
<div class="prose"><h3 class="panel-title" id="${id}-title">${escaped(title)}</h3>${intro}</div>
${picture(shown(id), language, "./")}
<div class="prose">${ofStills(outro)}${playLink(id, language, "./")}</div>
</section>`;
  };
  const more = (ids: readonly PanelId[]) =>
    ids.length === 0
      ? ""
      : `<details class="more"><summary>${texts.more} ${ids.map((id) => escaped(shown(id).title)).join(" · ")}</summary>
${ids.map(section).join("\n")}</details>`;
  const parts = chapters.map(
    ({ id, title, story, more: rest }, place) => `<div class="chapter" id="chapter-${id}">
<h2 class="chapter-title">${place + 1}. ${escaped(title[language])}</h2>
${story.map(section).join("\n")}
${more(rest)}</div>`,
  );
  const other = `story.${otherThan(language)}.html`;
  return whole({
    language,
    styles,
    other,
    root: "./",
    title: `${texts.statement} · posenc`,
    description: own.description,
    picture: `share.${language}.png`,
    body: `<header>
<div class="bar"><span class="brand">posenc</span></div>
${otherLink(language, other)}
<h1>${escaped(texts.statement)}</h1>
<p>${own.stills} <a href="./index.html#lang=${language}">${own.live}</a></p>
</header>
<main>
${parts.join("\n")}
</main>
<footer><p>${own.checked}</p><p><a href="./licences.txt">licences.txt</a></p></footer>`,
  });
}

/** Writes a page to share: its preview is the figure, and with scripts it leads to the live one. */
export function sharePage(language: Language, styles: readonly string[], figure: Shown): string {
  const { id, title, intro } = figure;
  const own = words[language];
  const other = `${id}.${otherThan(language)}.html`;
  return whole({
    language,
    styles,
    other,
    root: "../",
    title: `${title} · posenc`,
    description: plain(intro),
    picture: `pictures/${id}.${language}.png`,
    live: live("../", language, id),
    head: `<script src="./forward.js"></script>\n`,
    body: `<header>
<div class="bar"><span class="brand">posenc</span></div>
${otherLink(language, other)}
</header>
<main>
<h1>${escaped(title)}</h1>
<div class="prose">${intro.replaceAll(`href="./`, `href="../`)}</div>
${picture(figure, language, "../")}
${playLink(id, language, "../")}
<p><a href="../story.${language}.html#${id}">${own.story}</a></p>
</main>
<footer><p>${own.checked}</p></footer>`,
  });
}
