// Calls that throw.

import assert from "node:assert/strict";
import { test } from "node:test";

/** A test of each: [the call, the error's class, how its message begins]. */
export function testWrongCalls(wrongCalls) {
  for (const [call, kind, start] of wrongCalls) {
    test(`${kind.name}: ${start}`, () => {
      assert.throws(call, (error) => {
        assert.equal(error.constructor, kind);
        assert.equal(error.message.slice(0, start.length), start);
        return true;
      });
    });
  }
}
