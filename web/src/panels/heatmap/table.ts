import type { Posenc } from "posenc";
import type { Encoding, TableOptions } from "./encoding";

/** The table of an encoding, kept until the state asks for another one. */
export class Table {
  data: Float32Array = new Float32Array(0);
  /** The absolute value that gets the strongest colour: cosines at position 0 are as large as that. */
  most = 1;
  /** What it was made with; another object for another table. */
  madeWith: TableOptions | undefined;

  constructor(
    private readonly pe: Posenc,
    private readonly encoding: Encoding,
  ) {}

  /** Makes it anew where the state has gone on since; whether it had to. */
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
