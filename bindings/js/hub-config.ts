import type { FullModule } from "posenc-module";
import { unwrap, wrongType } from "./check.js";
import type { HubConfig } from "./types/index.js";

export function hubConfig(module: FullModule, config: object): HubConfig {
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw wrongType("config", config, "the object parsed from a config.json");
  }
  return unwrap(module.hubConfig(config));
}
