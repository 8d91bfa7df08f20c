import * as expected from "../base/expected.js";
import { type Progress, type Section, wrongFile } from "./section.js";

/** So many packed bytes are read at a time. */
const step = 2 ** 16;

function unpacker(name: string): ReadableWritablePair<Uint8Array, BufferSource> {
  try {
    return new DecompressionStream("deflate-raw");
  } catch {
    throw wrongFile(name, expected.file_compressed);
  }
}

/** The `size` bytes that a deflated part announces: each read unpacks as far as it has to. */
export function inflated(packed: Section, size: number): Section {
  const { name } = packed;

  async function begin(to: number, progress: Progress): Promise<ArrayBuffer> {
    const { readable, writable } = unpacker(name);
    const [reader, writer] = [readable.getReader(), writable.getWriter()];
    const made = new Uint8Array(to);
    let [filled, isDone] = [0, false];
    let unread: { readonly error: unknown } | undefined;
    // Not a stream that is piped: not every engine would wait until what was unpacked is taken.
    async function feed() {
      for (let at = 0; at < packed.size && !isDone; at += step) {
        const bytes = await packed.read(at, Math.min(packed.size, at + step)).catch((error) => {
          unread = { error };
          throw error;
        });
        await writer.write(new Uint8Array(bytes));
      }
      await writer.close();
    }
    // The reader gets the error.
    feed().catch((error) => writer.abort(error).catch(() => {}));
    const next = () =>
      reader.read().catch((error) => {
        if (unread) throw unread.error;
        throw wrongFile(name, `cannot be decompressed (${error.message})`);
      });
    try {
      // At its end it has to have no more.
      while (filled < to || to === size) {
        const { done, value } = await next();
        if (done) break;
        if (filled + value.length > size) throw wrongFile(name, `more than the ${size} bytes that it announces`);
        const part = value.subarray(0, to - filled);
        made.set(part, filled);
        filled += part.length;
        progress(filled / to);
      }
    } finally {
      isDone = true;
      await reader.cancel().catch(() => {});
    }
    if (filled < to) throw wrongFile(name, `${filled} bytes, expected the ${size} that it announces`);
    return made.buffer;
  }

  return {
    name,
    size,
    read: async (from, to) => (await begin(to, () => {})).slice(from),
    async held(progress) {
      const all = await begin(size, progress);
      return { name, size, read: async (from, to) => all.slice(from, to) };
    },
  };
}
