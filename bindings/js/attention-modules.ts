import type { FullModule } from "posenc-module";
import { addBackward } from "./absolute.js";
import { tableBias, tableBiasBackward } from "./bias-table.js";
import { dropout } from "./dropout.js";
import { linearBackward, linearLayer, mergeHeads, splitHeads } from "./linear-layer.js";
import { multiHeadAttention, multiHeadBackward } from "./multi-head.js";
import { positionalEncoding } from "./positional-encoding.js";
import { attention, attentionBackward } from "./scaled-dot-product.js";
import { softmax, softmaxBackward } from "./softmax.js";
import type { AttentionModules } from "./types/index.js";

/** Attention and its parts, forward and backward, on one module. */
export function attentionModules(module: FullModule): AttentionModules {
  return {
    attention: (options) => attention(module, options),
    attentionBackward: (options) => attentionBackward(module, options),
    multiHeadAttention: (options) => multiHeadAttention(module, options),
    multiHeadBackward: (options) => multiHeadBackward(module, options),
    splitHeads: (x, options) => splitHeads(module, x, options),
    mergeHeads: (x, options) => mergeHeads(module, x, options),
    linear: (x, weight, bias) => linearLayer(module, x, weight, bias),
    linearBackward: (options) => linearBackward(module, options),
    addBackward: (gradient, options) => addBackward(module, gradient, options),
    softmax: (x, options) => softmax(module, x, options),
    softmaxBackward: (options) => softmaxBackward(module, options),
    dropout: (x, options) => dropout(module, x, options),
    tableBias: (options) => tableBias(module, options),
    tableBiasBackward: (options) => tableBiasBackward(module, options),
    positionalEncoding: (options) => positionalEncoding(module, options),
  };
}
