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
  let keep;
  let giveUp;
  const pending = [
    { path: /^\/api\//, made: new Promise((made) => (keep = made)) },
    { path: /^\/lost\.js$/, made: new Promise((_, failed) => (giveUp = failed)) },
  ];
  const { address, close } = await servePage({ folder, port: 0, pending });
  t.after(close);
  const ask = (path, accept) => fetch(new URL(path, address), { headers: { accept } });
  assert.match(await (await ask("", "text/html")).text(), /a page/);
  const [page, script, lost] = ["api/index.html", "api/main.js", "lost.js"];
  const soon = await ask(page, "text/html");
  assert.equal(soon.status, 503);
  assert.equal(soon.headers.get("content-security-policy"), POLICY);
  assert.match(await soon.text(), /http-equiv="refresh".*still being made/s);
  const [answer, refusal] = [ask(script, "*/*"), ask(lost, "*/*")];
  writeFileSync(join(folder, "api", "index.html"), "<title>the reference</title>");
  writeFileSync(join(folder, "api", "main.js"), "true");
  keep();
  giveUp(new Error("broken"));
  assert.equal(await (await answer).text(), "true");
  assert.match(await (await ask(page, "text/html")).text(), /the reference/);
  for (const refused of [await refusal, await ask(lost, "*/*")]) {
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /could not be made/);
  }
});

test("a browser is opened only where there is a desktop", () => {
  assert.ok(hasDesktop({ DISPLAY: ":0" }, "linux"));
  assert.ok(hasDesktop({ WAYLAND_DISPLAY: "wayland-0" }, "linux"));
  assert.ok(hasDesktop({}, "darwin"));
  assert.ok(!hasDesktop({}, "linux"));
  assert.ok(!hasDesktop({ DISPLAY: ":0", CI: "true" }, "linux"));
  assert.ok(!hasDesktop({}, "freebsd"));
});
