// The empty Embind module, loaded as the package's entries are.

import { loader } from "../../bindings/js/base/load.ts";
import { inside } from "../../bindings/package/entries/inside.ts";

export const load = loader((module) => module, inside);
