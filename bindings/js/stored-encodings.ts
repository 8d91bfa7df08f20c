import type { FullModule } from "posenc-module";
import { sinusoidalGrid } from "./axial_sinusoid.js";
import { convert } from "./storage.js";
import { storedSinusoidal } from "./stored-sinusoidal.js";
import type {
  AnyTensor,
  DType,
  HalfData,
  OutOption,
  PosencFull,
  SinusoidalGridOptions,
  SinusoidalOptions,
} from "./types/index.js";

interface DTypeOption {
  dtype?: DType;
}

/** What has a dtype. The overloads tie the result's type to it; one function serves them all. */
export function storedEncodings(module: FullModule): Pick<PosencFull, "sinusoidal" | "sinusoidalGrid" | "convert"> {
  return {
    sinusoidal: ((options: SinusoidalOptions & DTypeOption) =>
      storedSinusoidal(module, options)) as PosencFull["sinusoidal"],
    sinusoidalGrid: ((options: SinusoidalGridOptions & DTypeOption) =>
      sinusoidalGrid(module, options)) as PosencFull["sinusoidalGrid"],
    convert: ((x: AnyTensor, dtype: DType, options?: OutOption<Float32Array | HalfData>) =>
      convert(module, x, dtype, options)) as PosencFull["convert"],
  };
}
