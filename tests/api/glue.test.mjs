// bindings/package/glue.mjs takes out of Emscripten's glue what is dead, nothing else, and nothing from a glue it does not know.

import assert from "node:assert/strict";
import { test } from "node:test";
import { trimGlue } from "../../bindings/package/glue.mjs";

const glue = (middle = "") => `var Module = (() => {
  var _scriptName = typeof document != 'undefined' ? document.currentScript?.src : undefined;
  return function(options = {}) {
    var place = "", fetched, used = (a) => a + 1, dead = (a) => onlyDead(a), last;
    typeof document != "undefined" && document.currentScript && (place = document.currentScript.src);
    place = place.substr(1);
    fetched = (a) => fetch(a);
    function onlyDead(a) { return fetched(a); }
    function fallback(a) { return dead(a); }
    var other = { place: 1 };
    register(other);
    function register(x) { var place = x; options.place = used(place.place); }
    ${middle}
    return (function() {
      function receive(a) { options.a = a; return hoisted(a); }
      if (options.instantiateWasm) try { return options.instantiateWasm({}, receive); } catch (c) { fallback(c); }
      fallback(place);
      function hoisted(a) { return a * 2; }
      return {};
    })();
  };
})();
export default Module;`;

const run = async (code) => (await import(`data:text/javascript,${encodeURIComponent(code)}`)).default;

test("the fallback and what only it used are gone; the rest does what it did", async () => {
  const trimmed = trimGlue(glue());
  for (const gone of ["fetch", "fallback", "onlyDead", "dead", "_scriptName", "document", "last"])
    assert.ok(!trimmed.includes(gone), gone);
  for (const code of [glue(), trimmed]) {
    const options = { instantiateWasm: (_, receive) => receive(21) };
    assert.equal((await run(code))(options), 42);
    assert.deepEqual([options.a, options.place], [21, 2]);
  }
});

test("a glue that is not known is refused", () => {
  assert.throws(() => trimGlue("export default 1;"), /asks 0 times for instantiateWasm/);
  assert.throws(
    () => trimGlue(glue("function twice() { if (options.instantiateWasm) try { return 1 } catch {} }")),
    /asks 2 times/,
  );
  assert.throws(
    () => trimGlue(glue().replaceAll("document.currentScript.src", "here")),
    /document\.currentScript\.src/,
  );
});
