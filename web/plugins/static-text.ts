import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";
import type { ShellText } from "../src/core/text.en";
import { metadataTags } from "./metadata";

const source = new URL("../src/core/", import.meta.url);

/**
 * Links to the story with still pictures for readers without JavaScript whose browser does not redirect either. It is
 * part of the first load, so it is short.
 */
async function noScript(): Promise<string> {
  const links = await Promise.all(
    (["en", "zh"] as const).map(async (language) => {
      const path = fileURLToPath(new URL(`text.${language}.ts`, source));
      const { module } = await runnerImport<Record<string, ShellText>>(path);
      return `<h1 lang="${language}"><a href="story.${language}.html">${module[language].statement}</a></h1>`;
    }),
  );
  return `<noscript>${links.join("")}</noscript>`;
}

const lead = '<noscript><meta http-equiv="refresh" content="0;url=story.en.html" /></noscript>';

/** The metadata that follow from the title and the description in the page. */
function pageMetadata(html: string): string {
  const title = html.match(/<title>(.*?)<\/title>/)?.[1] ?? "";
  const description = html.match(/<meta name="description" content="(.*?)"/)?.[1] ?? "";
  return metadataTags({
    title,
    description,
    picture: "share.en.png",
    root: "./",
    languages: ["en", "zh"],
    kind: "WebApplication",
  });
}

/** Writes into the pages what is read without scripts: the links to the story, and metadata. */
export const staticText: Plugin = {
  name: "static-text",
  apply: "build",
  transformIndexHtml: {
    order: "pre",
    async handler(html, { path }) {
      const whole = path.endsWith("/index.html")
        ? html.replace(/<noscript>[\s\S]*<\/noscript>/, await noScript()).replace("</head>", `${lead}</head>`)
        : html;
      return whole.replace("</head>", () => `${pageMetadata(html)}</head>`);
    },
  },
};
