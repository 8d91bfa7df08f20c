import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { escaped } from "./escaped";
import { licencesOf } from "./licences";
import { hashOf, policy } from "./policy";

const icon = new URL("../public/favicon.svg", import.meta.url);

/**
 * Escapes what would end an inline script early: it occurs in strings only, where an escape changes nothing. The bundler
 * replaces __VITE_PRELOAD__ by the files to preload before an import(); a single file has none.
 */
const inlined = (code: string) =>
  code.replace(/<(?=\/script|!--|script)/gi, "\\x3c").replaceAll("__VITE_PRELOAD__", "void 0");

/** Inlines scripts, styles and icon into one file, which also works from file: addresses. */
export const singleFile: Plugin = {
  name: "single-file",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const parts = Object.values(bundle);
    const page = parts.find((part) => part.fileName.endsWith(".html"));
    if (page?.type !== "asset") throw new Error("no page to put scripts into");
    const scripts = parts.flatMap((part) => (part.type === "chunk" ? [inlined(part.code)] : []));
    const styles = parts.flatMap((part) =>
      part.type === "asset" && part.fileName.endsWith(".css") ? [String(part.source)] : [],
    );
    if (scripts.length !== 1) throw new Error(`${scripts.length} scripts, expected all in one`);
    const [script] = scripts;
    const style = styles.join("\n");
    const licences = escaped(licencesOf(bundle));
    const svg = `data:image/svg+xml;base64,${readFileSync(icon).toString("base64")}`;
    const content = policy(hashOf(script), hashOf(style));
    const html = String(page.source)
      .replace(/<link rel="stylesheet"[^>]*>\s*/g, "")
      .replace(/<link rel="modulepreload"[^>]*>\s*/g, "")
      .replace(/<script type="module"[^>]*><\/script>\s*/, "")
      .replace(/href="[^"]*favicon\.svg"/, () => `href="${svg}"`)
      .replace("<head>", () => `<head><meta http-equiv="Content-Security-Policy" content="${content}">`)
      .replace("</head>", () => `<style>${style}</style></head>`)
      .replace("</body>", () => `<template id="licences">${licences}</template></body>`)
      .replace("</body>", () => `<script type="module">${script}</script></body>`);
    for (const { fileName } of parts) delete bundle[fileName];
    this.emitFile({ type: "asset", fileName: "posenc.html", source: html });
  },
};
