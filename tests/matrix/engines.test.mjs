import assert from "node:assert/strict";
import { test } from "node:test";
import { startGroup } from "./commands.mjs";
import { displayOf } from "./engines.mjs";

test("a display's number is read behind the warnings of a server that found the first one taken", async () => {
  for (const warnings of ["", "SocketCreateListener() failed\nserver already running\n"]) {
    const says = `process.stderr.write(${JSON.stringify(warnings)}, () => setTimeout(() => console.log("12"), 100))`;
    assert.equal(await displayOf(startGroup("node", ["-e", says], {})), "12");
  }
});
