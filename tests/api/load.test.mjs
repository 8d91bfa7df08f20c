// load's options: what the .wasm may be, which calls share an instance, how waiting ends.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";

const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");
const file = (name) => join(dist, name);
const bytes = readFileSync(file("posenc.wasm"));
const answer = (type) => new Response(bytes, { headers: { "content-type": type } });

/** One instance, separate from all others, works: sin and cos of 1. */
async function works(options, start = load) {
  const { data } = (await start({ shared: false, ...options })).sinusoidal({ positions: [1], dim: 2 });
  assert.deepEqual([...data], [Math.sin(1), Math.cos(1)].map(Math.fround));
}

let server;
let address;
const hanging = new Set();
let stopped = 0;
before(async () => {
  server = createServer(({ url }, response) => {
    if (url === "/hang.wasm") {
      hanging.add(response);
      response.on("close", () => {
        ++stopped;
      });
      return response.writeHead(200, { "content-type": "application/wasm" }).flushHeaders();
    }
    if (url === "/missing.wasm") return response.writeHead(404).end("no");
    const type = url === "/plain.wasm" ? "text/plain" : "application/wasm";
    response.writeHead(200, { "content-type": type }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  for (const response of hanging) response.destroy();
  server.close();
});

for (const [what, wasm] of Object.entries({
  "a WebAssembly.Module": () => new WebAssembly.Module(bytes),
  "a typed array": () => bytes,
  "an ArrayBuffer": () => new Uint8Array(bytes).buffer,
  "a DataView": () => new DataView(new Uint8Array(bytes).buffer),
  "a file's URL": () => pathToFileURL(file("posenc.wasm")),
  "a file's URL as a string": () => pathToFileURL(file("posenc.wasm")).href,
  "a path": () => file("posenc.wasm"),
  "the scalar .wasm": () => file("posenc-scalar.wasm"),
  "a server's URL": () => new URL("/posenc.wasm", address),
  "a server's URL as a string, with the wrong type": () => `${address}/plain.wasm`,
  "a data: URL": () => `data:application/wasm;base64,${bytes.toString("base64")}`,
  "a Response": () => answer("application/wasm"),
  "a Response of another type": () => answer("application/octet-stream"),
  "a Response whose type has a parameter": () => answer("application/wasm; charset=utf-8"),
  "a promise of a Response": () => fetch(`${address}/posenc.wasm`),
})) {
  test(`wasm: ${what}`, () => works({ wasm: wasm() }));
}

test("the full entry takes its own .wasm, and neither takes the other's", async () => {
  await works({ wasm: file("posenc-full.wasm") }, loadFull);
  await works({ wasm: file("posenc-full-scalar.wasm") }, loadFull);
  const wrong = (name) => ({ name: "RangeError", message: new RegExp(`^wasm: .*, expected the \\.wasm of ${name} `) });
  await assert.rejects(load({ wasm: file("posenc-full.wasm"), shared: false }), wrong("posenc"));
  await assert.rejects(loadFull({ wasm: new WebAssembly.Module(bytes), shared: false }), wrong("posenc-full"));
});

/** A promise whose rejection need not be handled until it is awaited. */
// biome-ignore lint/suspicious/noThenProperty: that is what it is
const rejecting = { then: (_, reject) => reject(new RangeError("mine")) };

for (const [options, name, message] of [
  [5, "TypeError", /^options: 5, expected an object/],
  [null, "TypeError", /^options: null, expected an object/],
  [{ wsam: bytes }, "TypeError", /^options\.wsam: .*wasm/],
  [{ wasm: 5 }, "TypeError", /^wasm: 5, expected a WebAssembly\.Module, bytes, a URL, a string or a Response$/],
  [{ wasm: null }, "TypeError", /^wasm: null, expected/],
  [{ wasm: {} }, "TypeError", /^wasm: an object, expected/],
  [{ wasm: Promise.resolve([1]) }, "TypeError", /^wasm: \[1\], expected/],
  [{ wasm: new Uint8Array(4) }, "RangeError", /^wasm: .*, expected the \.wasm of posenc \w+, whole: ./],
  [{ wasm: "/no/such.wasm" }, "Error", /ENOENT.*such\.wasm/],
  [{ wasm: new Response("no", { status: 404 }) }, "RangeError", /^wasm: "404 /],
  [{ wasm: rejecting }, "RangeError", /^mine$/],
  [{ signal: {} }, "TypeError", /^signal: an object, expected an AbortSignal$/],
  [{ signal: null }, "TypeError", /^signal: null, expected an AbortSignal$/],
  [{ shared: 1 }, "TypeError", /^shared: 1, expected true or false$/],
]) {
  const shown = options === null || typeof options !== "object" ? String(options) : Object.keys(options).join();
  test(`refused: ${shown} (${message.source})`, async () => {
    const given = options === null || typeof options !== "object" ? options : { shared: false, ...options };
    await assert.rejects(load(given), { name, message });
  });
}

test("a server's 404 names the address", async () => {
  await assert.rejects(load({ wasm: `${address}/missing.wasm`, shared: false }), /404 .*missing\.wasm/);
});

test("calls share one instance, those at the same time too; shared: false has memory of its own", async () => {
  const [one, two] = await Promise.all([load(), load()]);
  assert.equal(one, two);
  assert.equal(await load({ shared: true }), one);
  const other = await load({ shared: false });
  assert.notEqual(other, one);
  const buffer = other.buffer(4);
  assert.notEqual(buffer.view.buffer, one.buffer(4).view.buffer);
  assert.throws(() => one.rotary({ dim: 4, layout: "half" }).step({ x: buffer, shape: [1, 4] }), Error);
});

test("separate instances share what was compiled", async () => {
  const { compile } = WebAssembly;
  let times = 0;
  WebAssembly.compile = (...given) => {
    ++times;
    return compile.apply(WebAssembly, given);
  };
  try {
    const fresh = await import("../../dist/index.js?compiled");
    await fresh.load();
    await fresh.load({ shared: false });
    await fresh.load({ shared: false });
    assert.equal(times, 1);
  } finally {
    WebAssembly.compile = compile;
  }
});

/** An entry that was not loaded before. */
let copies = 0;
const freshLoad = async () => (await import(`../../dist/index.js?load=${++copies}`)).load;

test("a signal ends the wait with its reason and the download; a later load works", async () => {
  const start = await freshLoad();
  const wasm = `${address}/hang.wasm`;
  await assert.rejects(start({ signal: AbortSignal.abort("before") }), (reason) => reason === "before");
  const controller = new AbortController();
  const reason = new Error("mine");
  const waiting = start({ wasm, signal: controller.signal });
  const also = start({ signal: controller.signal });
  while (hanging.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(reason);
  await assert.rejects(waiting, (thrown) => thrown === reason);
  await assert.rejects(also, (thrown) => thrown === reason);
  for (let waits = 0; stopped === 0 && waits < 200; ++waits) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(stopped, 1, "the server saw the request end");
  assert.equal((await start()).sinusoidal({ length: 2, dim: 4 }).data.length, 8);
});

test("who still waits gets the instance when another gives up", async () => {
  const start = await freshLoad();
  const controller = new AbortController();
  let send;
  const wasm = new Promise((resolve) => {
    send = resolve;
  });
  const impatient = start({ wasm, signal: controller.signal });
  const patient = start();
  controller.abort();
  await assert.rejects(impatient, { name: "AbortError" });
  send(bytes);
  assert.equal(await patient, await start());
});

test("after a failure load can be called again", async () => {
  const start = await freshLoad();
  await assert.rejects(start({ wasm: new Uint8Array(3) }), RangeError);
  assert.equal(await start(), await start());
});

test("where WebAssembly is missing or forbidden the error says so", async () => {
  const start = await freshLoad();
  const { WebAssembly: engine } = globalThis;
  globalThis.WebAssembly = undefined;
  try {
    await assert.rejects(start(), /^Error: WebAssembly: missing, expected an engine that has it$/);
  } finally {
    globalThis.WebAssembly = engine;
  }
  const { compile } = WebAssembly;
  // In the words of Chromium, Firefox and WebKit.
  for (const message of [
    "WebAssembly.compile(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed",
    "call to WebAssembly.compile() blocked by CSP",
    "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source",
  ]) {
    const cause = new WebAssembly.CompileError(message);
    WebAssembly.compile = () => Promise.reject(cause);
    try {
      await assert.rejects(
        start(),
        (error) => /script-src 'wasm-unsafe-eval'/.test(error.message) && error.cause === cause,
      );
    } finally {
      WebAssembly.compile = compile;
    }
  }
  assert.ok(await start());
});

test("a signal that lives long keeps no listener", () => {
  const program = `
    import { getEventListeners } from "node:events";
    import { load } from "posenc";
    const { signal } = new AbortController();
    for (let i = 0; i < 3; ++i) await load({ signal });
    await new Promise((resolve) => setTimeout(resolve));
    console.log(getEventListeners(signal, "abort").length);`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: dist, encoding: "utf8" });
  assert.equal(out.trim(), "0");
});
