// Serving the built page on this machine only.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { build } from "./paths.mjs";

const PORT = 4173;

/** Allows what the page and its reference do: no more is needed wherever the folder is served (web/README.md). */
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

const withPolicy = (policy) => ({
  name: "content-security-policy",
  configurePreviewServer({ middlewares }) {
    middlewares.use((_, response, next) => {
      response.setHeader("Content-Security-Policy", policy);
      next();
    });
  },
});

/**
 * Hands on the ranges that Vite's server answers as they are asked for. One that ends before it begins is refused, since
 * that server would never end; for others all of the file is sent.
 */
const withRanges = {
  name: "ranges",
  configurePreviewServer({ middlewares }) {
    middlewares.use(({ headers }, response, next) => {
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
      if (last && Number(last) < Number(first)) return response.writeHead(416).end();
      if (first === undefined || Number(last || 1) === 0) delete headers.range;
      next();
    });
  },
};

const SOON = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>posenc</title>
<p>This part is still being made; the terminal tells how far it is. It is shown here as soon as it is there.</p>
<p>这一部分还在生成，进度见终端；完成后会自动显示。</p>`;

const NOT_MADE = "This part could not be made: the terminal tells why.";

/** Answers what cannot be served yet: a page by one that asks again, a file when it is there. */
const holdBack = (pending) => ({
  name: "hold-back",
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const part = pending.find(({ path, isThere }) => !isThere && path.test(request.url));
      if (!part) return next();
      const refuse = () => response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8" }).end(NOT_MADE);
      if (part.failed) return refuse();
      if (!/\bhtml\b/.test(request.headers.accept ?? "")) return part.made.then(() => next(), refuse);
      return response.writeHead(503, { "Content-Type": "text/html; charset=utf-8" }).end(SOON);
    });
  },
});

/**
 * Serves `folder` on loopback, on `port` or the next free one; resolves to { address, close() }. `pending` are addresses
 * ({ path, made }) that are served when the promise `made` is kept. `policy` is what pages may do: of others' pages, more.
 */
export async function servePage({ folder = join(build, "page"), port = PORT, pending = [], policy = POLICY } = {}) {
  const parts = pending.map(({ path, made }) => ({ path, made, isThere: false, failed: false }));
  for (const part of parts)
    part.made.then(
      () => {
        part.isThere = true;
      },
      () => {
        part.failed = true;
      },
    );
  const { preview } = await import("vite");
  const server = await preview({
    configFile: false,
    root: dirname(folder), // Vite warns when it is the served folder itself
    logLevel: "warn",
    appType: "mpa", // of pages that are not there the first one is no answer
    plugins: [withPolicy(policy), withRanges, holdBack(parts)],
    build: { outDir: folder },
    preview: { host: "127.0.0.1", port },
  });
  return { address: server.resolvedUrls.local[0], close: () => server.close() };
}

const OPENERS = { darwin: ["open"], win32: ["cmd", "/c", "start", ""], linux: ["xdg-open"] };

/** Whether this machine has a desktop. */
export const hasDesktop = (env = process.env, platform = process.platform) =>
  !env.CI && (platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)) && platform in OPENERS;

/** Opens the address in the user's browser; does nothing where there is none. */
export function openBrowser(address) {
  const [program, ...args] = OPENERS[process.platform];
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
