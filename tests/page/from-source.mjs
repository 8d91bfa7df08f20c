import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles and imports the page's own code without a page around it: what `contents` exports in a folder of web/src. */
export async function fromSource(folder, contents) {
  const resolveDir = fileURLToPath(new URL(`../../web/src/${folder}`, import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: "ts" },
    bundle: true,
    external: ["posenc", "posenc/full"],
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
