import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";
import type { ShellText } from "../src/core/text.en";
import { metadataTags } from "./metadata";

const source = new URL("../src/core/", import.meta.url);

/**
 * A reader without JavaScript is led to the story told with still pictures; who has turned that off, too, finds it by
 * its title. It is part of the first load, so it is short.
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

/** Puts into the pages what is to be read without their scripts, from the texts that the scripts show. */
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
