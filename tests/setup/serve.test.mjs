import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { hasDesktop, servePage } from "../../bindings/setup/serve.mjs";
import { scratch } from "./scratch.mjs";

/** Serves a page whose folder `api` is still empty. */
async function serve(t, options) {
  const folder = scratch(t);
  mkdirSync(join(folder, "api"));
  writeFileSync(join(folder, "index.html"), "<title>a page</title>");
  const { address, close } = await servePage({ folder, port: 0, ...options });
  t.after(close);
  const ask = (path, accept) => fetch(new URL(path, address), { headers: { accept } });
  return { folder, address, ask };
}

test("the page is served on loopback, on the next port when one is taken; what is not there is 404", async (t) => {
  const other = createServer();
  await new Promise((ready) => other.listen(0, "127.0.0.1", ready));
  t.after(() => other.close());
  const { port } = other.address();
  const { address, ask } = await serve(t, { port });
  assert.ok(Number(/^http:\/\/127\.0\.0\.1:(\d+)\/$/.exec(address)?.[1]) > port, address);
  for (const [path, status] of Object.entries({ "": 200, "?a=1": 200, nothing: 404, "api/nothing.html": 404 }))
    for (const accept of ["text/html,*/*", "*/*"])
      assert.equal((await ask(path, accept)).status, status, `${path}, ${accept}`);
});

test("what is still being made is told to a reader, kept waiting for by a script, and served then", async (t) => {
  let isMaking = true;
  const { folder, ask } = await serve(t, { isMaking: () => isMaking });
  assert.match(await (await ask("", "text/html")).text(), /a page/);
  const soon = await ask("api/index.html", "text/html");
  assert.equal(soon.status, 503);
  assert.match(await soon.text(), /http-equiv="refresh".*still being made/s);
  const [script, lost] = [ask("api/main.js", "*/*"), ask("lost.js", "*/*")];
  writeFileSync(join(folder, "api", "main.js"), "true");
  assert.equal(await (await script).text(), "true");
  isMaking = false;
  assert.equal((await lost).status, 404);
});

test("a browser is opened only where there is a desktop", () => {
  for (const env of [{ DISPLAY: ":0" }, { WAYLAND_DISPLAY: "wayland-0" }]) assert.ok(hasDesktop(env, "linux"));
  assert.ok(hasDesktop({}, "darwin"));
  for (const env of [{}, { DISPLAY: ":0", CI: "true" }]) assert.ok(!hasDesktop(env, "linux"));
});
