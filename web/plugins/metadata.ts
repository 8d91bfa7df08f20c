import { readFileSync } from "node:fs";
import { escaped } from "./escaped";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The address at which the page will be published, if it is known: link previews need absolute URLs. */
const site = process.env.POSENC_ADDRESS;

const locales = { en: "en_GB", zh: "zh_CN" };

/** A page's description for search engines and for link previews. */
export interface Metadata {
  readonly title: string;
  readonly description: string;
  /** The path of its picture below `root`, which is relative to the page's own folder. */
  readonly picture: string;
  readonly root: "./" | "../";
  /** Its own language first, then those in which it is available too. */
  readonly languages: readonly ("en" | "zh")[];
  /** The type in schema.org: interactive figures, or something to read. */
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

/** Open Graph tags and JSON-LD for the head of a page. */
export function metadataTags({ title, description, picture, root, languages, kind }: Metadata): string {
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
  // The content security policy does not apply to it: this script is data.
  return `${tags.join("")}<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}
