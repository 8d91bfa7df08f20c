// The descriptions of functions in bindings/js (base/call.ts): which options each has, and of which kinds.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const sources = fileURLToPath(new URL("../../../bindings/js/", import.meta.url));
const isSource = (file) =>
  /^[\w-]+\/[\w-]+\.ts$/.test(file) && !/^(types|ports|engines|files|npy)\/|\/load\.ts$/.test(file);

const files = readdirSync(sources, { recursive: true }).filter(isSource);
const { outputFiles } = await build({
  stdin: { contents: files.map((file, i) => `export * as m${i} from "./${file}";`).join("\n"), resolveDir: sources },
  bundle: true,
  write: false,
  format: "esm",
  logLevel: "error",
  external: ["posenc-*"],
});
const modules = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

export const descriptions = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .flatMap((value) => value?.description ?? []);
