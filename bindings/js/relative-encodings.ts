import type { FullModule } from "posenc-module";
import { alibi, alibiSlopes } from "./alibi.js";
import { cope } from "./cope.js";
import { fire } from "./fire.js";
import { kerple } from "./kerple.js";
import { relativeExpand, relativeExpandIds, relativeOffsets, relativeSinusoidal } from "./relative.js";
import { sandwich } from "./sandwich.js";
import { shawAttention, shawBackward, shawIds } from "./shaw.js";
import { swinBias, swinIndex, swinLogCoordinates, swinLogCpb } from "./swin.js";
import { t5, t5Buckets } from "./t5.js";
import { relativeShift, transformerXl } from "./transformer-xl.js";
import type { RelativeEncodings } from "./types/index.js";

/** Every encoding of relative positions, on one module. */
export function relativeEncodings(module: FullModule): RelativeEncodings {
  return {
    relativeOffsets: (options) => relativeOffsets(module, options),
    relativeSinusoidal: (options) => relativeSinusoidal(module, options),
    relativeExpand: (compact, shape) => relativeExpand(module, compact, shape),
    relativeExpandIds: (compact, shape) => relativeExpandIds(module, compact, shape),
    alibi: (options) => alibi(module, options),
    alibiSlopes: (options) => alibiSlopes(module, options),
    cope: (options) => cope(module, options),
    fire: (options) => fire(module, options),
    kerple: (options) => kerple(module, options),
    sandwich: (options) => sandwich(module, options),
    shawIds: (options) => shawIds(module, options),
    shawAttention: (options) => shawAttention(module, options),
    shawBackward: (options) => shawBackward(module, options),
    swinIndex: (options) => swinIndex(module, options),
    swinBias: (options) => swinBias(module, options),
    swinLogCoordinates: (options) => swinLogCoordinates(module, options),
    swinLogCpb: (options) => swinLogCpb(module, options),
    t5: (options) => t5(module, options),
    t5Buckets: (options) => t5Buckets(module, options),
    transformerXl: (options) => transformerXl(module, options),
    relativeShift: (x, options) => relativeShift(module, x, options),
  };
}
