// The sinusoidal table as a plain loop of vectors, with all set-up.

#include <wasm_simd128.h>

#include <cmath>
#include <cstddef>
#include <cstring>

namespace {

constexpr std::size_t reach = 16, block = 2 * reach + 1, reseed = 32, most = 512;  // frequencies

double frequency[most];
double sines[2][most], cosines[2][most], twice[most];       // two centres of the recurrence
double fine_sines[reach][most], fine_cosines[reach][most];  // of b = 1 ... reach
float centre[2 * most], swapped[2 * most];                  // F and F'
float pairs[reach / 2][2 * most / 4][16];                   // cos b, +-sin b of two b in the order they are read
float tile[1 << 17];

v128_t splat(double x) { return wasm_f64x2_splat(x); }

template <std::size_t n>
v128_t polynomial(v128_t x, const double (&c)[n]) {
  v128_t value = splat(c[n - 1]);
  for (std::size_t k = n - 1; k > 0; --k) value = wasm_f64x2_add(wasm_f64x2_mul(value, x), splat(c[k - 1]));
  return value;
}

constexpr double sine_terms[]{1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800};
constexpr double cosine_terms[]{1,           -0.5,           1.0 / 24,        -1.0 / 720,
                                1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200};

/// Computes the functions of two angles, by Cody and Waite's reduction.
void sine_cosine(v128_t x, double* sine, double* cosine) {
  const v128_t n = wasm_f64x2_nearest(wasm_f64x2_mul(x, splat(0.63661977236758138)));
  v128_t r = wasm_f64x2_sub(x, wasm_f64x2_mul(n, splat(1.5707963267341256)));
  r = wasm_f64x2_sub(r, wasm_f64x2_mul(n, splat(6.0771005063039081e-11)));
  r = wasm_f64x2_sub(r, wasm_f64x2_mul(n, splat(2.0222662487959506e-21)));
  const v128_t square = wasm_f64x2_mul(r, r);
  const v128_t s = wasm_f64x2_mul(r, polynomial(square, sine_terms)), c = polynomial(square, cosine_terms);
  // The quadrant is in the lowest bits of n + 1.5 * 2^52.
  const v128_t quadrant = wasm_f64x2_add(n, splat(6755399441055744.0));
  const v128_t odd = wasm_i64x2_neg(wasm_v128_and(quadrant, wasm_i64x2_splat(1)));
  const v128_t sine_sign = wasm_i64x2_shl(wasm_v128_and(quadrant, wasm_i64x2_splat(2)), 62);
  const v128_t next = wasm_i64x2_add(quadrant, wasm_i64x2_splat(1));
  const v128_t cosine_sign = wasm_i64x2_shl(wasm_v128_and(next, wasm_i64x2_splat(2)), 62);
  wasm_v128_store(sine, wasm_v128_xor(wasm_v128_bitselect(c, s, odd), sine_sign));
  wasm_v128_store(cosine, wasm_v128_xor(wasm_v128_bitselect(s, c, odd), cosine_sign));
}

void angles(double position, std::size_t count, double* sine, double* cosine) {
  for (std::size_t i = 0; i < count; i += 2)
    sine_cosine(wasm_f64x2_mul(splat(position), wasm_v128_load(frequency + i)), sine + i, cosine + i);
}

/// x_{k+1} = 2 cos(w) x_k - x_{k-1}, written over x_{k-1}.
void step(const double* twice_cosine, std::size_t count, const double* now, double* before) {
  for (std::size_t i = 0; i < count; i += 2)
    wasm_v128_store(before + i,
                    wasm_f64x2_sub(wasm_f64x2_mul(wasm_v128_load(twice_cosine + i), wasm_v128_load(now + i)),
                                   wasm_v128_load(before + i)));
}

void prepare(std::size_t count, bool exact) {
  // A two-level product of powers.
  const double per_index = -std::log(10000.0) / static_cast<double>(count);
  double ones[16];
  for (std::size_t k = 0; k < 16; ++k) ones[k] = std::exp(per_index * static_cast<double>(k));
  for (std::size_t i = 0; i < count; i += 16) {
    const double first = std::exp(per_index * static_cast<double>(i));
    for (std::size_t k = 0; k < 16 && i + k < count; ++k) frequency[i + k] = first * ones[k];
  }
  angles(1, count, fine_sines[0], fine_cosines[0]);
  for (std::size_t i = 0; i < count; i += 2) {
    const v128_t two = wasm_f64x2_mul(wasm_v128_load(fine_cosines[0] + i), splat(2));
    v128_t s_before = splat(0), c_before = splat(1);
    v128_t s = wasm_v128_load(fine_sines[0] + i), c = wasm_v128_load(fine_cosines[0] + i);
    for (std::size_t b = 1; b < reach; ++b) {
      const v128_t s_next = wasm_f64x2_sub(wasm_f64x2_mul(two, s), s_before);
      const v128_t c_next = wasm_f64x2_sub(wasm_f64x2_mul(two, c), c_before);
      s_before = s, c_before = c, s = s_next, c = c_next;
      wasm_v128_store(fine_sines[b] + i, s);
      wasm_v128_store(fine_cosines[b] + i, c);
    }
  }
  angles(block, count, sines[0], cosines[0]);
  for (std::size_t i = 0; i < count; ++i) twice[i] = 2 * cosines[0][i];
  if (exact) return;
  for (std::size_t b = 0; b < reach; ++b)
    for (std::size_t i = 0; i < count; i += 2) {
      const v128_t c = wasm_f32x4_demote_f64x2_zero(wasm_v128_load(fine_cosines[b] + i));
      const v128_t s = wasm_f32x4_demote_f64x2_zero(wasm_v128_load(fine_sines[b] + i));
      float* const to = pairs[b / 2][i / 2] + b % 2 * 8;
      wasm_v128_store(to, wasm_i32x4_shuffle(c, c, 0, 0, 1, 1));
      wasm_v128_store(to + 4, wasm_f32x4_mul(wasm_i32x4_shuffle(s, s, 0, 0, 1, 1), wasm_f32x4_make(1, -1, 1, -1)));
    }
}

template <std::size_t n, class Use>
[[gnu::always_inline]] inline void repeat(const Use& use) {
#pragma clang loop unroll(full)
  for (std::size_t k = 0; k < n; ++k) use(k);
}

/// Two pairs of rows in one pass: plus and minus b, plus and minus b + 1.
void rows_fast(std::size_t dim, const float (*table)[16], float* plus, float* minus) {
  for (std::size_t i = 0; i < dim; i += 16)
    repeat<4>([&](std::size_t k) {
      const std::size_t at = i + 4 * k;
      const float* const t = table[at / 4];
      const v128_t f = wasm_v128_load(centre + at), g = wasm_v128_load(swapped + at);
      const v128_t u = wasm_f32x4_mul(f, wasm_v128_load(t)), v = wasm_f32x4_mul(g, wasm_v128_load(t + 4));
      const v128_t u2 = wasm_f32x4_mul(f, wasm_v128_load(t + 8)), v2 = wasm_f32x4_mul(g, wasm_v128_load(t + 12));
      wasm_v128_store(plus + at, wasm_f32x4_add(u, v));
      wasm_v128_store(minus + at, wasm_f32x4_sub(u, v));
      wasm_v128_store(plus + dim + at, wasm_f32x4_add(u2, v2));
      wasm_v128_store(minus - dim + at, wasm_f32x4_sub(u2, v2));
    });
}

void store(v128_t sine, v128_t cosine, float* to) {
  wasm_v128_store(
      to, wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(sine), wasm_f32x4_demote_f64x2_zero(cosine), 0, 4, 1, 5));
}

void rows_exact(std::size_t dim, const double* sine, const double* cosine, std::size_t b, float* plus, float* minus) {
  for (std::size_t i = 0; i < dim / 2; i += 8)
    repeat<4>([&](std::size_t k) {
      const std::size_t at = i + 2 * k;
      const v128_t s = wasm_v128_load(sine + at), c = wasm_v128_load(cosine + at);
      repeat<2>([&](std::size_t n) {
        const v128_t fs = wasm_v128_load(fine_sines[b + n] + at), fc = wasm_v128_load(fine_cosines[b + n] + at);
        const v128_t sc = wasm_f64x2_mul(s, fc), cs = wasm_f64x2_mul(c, fs);
        const v128_t cc = wasm_f64x2_mul(c, fc), ss = wasm_f64x2_mul(s, fs);
        store(wasm_f64x2_add(sc, cs), wasm_f64x2_sub(cc, ss), plus + n * dim + 2 * at);
        store(wasm_f64x2_sub(sc, cs), wasm_f64x2_add(cc, ss), minus - n * dim + 2 * at);
      });
    });
}

/// The rows around a centre: `middle` is its own.
void write_block(std::size_t dim, const double* sine, const double* cosine, bool exact, float* middle) {
  for (std::size_t i = 0; i < dim / 2; i += 2) {
    const v128_t s = wasm_f32x4_demote_f64x2_zero(wasm_v128_load(sine + i));
    const v128_t c = wasm_f32x4_demote_f64x2_zero(wasm_v128_load(cosine + i));
    const v128_t f = wasm_i32x4_shuffle(s, c, 0, 4, 1, 5);
    wasm_v128_store(middle + 2 * i, f);
    wasm_v128_store(centre + 2 * i, f);
    wasm_v128_store(swapped + 2 * i, wasm_i32x4_shuffle(s, c, 4, 0, 5, 1));
  }
  for (std::size_t b = 0; b < reach; b += 2) {
    float* const plus = middle + (b + 1) * dim;
    float* const minus = middle - (b + 1) * dim;
    if (exact)
      rows_exact(dim, sine, cosine, b, plus, minus);
    else
      rows_fast(dim, pairs[b / 2], plus, minus);
  }
}

}  // namespace

extern "C" {

/// Writes [rows, dim] of positions 0, 1, ..., interleaved, base 10000; dim a multiple of 16, at most 1024. `exact`:
/// doubles inside, rounded once.
[[clang::export_name("table")]] void table(float* out, std::size_t rows, std::size_t dim, bool exact) {
  const std::size_t count = dim / 2;
  prepare(count, exact);
  const bool tiled = rows * dim * sizeof(float) >= std::size_t{24} << 20;
  const std::size_t blocks = tiled ? (std::size_t{192} << 10) / (block * dim * sizeof(float)) : 1;
  const std::size_t tile_rows = (blocks == 0 ? 1 : blocks) * block;
  std::size_t pending = 0;  // rows of the tile
  for (std::size_t j = 0; j * block < rows; ++j) {
    const double position = static_cast<double>(j * block + reach);
    double* const sine = sines[j % 2];
    double* const cosine = cosines[j % 2];
    if (j % reseed < 2) {
      angles(position, count, sine, cosine);
    } else {
      step(twice, count, sines[1 - j % 2], sine);
      step(twice, count, cosines[1 - j % 2], cosine);
    }
    const std::size_t first = j * block, left = rows - first;
    if (!tiled && left >= block) {
      write_block(dim, sine, cosine, exact, out + (first + reach) * dim);
    } else {
      write_block(dim, sine, cosine, exact, tile + (pending + reach) * dim);
      pending += left < block ? left : block;
      if (pending == tile_rows || left <= block) {
        const std::size_t end = first + (left < block ? left : block);
        std::memcpy(out + (end - pending) * dim, tile, pending * dim * sizeof(float));
        pending = 0;
      }
    }
  }
  if (exact)
    for (std::size_t i = 0; i < dim; ++i) out[i] = static_cast<float>(i % 2);
}
}
