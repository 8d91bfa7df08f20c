// The PyTorch tutorial's module: dropout(x + table).

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();

test("PositionalEncoding(d_model, dropout=0.1, max_len=5000).forward(x)", () => {
  const module = pe.positionalEncoding({ dModel: 16 });
  assert.deepEqual(module.table, pe.sinusoidal({ length: 5000, dim: 16 }));
  const x = tensor([2, 7, 16]);
  const added = module.forward(x, { training: false, seqAxis: 1 });
  assert.deepEqual(added, pe.add(x, module.table, { seqAxis: 1 }));
  const trained = module.forward(x, { training: true, seed: 5, seqAxis: 1 });
  assert.deepEqual(trained, pe.dropout(added, { p: 0.1, seed: 5 }));
  assert.notDeepEqual(trained, module.forward(x, { training: true, seed: 6, seqAxis: 1 }));
  const without = pe.positionalEncoding({ dModel: 16, dropout: 0, maxLen: 7 });
  assert.deepEqual(without.forward(x, { training: true, seed: 1, seqAxis: 1 }), added);
});

testWrongCalls([
  [() => pe.positionalEncoding({ dModel: 0 }), RangeError, "dim: 0"],
  [() => pe.positionalEncoding({ dModel: 4, dropout: "0.1" }), TypeError, 'dropout: "0.1"'],
  [() => pe.positionalEncoding({ dModel: 4 }).forward(tensor([1, 4]), {}), TypeError, "training: undefined"],
  [
    () => pe.positionalEncoding({ dModel: 4 }).forward(tensor([1, 4]), { training: true }),
    TypeError,
    "dropout.seed: undefined, expected a number",
  ],
]);
