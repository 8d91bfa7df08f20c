// Serving the built page on this machine only.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "./paths.mjs";

/** Allows what the page and its reference do: no more is needed wherever the folder is served (web/README.md). */
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:";

const SOON = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>posenc</title>
<p>This part is still being made; the terminal tells how far it is. It is shown here as soon as it is there.</p>
<p>这一部分还在生成，进度见终端；完成后会自动显示。</p>`;

/** Answers what is not there yet: a page by one that asks again, a file when it is there, or when no more is made. */
const holdBack = (folder, isMaking) => ({
  name: "hold-back",
  configurePreviewServer({ middlewares }) {
    middlewares.use(async ({ url, headers }, response, next) => {
      const isThere = () => existsSync(join(folder, new URL(url, "http://page").pathname));
      while (isMaking() && !isThere()) {
        if (/\bhtml\b/.test(headers.accept ?? ""))
          return response.writeHead(503, { "Content-Type": "text/html; charset=utf-8" }).end(SOON);
        await sleep(200);
      }
      return next();
    });
  },
});

/** Whether this machine has a desktop. */
export const hasDesktop = (env = process.env, platform = process.platform) =>
  !env.CI && (platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY));

/**
 * Serves `folder` on loopback, on `port` or the next free one; resolves to { address, close() }. While `isMaking()`, what
 * is not there is waited for. `policy` is what pages may do: of others' pages, more. `open` shows it in the user's browser.
 */
export async function servePage(options = {}) {
  const { folder = join(build, "page"), port = 4173, isMaking = () => false, policy = POLICY, open = false } = options;
  const { preview } = await import("vite");
  const server = await preview({
    configFile: false,
    root: dirname(folder), // Vite warns when it is the served folder itself
    logLevel: "warn",
    appType: "mpa", // of pages that are not there the first one is no answer
    plugins: [holdBack(folder, isMaking)],
    build: { outDir: folder },
    preview: { host: "127.0.0.1", port, headers: { "Content-Security-Policy": policy }, open: open && hasDesktop() },
  });
  return { address: server.resolvedUrls.local[0], close: () => server.close() };
}
