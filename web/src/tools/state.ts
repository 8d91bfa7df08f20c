import { codeLanguages } from "../code/languages";
import { choice, defineState, number, words } from "../core/state";
import { biases, dtypes, exampleNames, idPresets, kinds, quantizations } from "./protocol";

export const state = defineState({
  sample: choice("sample", [...exampleNames, "own"]),
  kind: choice("kind", kinds),
  dtype: choice("dtype", dtypes),
  quantized: choice("quantized", quantizations),
  seqAxis: number("axis", -1, -1, 7, true),
  expectation: choice("expect", ["none", "plan", "config"]),
  expectedConfig: words("xconfig", "", 8000),
  expectedLayer: number("xlayer", -1, -1, 1023, true),
  expectedLength: number("xlength", 0, 0, 2 ** 30, true),
  expectedDim: number("xdim", 128, 2, 65536, true),
  expectedRotated: number("xrotated", 128, 2, 65536, true),
  expectedBase: number("xbase", 10000, 1e-6, 1e15),
  expectedLayout: choice("xlayout", ["half", "interleaved"]),
  expectedBias: choice("xbias", biases),
  expectedIds: choice("xids", idPresets),
  explanation: number("rank", 1, 1, 16, true),
  drawnPair: number("drawn", -1, -1, 511, true),
  codeLanguage: choice("code", codeLanguages),
});
