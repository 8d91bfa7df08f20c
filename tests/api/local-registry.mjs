// As much of an npm registry as publishing a package and installing it asks of one.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** Starts one on a free port. Resolves to { address, published, stop() }: packages by name, as they were sent. */
export async function startRegistry() {
  const published = new Map();
  const server = createServer(async (request, response) => {
    const [name, dash, file] = request.url.slice(1).split("?")[0].split("/").map(decodeURIComponent);
    const known = published.get(name);
    const send = (status, body, type = "application/json") =>
      response.writeHead(status, { "content-type": type }).end(body);
    if (request.method === "PUT") {
      const sent = await json(request);
      published.set(name, sent);
      return send(201, "{}");
    }
    if (!known) return send(404, "{}");
    if (dash === "-")
      return send(200, Buffer.from(known._attachments[file].data, "base64"), "application/octet-stream");
    const { _attachments, ...packument } = known;
    return send(200, JSON.stringify(packument));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    published,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
