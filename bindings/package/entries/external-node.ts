// The same in Node, read from the file system.

import { readFile } from "node:fs/promises";
import { hasSimd, loadFrom } from "posenc-api";
import { scalar, simd } from "posenc-module.places";

export const load = loadFrom(() => readFile(hasSimd() ? simd() : scalar()));
