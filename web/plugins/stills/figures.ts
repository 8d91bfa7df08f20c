import { fileURLToPath, pathToFileURL } from "node:url";
import { createRunnableDevEnvironment, resolveConfig } from "vite";
import { openDocument, styles } from "./document";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs `draw.ts`; `resolve` finds the file of the library that a page imports. */
export async function drawnFigures(resolve: (source: string) => Promise<string>) {
  const library = {
    name: "library",
    enforce: "pre",
    async resolveId(source: string) {
      if (!/^posenc(?:\/|$)/.test(source)) return undefined;
      const path = await resolve(source);
      return path.endsWith(".json") ? path : { id: pathToFileURL(path).href, external: true };
    },
  } as const;
  const environment = createRunnableDevEnvironment(
    "stills",
    await resolveConfig(
      {
        root,
        configFile: false,
        envDir: false,
        plugins: [library, styles],
        environments: {
          stills: {
            consumer: "server",
            dev: { moduleRunnerTransform: true },
            // lit-html's build for Node draws nothing: the one for browsers is needed.
            resolve: { noExternal: true, conditions: ["browser"] },
          },
        },
      },
      "serve",
    ),
    { runnerOptions: { hmr: { logger: false } }, hot: false },
  );
  const { rest, close } = openDocument();
  try {
    await environment.init();
    const { draw, ...others }: typeof import("./draw") = await environment.runner.import(
      `${root}plugins/stills/draw.ts`,
    );
    return { ...others, figures: await draw(rest) };
  } finally {
    await close();
    await environment.close();
  }
}
