// Loaded into Observable Framework's build (node --import): what it fetches is answered from the disk.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromNetwork } from "./cdn.mjs";
import { packages } from "./install.mjs";

/** Framework asks a registry, at .../NAME/latest, for the version of every library that its pages could name. */
function fromRegistry(address) {
  const [, name] = new URL(address).pathname.match(/^\/((?:@[^/]+\/)?[^/@]+)\/latest$/) ?? [];
  if (!name) return undefined;
  const manifest = join(packages, name, "package.json");
  // Only the version of other libraries is asked for: fetching one would fail the build.
  const version = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : "0.0.0";
  return { contentType: "application/json", body: JSON.stringify({ version }) };
}

globalThis.fetch = async (address) => {
  const answer = (await fromNetwork(address)) ?? fromRegistry(address);
  if (!answer) return new Response("", { status: 404 });
  return new Response(answer.body, { headers: { "content-type": answer.contentType } });
};
