// Loaded before the tests (`--import`): they get the package whose modules have sanitizers (npm run test:sanitized).
import { register } from "node:module";

register("./sanitized-entries.mjs", import.meta.url);
