import type { FullModule } from "posenc-module";
import { options as checkOptions, flag, number, text, unwrap } from "./check.js";
import { borrowFor, lendResult } from "./memory.js";
import { Owned, Releasing } from "./owned.js";
import { lendNamedPositions, positionKeys } from "./positions.js";
import { rotaryArguments, rotaryKeys } from "./rotary.js";
import { rotateInPlace, rotationKeys, tokenPositions } from "./rotation.js";
import type { Layout, OutOption, Positions, Tensor, Xpos, XposApplyOptions, XposOptions } from "./types/index.js";

class ModuleXpos extends Releasing implements Xpos {
  readonly dim: number;
  readonly rotaryDim: number;
  readonly layout: Layout;
  readonly attentionFactor: number;
  readonly #module: FullModule;
  readonly #owned: Owned;

  constructor(module: FullModule, options: XposOptions) {
    super();
    options = checkOptions(options, [...rotaryKeys, "centre", "scaleBase"], "xpos");
    const { dim, layout, centre, scaleBase = 512 } = options;
    const rotary = rotaryArguments(options);
    const middle = number("centre", centre);
    const handle = unwrap(module.xposMake(...rotary, middle, number("scaleBase", scaleBase)));
    this.#module = module;
    this.#owned = new Owned("xpos", handle, (address) => module.xposFree(address));
    this.dim = dim;
    this.layout = layout;
    this.rotaryDim = module.xposRotaryDim(handle);
    this.attentionFactor = module.xposAttentionFactor(handle);
  }

  apply(x: Float32Array, options: XposApplyOptions): Float32Array {
    options = checkOptions(options, [...rotationKeys, "side", "inverse"], "apply");
    const side = text("side", options.side, '"query" or "key"');
    const inverse = flag("inverse", options.inverse ?? false);
    return rotateInPlace(this.#module, x, options, tokenPositions(options), (lent) =>
      this.#module.xposApply(
        this.#owned.address,
        lent.x.address,
        lent.x.length,
        lent.shape.address,
        lent.rank,
        lent.positions.address,
        side,
        inverse,
      ),
    );
  }

  scales(positions: Positions & OutOption): Tensor {
    positions = checkOptions(positions, [...positionKeys, "out"], "scales");
    return borrowFor(this.#module, positions.out, (memory) => {
      const { list, count, offset } = lendNamedPositions(memory, positions);
      const handle = this.#owned.address;
      const out = lendResult(memory, [count, this.#module.xposRotaryDim(handle) / 2], "length * rotaryDim / 2");
      unwrap(this.#module.xposScales(handle, list, count, offset, out.address, out.length));
      return out.taken();
    });
  }

  delete(): void {
    this.#owned.delete();
  }
}

export function xpos(module: FullModule, options: XposOptions): Xpos {
  return new ModuleXpos(module, options);
}
