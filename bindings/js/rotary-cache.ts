import type { FullModule } from "posenc-module";
import { options as checkOptions, flag, product, tensor, text, unwrap, wrongType, wrongValue } from "./check.js";
import { type Borrower, borrow, type Loan } from "./memory.js";
import { lendNamedPositions, type PositionArguments, positionKeys } from "./positions.js";
import { ModuleRotary } from "./rotary.js";
import { rotateInPlace, rotationKeys, tokenPositions } from "./rotation.js";
import type { CacheForm, RotaryCache, RotaryCacheOptions, RotateWithCacheOptions, Tensor } from "./types/index.js";

export function rotaryCache<F extends CacheForm>(module: FullModule, options: RotaryCacheOptions<F>): RotaryCache<F> {
  checkOptions(options, [...positionKeys, "rotary", "form"], "rotaryCache");
  const form: string = text("form", options.form, "the name of a form; it has no default");
  const handle = ModuleRotary.addressOf("rotary", options.rotary);
  const row = unwrap(module.rotaryCacheRow(handle, form));
  const isShared = form === "ggml";
  return borrow(module, (memory) => {
    const { list, count, offset, shape: rows } = lendNamedPositions(memory, options);
    const batch = form.startsWith("huggingface") && rows.length === 1 ? [1] : [];
    const shape = [...batch, ...rows, row];
    const cos = memory.floats(product(shape), "length * rotaryDim");
    const sin = memory.floats(isShared ? 0 : cos.length, "length * rotaryDim");
    unwrap(module.rotaryCacheIn(handle, form, list, count, offset, cos.address, cos.length, sin.address, sin.length));
    const tensorOf = (loan: Loan): Tensor => ({ data: memory.viewFloats(loan).slice(), shape: [...shape] });
    const made: RotaryCache = isShared ? { cosSin: tensorOf(cos) } : { cos: tensorOf(cos), sin: tensorOf(sin) };
    return made as RotaryCache<F>;
  });
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
  checkOptions(
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
