import { readFileSync } from "node:fs";
import { escaped } from "./escaped";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Where the page will be, if that is known: those who show a link to others want whole addresses. */
const site = process.env.POSENC_ADDRESS;

const locales = { en: "en_GB", zh: "zh_CN" };

/** What a page says of itself to search engines and to those who share a link to it. */
export interface Told {
  readonly title: string;
  readonly description: string;
  /** The path of its picture in the page's folder, and how the page's own folder leads to that. */
  readonly picture: string;
  readonly root: "./" | "../";
  /** Its language first, then those that it, or a page like it, has too. */
  readonly languages: readonly ("en" | "zh")[];
  /** Of schema.org: the figures to play with, or something to read. */
  readonly kind: "WebApplication" | "LearningResource";
}

const kinds = {
  WebApplication: {
    applicationCategory: "EducationalApplication",
    operatingSystem: "Any",
    browserRequirements: "JavaScript and WebAssembly",
    softwareVersion: version,
  },
  LearningResource: { learningResourceType: "illustration" },
};

/** The page's share of its head. */
export function told({ title, description, picture, root, languages, kind }: Told): string {
  const image = site ? new URL(picture, site).href : `${root}${picture}`.replace(/^\.\//, "");
  const [locale, ...others] = languages.map((language) => locales[language]);
  const graph = [
    ["og:type", "website"],
    ["og:site_name", "posenc"],
    ["og:title", title],
    ["og:description", description],
    ["og:image", image],
    ["og:locale", locale],
    ...others.map((other) => ["og:locale:alternate", other]),
  ];
  const data = {
    "@context": "https://schema.org",
    "@type": kind,
    name: title,
    description,
    ...kinds[kind],
    inLanguage: kind === "WebApplication" ? ["en", "zh-CN"] : languages[0],
    isAccessibleForFree: true,
  };
  const tags = graph.map(([name, value]) => `<meta property="${name}" content="${escaped(value)}" />`);
  // A script of data: policies are for those that run.
  return `${tags.join("")}<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}
