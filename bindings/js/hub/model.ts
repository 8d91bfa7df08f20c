// A model, which describes its positional encoding layer by layer, and a layer, which applies it.

import { type Owned, owned, Releasing, tieMethods } from "../base/buffer.js";
import { define, inputsFirst } from "../base/call.js";
import * as check from "../base/check.js";
import * as expected from "../base/expected.js";
import { taken } from "../base/json.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { current, refuseOverlap } from "../base/view.js";
import { positionFields, positionList, refuseOffset } from "../frequencies/positions.js";
import { checkIds } from "../grid/mrope.js";
import { axesFields, rotated } from "../rotary/rotary.js";
import type * as t from "../types/index.js";
import { packConfig, taking } from "./hub-config.js";

const outputFields = { ...axesFields, ...positionFields } satisfies is.FieldsOf<t.ModelOutputs>;

const temperatureFields = {
  ...outputFields,
  slope: is.number,
  shift: is.optional(is.number),
  period: is.number,
} satisfies is.FieldsOf<t.QueryTemperatureOptions>;

export const queryTemperature = inputsFirst(
  { name: "queryTemperature", inputs: { x: is.changed }, options: temperatureFields },
  refuseOffset,
  rotated,
);

const layerFields = {
  layout: is.optional(is.word()),
  length: is.optional(is.whole),
} satisfies is.FieldsOf<t.ModelLayerOptions>;

/** Makes a layer from the packed config, whatever a caller has changed in the model's object. */
export const layerMake = define(
  {
    name: "modelLayerMake",
    where: "layer",
    inputs: { ...taking.inputs, path: is.word(), index: is.whole },
    options: layerFields,
    answers: ["handle", "run", "axes"],
  },
  () => {},
  ({ run, ...made }, { index }, module) => ({ owned: owned(module, "layer", made), run, index }),
);

const layerHandle = is.handle<{ handle: number; axes: number }>();

/** Positions or, for models whose positions have several axes, ids: [axes, seq] or [axes, batch, seq]. */
const tokens: is.Kind<t.PositionList, is.ReadOf<{ of: typeof positionList }>["of"]> = {
  ...positionList,
  read(argument, list) {
    const view = is.shapedNumbers(argument, list);
    return view.shape.length === 3 ? view : positionList.read(argument, list as t.PositionList);
  },
};

const applyFields = {
  ...axesFields,
  keyShape: is.optional(is.extents),
  offset: is.optional(is.number),
  positions: is.optional(tokens),
} satisfies is.FieldsOf<t.ModelLayerApply>;

export const layerApply = define(
  {
    name: "modelLayerApply",
    where: "apply",
    inputs: { layer: layerHandle, q: is.changed, k: is.changed },
    options: applyFields,
  },
  (read) => {
    refuseOffset(read);
    const { layer, q, k, shape, keyShape, positions } = read;
    refuseOverlap("k", k, "q", q);
    if (positions) checkIds(layer.made, positions);
    const count = check.product(shape);
    if (keyShape || q.length !== count || k.length === count) return;
    const note = ` for shape ${check.shownShape(shape)}; keys of fewer heads have a keyShape`;
    throw check.wrongValue("k", k.length, expected.values, { count }, note);
  },
  (_, { q, k }, module) => ({ q: current(module, q), k: current(module, k) }),
);

export const layerOutputs = define(
  {
    name: "modelLayerOutputs",
    where: "applyToOutputs",
    inputs: { layer: layerHandle, x: is.changed },
    options: outputFields,
  },
  refuseOffset,
  rotated,
);

class ModuleModelLayer extends Releasing implements t.ModelLayer {
  declare readonly index: number;
  declare readonly layers: t.ModelLayers;
  readonly #owned: Owned;

  constructor(layer: Owned, known: { index: number; layers: t.ModelLayers }) {
    super();
    Object.assign(this, known);
    this.#owned = layer;
  }

  // The overloads of the published interface tie what is given back to what is given.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  apply(q: any, k: any, options: object): any {
    const { module } = this.#owned;
    const read = { q: check.plain(q), k: check.plain(k) };
    if (
      k === undefined ||
      (options === undefined && check.isObject(k) && !ArrayBuffer.isView(k) && !check.has(k, "data"))
    )
      throw check.wrongType("k", k, `${is.isTensor(read.q) ? "a tensor { data, shape }" : "a Float32Array"} of keys`);
    if (!is.isTensor(read.q) || !is.isTensor(read.k))
      return layerApply(module, options, { layer: this.#owned, ...read });
    const { shape: _, keyShape: __, ...others } = applyFields;
    const own = check.options(options, Object.keys(others) as never[], "apply");
    const shapes = { shape: is.shapeOf("q", read.q), keyShape: is.shapeOf("k", read.k) };
    layerApply(module, { ...own, ...shapes }, { layer: this.#owned, q: read.q.data, k: read.k.data });
    return { q, k };
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  applyToOutputs(x: any, options: object): any {
    return layerOutputs(this.#owned.module, options, { layer: this.#owned, x });
  }

  delete(): void {
    this.#owned.delete();
  }
}

/** A model as decoded from the core, without the members that the object adds. */
export type DecodedModel = Omit<t.Model, "layer" | "config">;

export const readModel = define(
  { name: "model", inputs: { ...taking.inputs, path: is.word() }, answers: taking.answers },
  () => {},
  (answers, { config, path }, module) => {
    const decode = taken(answers, module);
    return { shown: decode() as DecodedModel, decoded: decode() as DecodedModel, config, path };
  },
);

const isConfig = (value: unknown): value is Record<string, unknown> => check.isObject(value) && !check.isArray(value);

/** The config of a part. */
function partOf(whole: object, part: string): object {
  let config = whole as Record<string, unknown>;
  for (const key of part.split(".")) {
    const inner = check.has(config, key) ? config[key] : undefined;
    if (!isConfig(inner)) {
      const parts = Object.keys(config).filter((name) => isConfig(config[name]));
      throw check.wrongValue("part", part, `the path of an object in the config, of ${check.shownShape(parts)}`);
    }
    config = inner;
  }
  return config;
}

class ModuleModel {
  readonly #module: Module;
  readonly #config: unknown;
  readonly #path: string;
  readonly #decoded: DecodedModel;
  /** Defaults of its layers. */
  readonly #layout: t.ModelLayerOptions | undefined;

  constructor(
    module: Module,
    { shown, decoded, config, path }: ReturnType<typeof readModel>,
    given: object,
    layout: t.Layout | undefined,
  ) {
    for (const made of layout ? [shown, decoded] : []) {
      for (const { rotary } of made.plans) rotary.layout = layout as t.Layout;
      // How its type's layout is known is not how this one is.
      made.evidence = made.evidence.filter(({ trait }) => trait !== "layout");
    }
    Object.assign(this, shown);
    tieMethods(this);
    Object.defineProperty(this, "config", { value: given });
    this.#module = module;
    this.#config = config;
    this.#path = path;
    this.#decoded = decoded;
    this.#layout = layout && { layout };
  }

  /** The model as it was decoded, whatever a caller has changed in it since; undefined if it is no model. */
  static decodedOf(model: unknown): DecodedModel | undefined {
    return check.isObject(model) && #decoded in model ? model.#decoded : undefined;
  }

  /** What Node prints: all that is known takes a hundred lines. */
  [Symbol.for("nodejs.util.inspect.custom")](_: number, options: object, inspect: (of: object, how: object) => string) {
    const { type, encoding, mask, length } = this.#decoded;
    return `Model ${inspect({ type, encoding: encoding.type, mask, length }, options)}`;
  }

  layer(index: number, options?: t.ModelLayerOptions): t.ModelLayer {
    const given = this.#layout ? { ...this.#layout, ...options } : options;
    const { owned, run } = layerMake(this.#module, given, { config: this.#config, path: this.#path, index });
    return new ModuleModelLayer(owned, { index, layers: structuredClone(this.#decoded.layers[run]) as t.ModelLayers });
  }
}

export const knownModel = ModuleModel.decodedOf;

/** The decoded model of an argument. */
export function modelOf(argument: string, model: unknown): DecodedModel {
  const decoded = knownModel(model);
  if (!decoded) throw check.wrongType(argument, model, "what model() made");
  return decoded;
}

export function model(module: Module, given: object, options: t.ModelOptions = {}): t.Model {
  const { part, layout } = check.options<t.ModelOptions>(options, ["part", "layout"], "model");
  if (layout !== undefined && !/^(half|(de)?interleaved)$/.test(check.text("layout", layout)))
    throw check.wrongValue("layout", layout, expected.one_of, { names: "half, interleaved, deinterleaved" });
  const own = part === undefined || !check.isObject(given) ? given : partOf(given, check.text("part", part));
  // Code of the whole's own makes its parts, too, and a tower without a type is that of the whole's (Qwen2.5-VL's).
  const isOuter = (key: string) => !Object.is(own, given) && check.has(given, key) && !check.has(own, key); // NaN, too
  const outer = ["auto_map", ...(part?.endsWith("vision_config") ? ["model_type"] : [])].filter(isOuter);
  const inherited = Object.fromEntries(outer.map((key) => [key, given[key as never]]));
  const config = packConfig(outer.length > 0 ? { ...own, ...inherited } : own);
  const read = readModel(module, {}, { config, path: part === undefined ? "" : `${part}.` });
  for (const made of outer.includes("auto_map") ? [read.shown, read.decoded] : [])
    made.otherCode = made.otherCode.map((path) => (path === `${part}.auto_map` ? "auto_map" : path));
  return new ModuleModel(module, read, given, layout) as unknown as t.Model;
}
