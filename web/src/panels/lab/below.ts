/* The parts of the lab below its curves. */

export { attention, paint } from "./attention-map";
export { ownText } from "./own-text";
export { runTable } from "./runs";
