// Rotation of 16-bit values in plain JavaScript. A head is converted into a float32 row by a table of all 65,536 values,
// rotated there and converted back: float16 by tables of 512 exponents, bfloat16 by its bits; both to the nearest, ties
// to even.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

function float16Value(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function bfloat16Value(half) {
  bits[0] = half << 16;
  return float[0];
}

const tableOf = (value) => Float32Array.from({ length: 65536 }, (_, half) => value(half));

// By the sign and exponent of a float32: how far its 24 significant bits move right, and what is added to them then.
const shifts = new Uint8Array(512);
const bases = new Uint16Array(512);
for (let i = 0; i < 512; ++i) {
  const exponent = (i & 255) - 127;
  const sign = i & 256 ? 0x8000 : 0;
  if (exponent < -25) [shifts[i], bases[i]] = [31, sign];
  else if (exponent < -14) [shifts[i], bases[i]] = [-1 - exponent, sign];
  else if (exponent < 16) [shifts[i], bases[i]] = [13, sign + ((exponent + 14) << 10)];
  else [shifts[i], bases[i]] = [31, sign + 0x7c00];
}

/** The bits of a float32 (not NaN) as those of the nearest float16. */
function toFloat16(word) {
  const kind = word >>> 23;
  const shift = shifts[kind];
  const significant = (word & 0x7fffff) | 0x800000;
  const half = (1 << (shift - 1)) - 1 + ((significant >>> shift) & 1);
  return bases[kind] + ((significant + half) >>> shift);
}

/** The same for bfloat16. */
const toBfloat16 = (word) => (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;

/** A rotation of `seq` tokens of 16-bit values in place, lanes i and i + dim / 2, by cos and sin [seq, dim / 2]. */
function rotation(value, narrow) {
  const wide = tableOf(value);
  return (x, cos, sin, seq, heads, dim) => {
    const pairs = dim / 2;
    const row = new Float32Array(dim);
    const words = new Uint32Array(row.buffer);
    for (let token = 0, head = 0; token < seq; ++token) {
      const first = token * pairs;
      for (let h = 0; h < heads; ++h, head += dim) {
        for (let i = 0; i < pairs; ++i) {
          const a = wide[x[head + i]];
          const b = wide[x[head + pairs + i]];
          const c = cos[first + i];
          const s = sin[first + i];
          row[i] = a * c - b * s;
          row[pairs + i] = a * s + b * c;
        }
        for (let i = 0; i < dim; ++i) x[head + i] = narrow(words[i]);
      }
    }
  };
}

export const rotateFloat16 = rotation(float16Value, toFloat16);
export const rotateBfloat16 = rotation(bfloat16Value, toBfloat16);
