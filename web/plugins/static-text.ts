import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Plugin, runnerImport } from "vite";
import type { en as shell } from "../src/core/text.en";
import { sharePicture } from "./share-picture";

const source = new URL("../src/", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

async function load<T>(path: string): Promise<T> {
  const { module } = await runnerImport<T>(new URL(path, source).pathname);
  return module;
}

type Title = Readonly<Record<"en" | "zh", string>>;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const needsScript = {
  en: "Everything here is computed in your browser, which needs JavaScript. The figures:",
  zh: "这里的一切都在浏览器里计算，需要启用 JavaScript。各图如下：",
};

/** What a reader without JavaScript sees: the story's title, and those of its figures. It is part of the first load, so it is short. */
async function noScript(): Promise<string> {
  const { panels } = await load<{ panels: Record<string, { title: Title }> }>("panels/index.ts");
  const parts = await Promise.all(
    (["en", "zh"] as const).map(async (language) => {
      const words = (await load<Record<string, typeof shell>>(`core/text.${language}.ts`))[language];
      const figures = Object.values(panels).map(({ title }) => `<li>${escaped(title[language])}</li>`);
      return `<div lang="${language}"><h1>${escaped(words.statement)}</h1><p>${needsScript[language]}</p><ol>${figures.join("")}</ol></div>`;
    }),
  );
  return `<noscript>${parts.join("")}</noscript>`;
}

/** For search engines and for those who share a link; the page's title and description are in it already. */
function told(html: string): string {
  const title = html.match(/<title>(.*?)<\/title>/)?.[1] ?? "";
  const description = html.match(/<meta name="description" content="(.*?)"/)?.[1] ?? "";
  const graph = {
    "og:type": "website",
    "og:site_name": "posenc",
    "og:title": title,
    "og:description": description,
    "og:image": "share.png",
    "og:locale": "en_GB",
    "og:locale:alternate": "zh_CN",
  };
  const data = {
    "@context": "https://schema.org",
    "@type": "WebApplication",
    name: title,
    description,
    applicationCategory: "EducationalApplication",
    operatingSystem: "Any",
    browserRequirements: "JavaScript and WebAssembly",
    inLanguage: ["en", "zh-CN"],
    isAccessibleForFree: true,
    softwareVersion: version,
  };
  const tags = Object.entries(graph).map(([name, content]) => `<meta property="${name}" content="${content}" />`);
  // A script of data: policies are for those that run.
  return `${tags.join("")}<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}

/** Puts into the pages what is to be read without their scripts, from the texts that the scripts show. */
export const staticText: Plugin = {
  name: "static-text",
  apply: "build",
  transformIndexHtml: {
    order: "pre",
    async handler(html, { path }) {
      const whole = path.endsWith("/index.html")
        ? html.replace(/<noscript>[\s\S]*<\/noscript>/, await noScript())
        : html;
      return whole.replace("</head>", () => `${told(html)}</head>`);
    },
  },
  async generateBundle() {
    // The library that these pages import: `npm start` makes its first ones before the package.
    const found = await this.resolve("posenc");
    if (!found) throw new Error("posenc: not found by this build");
    const { load }: typeof import("posenc") = await import(pathToFileURL(found.id).href);
    this.emitFile({ type: "asset", fileName: "share.png", source: sharePicture(await load()) });
  },
};
