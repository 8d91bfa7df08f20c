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

test("paths that are not there answer 404, also to a browser that asks for a page", async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, "api"));
  writeFileSync(join(folder, "index.html"), "<title>a page</title>");
  writeFileSync(join(folder, "tools.html"), "<title>tools</title>");
  writeFileSync(join(folder, "api", "index.html"), "<title>the reference</title>");
  const { address, close } = await servePage({ folder, port: 0 });
  t.after(close);
  for (const [path, status] of [
    ["", 200],
    ["index.html", 200],
    ["?a=1", 200],
    ["tools.html", 200],
    ["api/", 200],
    ["nothing", 404],
    ["nothing.html", 404],
    ["nothing/", 404],
    ["api/nothing.html", 404],
    ["assets/nothing.js", 404],
    ["..%2f..%2fpackage.json", 404],
  ])
    for (const accept of ["text/html,*/*", "*/*"]) {
      const answer = await fetch(new URL(path, address), { headers: { accept } });
      assert.equal(answer.status, status, `${path}, ${accept}`);
      assert.equal(answer.headers.get("content-security-policy"), POLICY);
      await answer.text();
    }
});

test("parts of a file: what is no part of it is 416 and ends; other ranges are as they are asked for", async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, "index.html"), "<title>a page</title>");
  writeFileSync(join(folder, "numbers.txt"), "0123456789");
  const { address, close } = await servePage({ folder, port: 0 });
  t.after(close);
  for (const [range, status, wanted] of [
    ["bytes=2-5", 206, "2345"],
    ["bytes=7-", 206, "789"],
    ["bytes=3-3", 206, "3"],
    ["bytes=5-1", 416],
    ["bytes=1-0", 416],
    ["bytes=10-", 416],
    ["bytes=99-100", 416],
    // A server may answer with all of it.
    ["bytes=0-0", 200, "0123456789"],
    ["bytes=-3", 200, "0123456789"],
    ["bytes=a-b", 200, "0123456789"],
    ["lines=1-2", 200, "0123456789"],
    ["bytes=0-1,3-4", 200, "0123456789"],
  ]) {
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(new URL("numbers.txt", address), { headers: { range }, signal });
    const body = await answer.text();
    assert.equal(answer.status, status, range);
    if (wanted !== undefined) assert.equal(body, wanted, range);
  }
  assert.equal((await fetch(address)).status, 200);
});

test("a browser is opened only where there is a desktop", () => {
  assert.ok(hasDesktop({ DISPLAY: ":0" }, "linux"));
  assert.ok(hasDesktop({ WAYLAND_DISPLAY: "wayland-0" }, "linux"));
  assert.ok(hasDesktop({}, "darwin"));
  assert.ok(!hasDesktop({}, "linux"));
  assert.ok(!hasDesktop({ DISPLAY: ":0", CI: "true" }, "linux"));
  assert.ok(!hasDesktop({}, "freebsd"));
});
