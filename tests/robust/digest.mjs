// All results of the library, as one number.
import { createHash } from "node:crypto";
import { whole } from "../api/testing/calls/calls.mjs";
import { Inputs } from "../api/testing/inputs.mjs";
import { addTo } from "../api/testing/testing.mjs";

/** Digests every function that makes arrays, called again and again, and of tables larger than a cache. */
export function digest(pe) {
  const hash = createHash("sha256");
  for (const [name, maker] of Object.entries(whole.makers)) {
    const inputs = new Inputs();
    const make = maker(pe, inputs);
    for (let i = 0; i < 20; ++i) {
      inputs.again();
      addTo(hash.update(name), make({}));
    }
  }
  for (const base of [10, 1e4, 5e5]) addTo(hash, pe.sinusoidal({ length: 1000, dim: 200, base, offset: 1e6 }));
  addTo(hash, pe.attention({ query: table(pe, 200), key: table(pe, 300), value: table(pe, 300) }));
  return hash.digest("hex");
}

const table = (pe, length) => pe.sinusoidal({ length, dim: 64 });
