// The empty Embind module, loaded as the package's entries are.

import { inside } from "../../bindings/js/inside.ts";
import { loader } from "../../bindings/js/load.ts";

export const load = loader((module) => module, inside);
