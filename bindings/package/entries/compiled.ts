// The .wasm as the platform compiled it: where code must not compile any (workerd, edge runtimes).

import { loadFrom } from "posenc-api";
import wasm from "posenc-module.compiled";

export const load = loadFrom(() => wasm);
