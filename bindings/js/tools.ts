import { kvCacheWith } from "./attention/kv-cache.js";
import { attention } from "./attention/masked-attention.js";
import { bind } from "./base/call.js";
import { loader } from "./base/load.js";
import { diagnose } from "./diagnosis/diagnose.js";
import { fixtures } from "./diagnosis/fixtures.js";
import { mistakes } from "./diagnosis/mistakes.js";
import { functions as everything } from "./everything.js";
import { editKeys } from "./key-cache/edit-keys.js";
import type { PosencTools } from "./types/index.js";

export { hasSimd } from "./base/compile.js";

/** The API of the entry of tools: every encoding, and the diagnosis of numbers. */
const functions = {
  ...everything,
  diagnose,
  fixtures,
  mistakes,
  editKeys,
  kvCache: kvCacheWith({ attend: attention, edit: editKeys }),
};

type All = { [Name in keyof PosencTools]: unknown };

/** Loads it, with the .wasm that an entry brings. */
export const loadFrom = (own: () => unknown) =>
  loader((module) => bind(module, functions satisfies All) as unknown as PosencTools, own);
