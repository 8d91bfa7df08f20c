// Memory that was full once is as good as before, and what is wrong with a full one is said.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";

const named = {
  name: "RangeError",
  message: /^[\w.* ]+: \d+, expected as many values as fit into .*: dispose\(\) of something; .* forgotten/,
};

/** Makes them until memory is full. */
function filled(make) {
  const held = [];
  for (;;) {
    try {
      held.push(make());
    } catch (error) {
      assert.equal(error.name, named.name);
      assert.match(error.message, named.message);
      return held;
    }
  }
}

const kinds = {
  rotaries: (pe) => pe.rotary({ dim: 2 ** 20, layout: "half" }),
  buffers: (pe) => pe.buffer(2 ** 22),
};

for (const [what, make] of Object.entries(kinds)) {
  test(`full of ${what}, all but one disposed of: small and large calls work`, async () => {
    const pe = await load({ shared: false });
    const expected = pe.sinusoidal({ length: 3, dim: 4 });
    for (let round = 0; round < 2; ++round) {
      const held = filled(() => make(pe));
      assert.ok(held.length > 100);
      // The core still has room for itself: what needs none of its own is done.
      const rope = pe.rotary({ dim: 4, layout: "half" });
      assert.equal(rope.apply(new Float32Array(4), { shape: [1, 4], offset: 3 }).length, 4);
      rope.dispose();
      const last = held.pop();
      for (const made of held) made.dispose();
      assert.deepEqual(pe.sinusoidal({ length: 3, dim: 4 }), expected);
      for (let i = 0; i < 1000; ++i) pe.buffer(4).dispose();
      pe.buffer(2 ** 27).dispose();
      assert.equal(pe.alibi({ heads: 8, queries: 1024, keys: 1024 }).data.length, 2 ** 23);
      last.dispose();
    }
    assert.deepEqual(pe.sinusoidal({ length: 3, dim: 4 }), expected);
  });
}

test("forgotten in one loop: every call is refused or right until the loop ends, and none ends the instance", async () => {
  const pe = await load({ shared: false });
  const expected = pe.sinusoidal({ length: 3, dim: 4 });
  let made = 0;
  assert.throws(() => {
    for (;;) {
      pe.rotary({ dim: 2 ** 16, layout: "half" });
      made += 1;
    }
  }, named);
  assert.ok(made > 1000, `${made}`);
  for (const call of [
    () => assert.deepEqual(pe.sinusoidal({ length: 3, dim: 4 }), expected),
    () => pe.rotary({ dim: 4, layout: "half" }).dispose(),
    () => pe.buffer(2 ** 24).dispose(),
    () => pe.hubConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4 }),
  ]) {
    try {
      call();
    } catch (error) {
      assert.equal(error.name, "RangeError", error.stack);
      assert.match(error.message, named.message);
    }
  }
});
