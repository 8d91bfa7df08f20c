// An API without a .wasm: what the entries share that bring it each in its own way.

import { api } from "posenc-functions";
import { loader } from "../../js/base/load.js";

export { hasSimd } from "../../js/base/compile.js";

export const loadFrom = (own: () => unknown) => loader(api, own);
