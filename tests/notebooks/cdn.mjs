// Observable's and JupyterLite's notebooks fetch packages from a content delivery network: `npm:posenc` is an address
// there. The tests do not leave the machine: its addresses are served from build/notebooks/node_modules, where posenc
// was unpacked from its tarball. As the network does for addresses that end in /+esm, a package becomes one module.
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { build } from "esbuild";
import { folder, packages } from "./install.mjs";

/** The policy under which notebooks are served: they fetch packages, and compile their cells. */
export const anything = "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'";

const NETWORK = "https://cdn.jsdelivr.net";

/** "/npm/@scope/name@1.0.0/sub/path/+esm" as { name: "@scope/name", path: "sub/path", module: true }. */
function parse(pathname) {
  const [, name, path = ""] = pathname.match(/^\/npm\/((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?(?:\/(.*))?$/) ?? [];
  const [, file, module] = path.match(/^(.*?)\/?(\+esm)?$/);
  return { name, path: file, module: module !== undefined };
}

const TYPES = { ".js": "application/javascript", ".css": "text/css", ".json": "application/json" };

const bundles = new Map();

/** A package's entry as one minified ES module. */
function bundle(entry) {
  if (!bundles.has(entry)) {
    const options = { bundle: true, minify: true, format: "esm", platform: "browser", write: false };
    const built = build({
      ...options,
      entryPoints: [entry],
      absWorkingDir: folder,
      charset: "utf8",
      outdir: "bundles",
    });
    bundles.set(
      entry,
      built.then(({ outputFiles }) => outputFiles[0].text),
    );
  }
  return bundles.get(entry);
}

/** Answers for the network at an address: { contentType, body }, or undefined. */
export async function fromNetwork(address) {
  const { origin, pathname } = new URL(address);
  const { name, path, module } = parse(pathname);
  if (origin !== NETWORK || !name || !existsSync(join(packages, name))) return undefined;
  if (module) return { contentType: "application/javascript", body: await bundle(path ? `${name}/${path}` : name) };
  const file = join(packages, name, path);
  const contentType = TYPES[extname(path)] ?? "application/octet-stream";
  return existsSync(file) ? { contentType, body: readFileSync(file) } : undefined;
}

/** Answers what a Playwright page requests from the network; `asked` collects the paths. */
export async function routeNetwork(page, asked) {
  const isForeign = ({ protocol, hostname }) => protocol.startsWith("http") && hostname !== "127.0.0.1";
  await page.context().route(isForeign, async (route) => {
    const address = route.request().url();
    const answer = await fromNetwork(address);
    if (!answer) return route.abort();
    asked.add(new URL(address).pathname);
    return route.fulfill({ ...answer, headers: { "access-control-allow-origin": "*" } });
  });
}

/** A page's list of errors without the fetches that were answered. */
export const realTrouble = (trouble, asked) =>
  trouble.filter((text) => ![...asked].some((pathname) => text === `left the origin: ${NETWORK}${pathname}`));
