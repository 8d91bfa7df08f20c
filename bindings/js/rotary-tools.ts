import type { FullModule } from "posenc-module";
import { convertLayout } from "./layout-conversion.js";
import { linearAttention } from "./linear-attention.js";
import { maskPositions, packedPositions } from "./packed-positions.js";
import { rotaryCache, rotateWithCache } from "./rotary-cache.js";
import { rotaryMatrix, rotateAgain, shiftRotated } from "./rotary-shift.js";
import type { RotaryCacheOptions, RotaryTools } from "./types/index.js";
import { xpos } from "./xpos.js";

/** What goes with rotary position embeddings, on one module. */
export function rotaryTools(module: FullModule): RotaryTools {
  return {
    // Its overloads tie the result to form and dtype; one function serves them all.
    rotaryCache: ((options: RotaryCacheOptions) => rotaryCache(module, options)) as RotaryTools["rotaryCache"],
    rotateWithCache: (x, options) => rotateWithCache(module, x, options),
    shiftRotated: (x, options) => shiftRotated(module, x, options),
    rotateAgain: (x, options) => rotateAgain(module, x, options),
    rotaryMatrix: (options) => rotaryMatrix(module, options),
    convertLayout: (x, options) => convertLayout(module, x, options),
    packedPositions: (boundaries, options) => packedPositions(module, boundaries, options),
    maskPositions: (mask, options) => maskPositions(module, mask, options),
    linearAttention: (options) => linearAttention(module, options),
    xpos: (options) => xpos(module, options),
  };
}
