import { codeLanguages } from "../code/languages";
import { choice, defineState, type NumberRow, number, type Row, words } from "../core/state";
import { exampleNames, type Kind, kinds } from "./protocol";

/** Where the value of a field goes: to what is said of values or samples, to a plan, or beside a config. */
export type Place = "values" | "samples" | "plan" | "config";

/** An option of `diagnose` that has a field: the row that holds it, the words to choose from, and what kinds have it. */
export interface Field {
  readonly of: Place;
  readonly kinds: readonly Kind[];
  readonly row: NumberRow | Row<string>;
  readonly names?: readonly string[];
}

const oneOf = (key: string, names: readonly string[]) => ({ row: choice(key, names), names });

const vectors: readonly Kind[] = ["rotation", "outputs"];
const angles: readonly Kind[] = [...vectors, "cache", "cosSin", "frequencies"];
const values: readonly Kind[] = [...angles, "table", "bias"];
const presets = [
  ...["qwen2-vl", "qwen2.5-vl", "qwen3-vl", "glm4v", "qwen2.5-omni", "qwen3-omni"],
  ...["ernie4.5-vl", "bailing", "hunyuan-vl"],
];

/** All fields, by the names of their options. */
export const fields = {
  dtype: { of: "values", kinds: values, ...oneOf("dtype", ["none", "float32", "float16", "bfloat16"]) },
  quantized: { of: "values", kinds: values, ...oneOf("quantized", ["none", "q8_0", "fp8-e4m3", "fp8-e5m2"]) },
  seqAxis: { of: "samples", kinds: vectors, row: number("axis", -1, -1, 7, true) },
  dim: { of: "plan", kinds: [...angles, "table"], row: number("xdim", 128, 2, 65536, true) },
  rotaryDim: { of: "plan", kinds: angles, row: number("xrotated", 128, 2, 65536, true) },
  base: { of: "plan", kinds: [...angles, "table"], row: number("xbase", 10000, 1e-6, 1e15) },
  layout: { of: "plan", kinds: vectors, ...oneOf("xlayout", ["half", "interleaved"]) },
  type: { of: "plan", kinds: ["bias"], ...oneOf("xbias", ["alibi", "t5"]) },
  preset: { of: "plan", kinds: ["ids"], ...oneOf("xids", presets) },
  layer: { of: "config", kinds, row: number("xlayer", -1, -1, 1023, true) },
  length: { of: "config", kinds, row: number("xlength", 0, 0, 2 ** 30, true) },
} satisfies Readonly<Record<string, Field>>;

/** Their rows, by names that no row of the other pages has. */
const rows = Object.fromEntries(Object.entries(fields).map(([name, { row }]) => [`${name}Field`, row]));

export const state = defineState({
  sample: choice("sample", [...exampleNames, "own"]),
  kind: choice("kind", kinds),
  expectation: choice("expect", ["none", "plan", "config"]),
  config: words("xconfig", "", 8000),
  explanation: number("rank", 1, 1, 16, true),
  drawnPair: number("drawn", -1, -1, 511, true),
  codeLanguage: choice("code", codeLanguages),
});
/** All that the link holds. */
export const linked: readonly Row[] = Object.values(defineState({ ...rows, ...state }));

/** The fields of a place that the present kind has. */
export const fieldsOf = (place: Place): [string, Field][] =>
  Object.entries<Field>(fields).filter(([, { of, kinds }]) => of === place && kinds.includes(state.kind.value));

/** Their values as options. Outside of a plan the value that a field begins with says nothing. */
export const optionsOf = (place: Place): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    fieldsOf(place).flatMap(([name, { row }]) =>
      place === "plan" || row.value !== row.initial ? [[name, row.value]] : [],
    ),
  );
