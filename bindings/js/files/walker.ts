// Walks a file from its first byte on, of which only what is looked at is read.

import * as expected from "../base/expected.js";
import { type Section, wrongFile } from "./section.js";

/** So many bytes are read at a time: few where something was passed over, more the longer nothing is. */
const [leastStep, mostStep] = [2 ** 12, 2 ** 20];

const decoder = new TextDecoder("utf-8", { fatal: true });

export class Walker {
  #view = new DataView(new ArrayBuffer(0));
  #from = 0;
  #next = 0;
  #step = leastStep;

  /** `most` is the last place that is read. */
  constructor(
    readonly section: Section,
    readonly most: number,
  ) {}

  /** Where the next byte is, in the file. */
  get place(): number {
    return this.#from + this.#next;
  }

  fail(sentence: string): RangeError {
    return wrongFile(this.section.name, sentence);
  }

  /** Whether so many bytes are there to be read. */
  has(bytes: number): boolean {
    return this.#next + bytes <= this.#view.byteLength;
  }

  /** Makes so many bytes there to be read. */
  async need(bytes: number): Promise<void> {
    if (this.has(bytes)) return;
    const [{ name, size }, from] = [this.section, this.place];
    if (from + bytes > size) throw wrongFile(name, expected.file_truncated, { bytes: size, size: from + bytes });
    if (from + bytes > this.most) throw this.fail(`a header of more than ${this.most} bytes, expected at most that`);
    this.#step = this.#next > this.#view.byteLength ? leastStep : Math.min(mostStep, 2 * this.#step);
    this.#view = new DataView(await this.section.read(from, Math.min(size, from + Math.max(bytes, this.#step))));
    this.#from = from;
    this.#next = 0;
  }

  skip(bytes: number): void {
    const to = this.place + bytes;
    const { name, size } = this.section;
    if (to > size) throw wrongFile(name, expected.file_truncated, { bytes: size, size: to });
    this.#next += bytes;
  }

  /** A value that is there, unless the file has no more. */
  take<Value>(bytes: number, read: (view: DataView, at: number) => Value): Value {
    const at = this.#next;
    this.skip(bytes);
    return read(this.#view, at);
  }

  uint32(): number {
    return this.take(4, (view, at) => view.getUint32(at, true));
  }

  /** A name that is there, in UTF-8. */
  utf8(length: number, what: string): string {
    const bytes = this.take(length, (view, at) => new Uint8Array(view.buffer, at, length));
    try {
      return decoder.decode(bytes);
    } catch {
      throw this.fail(`${what} that is no UTF-8, expected a name`);
    }
  }

  /** Passes over texts, each behind its length in 64 bits: a hundred thousand, without waiting for each. */
  async skipTexts(count: number): Promise<void> {
    for (let left = count; left > 0; --left) {
      if (!this.has(8)) await this.need(8);
      const low = this.#view.getUint32(this.#next, true);
      const length = low + this.#view.getUint32(this.#next + 4, true) * 2 ** 32;
      this.#next += 8;
      if (this.has(length)) this.#next += length;
      else this.skip(length);
    }
  }
}
