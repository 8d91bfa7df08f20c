import type { Value } from "../../core/state";
import published from "./examples.json";
import type { state } from "./state";

type Family = Exclude<Value<typeof state.configFamily>, "own">;

/** Values of published config.json files: the keys that determine the rotation; `source` is where they were read. */
export const examples: Readonly<Record<Family, { name: string; source: string; config: object }>> = published;
