#include "posenc/learned/table_init.hpp"

#include <algorithm>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/philox.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"

namespace posenc {
namespace {

using Batch = xsimd::batch<double>;

/// Values made at a time: the words of four counters twice, a pair for each angle that the phase kernel takes at once.
constexpr std::size_t pairs = Frequencies::dim_block, chunk_size = 2 * pairs, words_together = 16;
static_assert(chunk_size % words_together == 0);

struct RowIndex {
  std::uint64_t seed;
  std::uint64_t row;
};

constexpr std::uint32_t low_half(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }
constexpr std::uint32_t high_half(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }

/// ln x in double, for 0 < x < 1 that are not subnormal: the steps of scalar_maths.hpp's logarithm.
Batch logarithm(Batch x) {
  using Bits = xsimd::batch<std::uint64_t>;
  const Bits bits = xsimd::bitwise_cast<std::uint64_t>(x);
  // The exponent as the last bits of 2^52, and the mantissa in 1/2 ... 1.
  const Batch biased = xsimd::bitwise_cast<double>((bits >> 52) | Bits(0x4330000000000000));
  const Batch half = xsimd::bitwise_cast<double>((bits & Bits(0x000fffffffffffff)) | Bits(0x3fe0000000000000));
  const auto is_small = half < Batch(0.70710678118654752);
  const Batch mantissa = xsimd::select(is_small, half + half, half);
  const Batch exponent = (biased - Batch(0x1p52 + 1022)) - xsimd::select(is_small, Batch(1), Batch(0));
  const Batch s = (mantissa - Batch(1)) / (mantissa + Batch(1));
  const Batch square = s * s;
  Batch series(0);
  for (std::size_t k = 11; k >= 1; --k) series = square * (series + Batch(odd_reciprocals[k]));
  const Batch twice = Batch(2) * s;
  return exponent * Batch(ln_2.high) + (twice + (twice * series + exponent * Batch(ln_2.low)));
}

/// (word + 1/2) / 2^32, exact and in (0, 1): a word below the upper half of 2^52 is the double 2^52 + word.
void write_uniforms(const std::uint32_t (&words)[words_together], double* out) {
  using Words = xsimd::batch<std::uint32_t>;
  const auto write = [](Words halves, double* to) {
    const Batch whole = xsimd::bitwise_cast<double>(halves) - Batch(0x1p52);
    ((whole + Batch(0.5)) * Batch(0x1p-32)).store_unaligned(to);
  };
  for (std::size_t i = 0; i < words_together; i += Words::size) {
    const Words word = Words::load_unaligned(words + i), upper(0x43300000);
    write(xsimd::zip_lo(word, upper), out + i);
    write(xsimd::zip_hi(word, upper), out + i + Batch::size);
  }
}

/// The dimensions chunk * chunk_size on of a row, before the scale.
void write_chunk(const TableInit& init, const RowIndex& index, std::size_t chunk, double* values) {
  std::uint32_t words[words_together];
  for (std::size_t i = 0; i < chunk_size; i += words_together) {
    const auto block = static_cast<std::uint32_t>((chunk * chunk_size + i) / 4);
    write_philox({block, low_half(index.row), high_half(index.row), 0}, {low_half(index.seed), high_half(index.seed)},
                 words);
    write_uniforms(words, values + i);
  }
  if (init.distribution == TableDistribution::uniform) {
    for (std::size_t i = 0; i < chunk_size; i += Batch::size)
      (Batch(2) * Batch::load_unaligned(values + i) - Batch(1)).store_unaligned(values + i);
    return;
  }
  alignas(64) double radii[pairs], cycles[pairs], sines[pairs], cosines[pairs];
  for (std::size_t i = 0; i < pairs; ++i) {
    radii[i] = values[2 * i];
    cycles[i] = values[2 * i + 1];
  }
  sines_and_cosines(cycles, pairs, sines, cosines);
  for (std::size_t i = 0; i < pairs; i += Batch::size)
    xsimd::sqrt(Batch(-2) * logarithm(Batch::load_aligned(radii + i))).store_aligned(radii + i);
  for (std::size_t i = 0; i < pairs; ++i) {
    values[2 * i] = radii[i] * cosines[i];
    values[2 * i + 1] = radii[i] * sines[i];
  }
}

void write_row(const TableInit& init, std::uint64_t row, std::span<float> out) {
  const RowIndex index{static_cast<std::uint64_t>(init.seed), row};
  const Doubles zero{0.0, 0.0};
  for (std::size_t start = 0; start < out.size(); start += chunk_size) {
    double values[chunk_size];
    float rounded[chunk_size];
    write_chunk(init, index, start / chunk_size, values);
    const bool whole = start + chunk_size <= out.size();
    float* const to = whole ? out.data() + start : rounded;
    // + 0: a scale of 0 gives no -0.
    for (std::size_t i = 0; i < chunk_size; i += piece_size)
      (init.scale * Doubles::load(values + i) + zero).store(to + i);
    if (!whole) std::copy_n(rounded, out.size() - start, out.data() + start);
  }
}

Expected<void> check(const TableInit& init, std::int64_t first_row, std::size_t size) {
  auto checked = check_ranges(init);
  if (!checked && checked.error().argument == "std" && init.distribution == TableDistribution::uniform)
    checked.error().argument = "bound";
  if (!checked) return checked;
  POSENC_TRY(check_whole("offset", first_row, 0, max_position));
  if (size % static_cast<std::size_t>(init.dim) == 0) return {};
  return invalid_argument("out", static_cast<double>(size), expected::multiple_of_values, {init.dim});
}

}  // namespace

Expected<void> init_table(const TableInit& init, std::int64_t first_row, std::span<float> out) {
  POSENC_TRY(check(init, first_row, out.size()));
  const auto dim = static_cast<std::size_t>(init.dim);
  auto row = static_cast<std::uint64_t>(first_row);
  for (std::size_t start = 0; start < out.size(); start += dim, ++row) {
    const auto values = out.subspan(start, dim);
    if (init.padding_row && row == static_cast<std::uint64_t>(*init.padding_row))
      std::ranges::fill(values, 0.0f);
    else
      write_row(init, row, values);
  }
  return {};
}

}  // namespace posenc
