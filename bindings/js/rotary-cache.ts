import type { FullModule } from "posenc-module";
import { options as checkOptions, flag, tensor, text, wrongType, wrongValue } from "./check.js";
import type { Borrower } from "./memory.js";
import type { PositionArguments } from "./positions.js";
import { rotateInPlace, rotationKeys, tokenPositions } from "./rotation.js";
import type { RotateWithCacheOptions, Tensor } from "./types/index.js";

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
