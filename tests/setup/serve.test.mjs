import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { hasDesktop, servePage } from "../../bindings/setup/serve.mjs";
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
  assert.match(await (await fetch(address)).text(), /a page/);
});

test("a browser is opened only where there is a desktop", () => {
  assert.ok(hasDesktop({ DISPLAY: ":0" }, "linux"));
  assert.ok(hasDesktop({ WAYLAND_DISPLAY: "wayland-0" }, "linux"));
  assert.ok(hasDesktop({}, "darwin"));
  assert.ok(!hasDesktop({}, "linux"));
  assert.ok(!hasDesktop({ DISPLAY: ":0", CI: "true" }, "linux"));
  assert.ok(!hasDesktop({}, "freebsd"));
});
