import type { Plugin } from "vite";

/** The address at which the page will be published, if it is known: those who show links take whole addresses of cards. */
const site = process.env.POSENC_ADDRESS;

/** Adds what is shown of a shared link: the page's title and description, and a card. */
export const metadata: Plugin = {
  name: "metadata",
  apply: "build",
  transformIndexHtml(html) {
    const described = {
      "og:type": "website",
      "og:site_name": "posenc",
      "og:title": html.match(/<title>(.*?)<\/title>/)?.[1],
      "og:description": html.match(/<meta name="description" content="(.*?)"/)?.[1],
      ...(site && { "og:image": new URL("share.png", site).href }),
      "og:locale": "en_GB",
      "og:locale:alternate": "zh_CN",
    };
    const tags = Object.entries(described).map(([property, content]) => ({ property, content }));
    return [...tags, { name: "twitter:card", content: "summary_large_image" }].map((attrs) => ({
      tag: "meta",
      attrs,
      injectTo: "head" as const,
    }));
  },
};
