import type { FullModule } from "posenc-module";
import { unwrap, wrongType } from "./check.js";
import type { HubConfig } from "./types/index.js";

/** The core reads no deeper. */
const deepest = 6;

/** A copy, made before the core reads it: nothing of the caller's runs while it does. JSON knows no binary data. */
function plain(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value) || depth > deepest) return null;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
  for (const [key, item] of Object.entries(value)) (copy as Record<string, unknown>)[key] = plain(item, depth + 1);
  return copy;
}

export function hubConfig(module: FullModule, config: object): HubConfig {
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw wrongType("config", config, "the object parsed from a config.json");
  }
  return unwrap(module.hubConfig(plain(config) as object));
}
