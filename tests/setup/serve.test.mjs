import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { hasDesktop, POLICY, servePage } from "../../bindings/setup/serve.mjs";
import { scratch } from "./scratch.mjs";

test("the page is served on loopback, on the next port when one is taken", async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, "index.html"), "<title>a page</title>");
  const other = createServer();
  await new Promise((ready) => other.listen(0, "127.0.0.1", ready));
  t.after(() => other.close());
  const { port } = other.address();
  const { address, close } = await servePage({ folder, port });
  t.after(close);
  const url = new URL(address);
  assert.equal(url.hostname, "127.0.0.1");
  assert.ok(Number(url.port) > port, address);
  const answer = await fetch(address);
  assert.match(await answer.text(), /a page/);
  assert.equal(answer.headers.get("content-security-policy"), POLICY);
});

test("what is still being made is told to a reader, kept waiting for by a script, and served then", async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, "api"));
  writeFileSync(join(folder, "index.html"), "<title>a page</title>");
  let isMaking = true;
  const { address, close } = await servePage({ folder, port: 0, isMaking: () => isMaking });
  t.after(close);
  const ask = (path, accept) => fetch(new URL(path, address), { headers: { accept } });
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

test("paths that are not there answer 404, also to a browser that asks for a page", async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, "api"));
  writeFileSync(join(folder, "index.html"), "<title>a page</title>");
  writeFileSync(join(folder, "api", "index.html"), "<title>the reference</title>");
  const { address, close } = await servePage({ folder, port: 0 });
  t.after(close);
  for (const [path, status] of Object.entries({
    "": 200,
    "?a=1": 200,
    "api/": 200,
    nothing: 404,
    "api/nothing.html": 404,
  }))
    for (const accept of ["text/html,*/*", "*/*"])
      assert.equal((await fetch(new URL(path, address), { headers: { accept } })).status, status, `${path}, ${accept}`);
});

test("a browser is opened only where there is a desktop", () => {
  assert.ok(hasDesktop({ DISPLAY: ":0" }, "linux"));
  assert.ok(hasDesktop({ WAYLAND_DISPLAY: "wayland-0" }, "linux"));
  assert.ok(hasDesktop({}, "darwin"));
  assert.ok(!hasDesktop({}, "linux"));
  assert.ok(!hasDesktop({ DISPLAY: ":0", CI: "true" }, "linux"));
});
