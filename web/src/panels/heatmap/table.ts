import type { Posenc } from "posenc";
import type { Encoding, TableOptions } from "./encoding";

/** The table of the encoding, made again when the state asks for another one. */
export class Table {
  data: Float32Array = new Float32Array(0);
  /** The absolute value that gets the strongest colour: cosines at position 0 are as large as that. */
  most = 1;
  /** The options it was made with; a new object for every new table. */
  madeWith: TableOptions | undefined;

  constructor(
    private readonly pe: Posenc,
    private readonly encoding: Encoding,
  ) {}

  /** Makes it again if the state has changed since; returns whether it had. */
  make(): boolean {
    const options = this.encoding.options.value;
    if (options === this.madeWith) return false;
    const size = options.length * options.dim;
    const out = this.data.length === size ? this.data : new Float32Array(size);
    this.data = this.pe.sinusoidal({ ...options, out }).data;
    this.most = Math.fround(this.encoding.plan.value.amplitude);
    this.madeWith = options;
    return true;
  }
}
