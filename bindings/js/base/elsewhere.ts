// The functions that an entry does not have: whoever calls one is told which entry has it.

import { refusal } from "./check.js";

const inFull =
  "adamStep addBackward addRows alibi alibiSlopes attentionBackward certify compare convert convertLayout cope " +
  "dropout fire fope fourier hubConfig kerple learnedTable linearAttention linearBackward lookupRows " +
  "maskPositions mergeHeads mixedFrequencies model mrope mropePositions multiHeadAttention multiHeadBackward " +
  "nerf packedPositions paddedPositions positionMap positionalEncoding queryTemperature reformerAxial " +
  "reformerAxialGradient relativeExpand relativeExpandIds relativeOffsets relativeShift relativeSinusoidal " +
  "resizeGrid resizeTable rotaryCache rotaryDifference rotaryGrid rotaryMatrix rotaryMixed rotateAgain " +
  "rotateWithCache rowsGradient sandwich sgdStep shawAttention shawBackward shawIds shift shiftMatrix " +
  "shiftRotated sinusoidalGrid softmax softmaxBackward splitHeads swinBias swinIndex swinLogCoordinates " +
  "swinLogCpb t5 t5Buckets tableBias tableBiasBackward transformerXl xpos";
const inTools = "diagnose editKeys fixtures mistakes";

/** What `posenc/full` does not have. */
export const beyondFull = { tools: inTools };
/** What `posenc` does not have. */
export const beyondBasics = { full: inFull, tools: inTools };

/** A prototype that has none of these functions, but gives what throws in their place: `"alibi" in pe` is false. */
export const without = (beyond: { readonly [entry: string]: string }): object =>
  new Proxy(Object.prototype, {
    get(target, name) {
      for (const entry in beyond)
        if (beyond[entry]?.split(" ").includes(name as string))
          return () => {
            const argument = name as string;
            const shown = "not in this entry";
            throw refusal(TypeError, `import { load } from "posenc/${entry}"`, { argument, value: undefined, shown });
          };
      return target[name as keyof object];
    },
  });
