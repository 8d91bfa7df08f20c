// Serving the built page on this machine only.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { build } from "./paths.mjs";

const PORT = 4173;

/** Serves `folder` on loopback, on `port` or the next free one; resolves to { address, close() }. */
export async function servePage({ folder = join(build, "page"), port = PORT } = {}) {
  const { preview } = await import("vite");
  const server = await preview({
    configFile: false,
    root: dirname(folder), // Vite warns when it is the served folder itself
    logLevel: "warn",
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
