// Files served on a free port of this machine, for pages under test.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
};

/**
 * Serves the files of `folder` under the path `base`, with `headers` on every answer; `serves(path)` may refuse some, and
 * `instead` has the contents of others, by path. `onPost(text)` is called with what a page sends. `gzip` compresses as static hosts do. Resolves to { address, stop() }.
 */
export async function serveFiles(folder, options = {}) {
  const { base = "/", headers = {}, gzip = false, serves = () => true, instead, onPost } = options;
  async function answer(request, response) {
    if (request.method === "POST" && onPost) {
      onPost(await text(request));
      return response.writeHead(204, headers).end();
    }
    const asked = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const path = asked === base ? "index.html" : asked.slice(base.length);
    const type = TYPES[extname(path)];
    try {
      if (!asked.startsWith(base) || type === undefined || !serves(path)) throw new Error("not served");
      const content = instead?.get(path) ?? (await readFile(join(folder, path)));
      const encoding = gzip ? { "Content-Encoding": "gzip" } : {};
      const body = gzip ? gzipSync(content) : content;
      return response.writeHead(200, { "Content-Type": type, ...encoding, ...headers }).end(body);
    } catch {
      return response.writeHead(404, headers).end();
    }
  }
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, stop };
}
