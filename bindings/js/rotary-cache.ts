import type { FullModule } from "posenc-module";
import { options as checkOptions, flag, tensor, text, unwrap, wrongType, wrongValue } from "./check.js";
import { type Borrower, borrowForAll, type Loan } from "./memory.js";
import { lendNamedPositions, type PositionArguments, positionKeys } from "./positions.js";
import { ModuleRotary, rotaryOuts } from "./rotary.js";
import { rotateInPlace, rotationKeys, tokenPositions } from "./rotation.js";
import { dtypeIfGiven, resultsOf } from "./storage.js";
import type { AnyTensor, DType, OutOption, RotaryCacheOptions, RotateWithCacheOptions, Tensor } from "./types/index.js";

/** The module's cache of positions, in a form and a dtype. */
export function writeCache(
  module: FullModule,
  rotary: unknown,
  form: string,
  dtype: DType,
  options: Omit<RotaryCacheOptions, "rotary" | "form"> & OutOption<unknown>,
): { cosSin: AnyTensor } | { cos: AnyTensor; sin: AnyTensor } {
  const handle = () => ModuleRotary.addressOf(module, "rotary", rotary);
  const row = unwrap(module.rotaryCacheRow(handle(), form));
  const isShared = form === "ggml";
  const outs = isShared ? ["out.cosSin"] : rotaryOuts;
  return borrowForAll(module, options.out, outs, (memory) => {
    const { list, count, offset, shape: rows } = lendNamedPositions(memory, options);
    const batch = form.startsWith("huggingface") && rows.length === 1 ? [1] : [];
    const shape = [...batch, ...rows, row];
    const shapes = isShared ? [shape] : [shape, [...shape]];
    const write = ([c, s]: Loan[]) => {
      const out = [c?.address ?? 0, c?.length ?? 0, s?.address ?? 0, s?.length ?? 0] as const;
      return dtype === "float32"
        ? module.rotaryCacheIn(handle(), form, list, count, offset, ...out)
        : module.storedCache(handle(), dtype, form, list, count, offset, ...out);
    };
    const [cos, sin] = resultsOf(memory, dtype, shapes, "length * rotaryDim", write, outs);
    return (isShared ? { cosSin: cos } : { cos, sin }) as { cos: AnyTensor; sin: AnyTensor };
  });
}

export function rotaryCache(
  module: FullModule,
  options: RotaryCacheOptions & OutOption<unknown> & { dtype?: DType },
): ReturnType<typeof writeCache> {
  options = checkOptions(options, [...positionKeys, "rotary", "form", "dtype", "out"], "rotaryCache");
  const form = text("form", options.form, "the name of a form; it has no default");
  return writeCache(module, options.rotary, form, dtypeIfGiven(options.dtype), options);
}

/** The cache's arrays; with the form "ggml" one holds both. */
function arrays(options: RotateWithCacheOptions): { cos: Tensor; sin: Float32Array } {
  if (options.form !== "ggml") {
    const [cos, sin] = [tensor("cos", options.cos), tensor("sin", options.sin)];
    if (cos.shape.join() !== sin.shape.join()) throw wrongValue("sin.shape", sin.shape, `[${cos.shape.join(", ")}]`);
    return { cos, sin: sin.data };
  }
  return { cos: tensor("cosSin", options.cosSin), sin: new Float32Array() };
}

/** Which row each token takes: of a cache [batch, rows, …], row by row its own; otherwise as the options say. */
function rowsOf(options: RotateWithCacheOptions, [batch, rows]: number[]): (memory: Borrower) => PositionArguments {
  if (batch === undefined || rows === undefined || batch === 1) return tokenPositions(options);
  const named = options.positions ?? options.offset;
  if (named !== undefined) throw wrongType("positions", named, "nothing beside a cache of several batches");
  const data = Float64Array.from({ length: batch * rows }, (_, i) => i);
  return tokenPositions({ positions: { data, shape: [batch, rows] } });
}

export function rotateWithCache(module: FullModule, x: Float32Array, options: RotateWithCacheOptions): Float32Array {
  options = checkOptions(
    options as RotateWithCacheOptions & { cos?: Tensor; sin?: Tensor; cosSin?: Tensor },
    [
      ...rotationKeys,
      "layout",
      "form",
      "inverse",
      ...(options?.form === "ggml" ? ["cosSin" as const] : (["cos", "sin"] as const)),
    ],
    "rotateWithCache",
  );
  const layout = text("layout", options.layout, "the name of a layout; it has no default");
  const form = text("form", options.form, "the name of a form; it has no default");
  const inverse = flag("inverse", options.inverse ?? false);
  const { cos, sin } = arrays(options);
  const { length: rank } = cos.shape;
  if (rank !== 2 && rank !== 3) throw wrongValue("cos.shape", cos.shape, "two or three axes");
  const rotaryDim = (cos.shape[rank - 1] as number) * (form === "onnx" ? 2 : 1);
  return rotateInPlace(module, x, options, rowsOf(options, rank === 3 ? cos.shape : []), (lent, memory) => {
    const cosines = memory.floatsFrom(cos.data, "cos");
    const sines = memory.floatsFrom(sin, "sin");
    return module.rotateWithCache(
      form,
      layout,
      rotaryDim,
      cosines.address,
      cosines.length,
      sines.address,
      sines.length,
      lent.x.address,
      lent.x.length,
      lent.shape.address,
      lent.rank,
      lent.positions.address,
      inverse,
    );
  });
}
