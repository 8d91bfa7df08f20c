// posenc frequencies: the frequencies by which a layer's queries and keys rotate.

import type * as t from "../../js/types/index.js";
import { filesOf, numberOf, output, planInPlaceOf, readArguments, texts } from "../arguments.js";
import { codes } from "../failure.js";
import { readModel } from "../files/config.js";
import { rotatingLayer } from "../files/layer.js";
import { print, printJson, printLines, short } from "../print.js";
import { finish, target } from "./arrays.js";

const words = {
  en: {
    layers: (layers: string) => `Layers ${layers}: `,
    rule: (type: string) => `, rule ${type}`,
    head: (count: number, dim: number, base: number, rule: string) =>
      `${count} of ${dim} dimensions rotate, base ${short(base)}${rule}.`,
    factor: (factor: number) => `Attention factor, of cosines and sines: ${short(factor)}.`,
    columns: ["pair", "inverse frequency", "wavelength"],
  },
  zh: {
    layers: (layers: string) => `第 ${layers} 层：`,
    rule: (type: string) => `，规则 ${type}`,
    head: (count: number, dim: number, base: number, rule: string) =>
      `${dim} 维中 ${count} 维做旋转，底数 ${short(base)}${rule}。`,
    factor: (factor: number) => `注意力因子（余弦和正弦所乘）：${short(factor)}。`,
    columns: ["对", "逆频率", "波长"],
  },
};

export async function frequencies(args: readonly string[], load: () => Promise<t.PosencTools>): Promise<number> {
  const given = readArguments(args, { ...output, ...texts("plan", "layer", "length") });
  const [config] = filesOf(given, 0, 1, "a config.json, or --plan");
  const file = given.flags.output === undefined ? undefined : target(given);
  const plan = planInPlaceOf(config, given);
  const pe = await load();
  const named = config === undefined ? undefined : rotatingLayer(given, await readModel(pe, config));
  const length = numberOf(given, "length");
  // A rotary checks all of what was given; its frequencies are the same in all layouts.
  const meant = { layout: "half", ...(named?.plan.rotary ?? plan), ...(length !== undefined && { length }) };
  const own = meant as t.RotaryOptions;
  const { rotaryDim, dim } = pe.rotary(own);
  const { layout: _, rotaryDim: __, ...rest } = own;
  const made = pe.frequencies({ ...rest, dim: rotaryDim });
  const wavelengths = made.data.map((frequency) => (2 * Math.PI) / frequency);
  const { attentionFactor, shape } = made;
  if (file !== undefined) {
    const tensors = {
      frequencies: { data: made.data, shape, dtype: "float64" },
      wavelengths: { data: wavelengths, shape, dtype: "float64" },
    };
    return finish(given, file, tensors, () => ({ data: made.data, shape }));
  }
  const { base = 10000, scaling } = own;
  const layers = named?.places ?? "";
  if (given.isJson) {
    const layer = named?.layer ?? null;
    printJson({ layer, layers, dim, rotaryDim, base, scaling, attentionFactor, frequencies: made.data, wavelengths });
    return codes.fine;
  }
  const say = words[given.language];
  const rule = scaling && scaling.type !== "default" ? say.rule(scaling.type) : "";
  print(`${layers === "" ? "" : say.layers(layers)}${say.head(rotaryDim, dim, base, rule)}`);
  print(say.factor(attentionFactor));
  const lines = Array.from(made.data, (frequency, i) => `${i}\t${frequency}\t${wavelengths[i]}`);
  printLines([say.columns.join("\t"), ...lines].join("\n"));
  return codes.fine;
}
