#include "posenc/relative/cope.hpp"

#include <algorithm>
#include <limits>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// Queries whose scores are computed together.
constexpr std::size_t rows_together = 8;

Expected<void> check_inputs(const RelativePositions& positions, const CopeInputs& in, std::size_t bias,
                            std::size_t counts) {
  const std::size_t heads = positions.heads();
  const std::size_t queries = positions.queries();
  const std::size_t keys = positions.keys();
  if (in.dim == 0 || in.embedding.empty() || in.embedding.size() % in.dim != 0)
    return invalid_argument("embedding", static_cast<double>(in.embedding.size()), expected::multiple_of_dim, {in.dim});
  for (auto&& checked :
       {check_extents("query", in.query.size(), {heads, queries, in.dim}),
        check_extents("logits", in.logits.size(), {heads, queries, keys}),
        check_extents("bias", bias, {heads, queries, keys}), check_extents("counts", counts, {heads, queries, keys})})
    if (!checked) return checked;
  bool are_numbers = true;
  for (const float logit : in.logits) are_numbers &= logit == logit;
  if (are_numbers) return {};
  return invalid_argument("logits", std::numeric_limits<double>::quiet_NaN(), expected::not_nan);
}

using Doubles = xsimd::batch<double>;

/// Each gate becomes the sum of those from it on, at most `most`.
void count_gates(std::span<double> gates, double most) {
  double sum = 0;
  for (std::size_t j = gates.size(); j-- > 0;) {
    sum += gates[j];
    gates[j] = sum < most ? sum : most;
  }
}

/// Between the scores of the two positions next to each; behind the last one's is one more.
void write_row(std::span<const double> positions, const double* scores, float* bias, float* counts) {
  constexpr std::size_t together = 2 * Doubles::size;
  double copy[together] = {};
  for (std::size_t j = 0; j < positions.size(); j += together) {
    const std::size_t count = std::min(together, positions.size() - j);
    const double* const at = count < together ? copy : positions.data() + j;
    if (count < together) std::copy_n(positions.data() + j, count, copy);
    double lower[together], upper[together];
    for (std::size_t k = 0; k < together; ++k) {
      const double* const score = scores + static_cast<std::int32_t>(at[k]);
      lower[k] = score[0];
      upper[k] = score[1];
    }
    Doubles position[2], value[2];
    unrolled<2>([&](auto v) {
      position[v] = Doubles::load_unaligned(at + v * Doubles::size);
      const Doubles share = position[v] - xsimd::floor(position[v]);
      const Doubles low = Doubles::load_unaligned(lower + v * Doubles::size);
      const Doubles between = Doubles::load_unaligned(upper + v * Doubles::size) * share + low * (Doubles(1) - share);
      value[v] = canonical(xsimd::select(share == Doubles(0), low, between));
    });
    float rounded[2][together];
    const bool is_part = count < together;
    store_rounded(position, is_part ? rounded[0] : counts + j);
    store_rounded(value, is_part ? rounded[1] : bias + j);
    if (!is_part) continue;
    std::copy_n(rounded[0], count, counts + j);
    std::copy_n(rounded[1], count, bias + j);
  }
}

}  // namespace

Expected<void> cope_bias(const RelativePositions& positions, const CopeInputs& in, std::span<float> bias,
                         std::span<float> counts) {
  POSENC_TRY(check_inputs(positions, in, bias.size(), counts.size()));
  const std::size_t keys = positions.keys(), dim = in.dim, rows = positions.heads() * positions.queries();
  if (bias.empty()) return {};
  const std::size_t embeddings = in.embedding.size() / dim;
  const std::size_t stride = embeddings + 1;
  POSENC_TRY_LET(panels, AlignedArray<double>::make_unfilled(panels_size<double>(dim, embeddings)));
  POSENC_TRY_LET(scores, AlignedArray<double>::make(rows_together * stride));
  POSENC_TRY_LET(gates, AlignedArray<double>::make_unfilled(rows_together * keys));
  pack_panels<double>(dim, embeddings, transposed(row_major(in.embedding.data(), dim)), panels.data());
  for (std::size_t first = 0; first < rows; first += rows_together) {
    const std::size_t count = std::min(rows_together, rows - first);
    const auto row_of = [&](std::size_t at) {
      const std::size_t seen = in.future == Future::mask ? positions.keys_up_to(at % positions.queries()) : keys;
      return gates.span().subspan((at - first) * keys, seen);
    };
    double last = 0;
    for (std::size_t at = first; at < first + count; ++at) {
      const auto row = row_of(at);
      std::copy_n(in.logits.data() + at * keys, row.size(), row.data());
      sigmoids(row);
      count_gates(row, static_cast<double>(embeddings - 1));
      if (!row.empty()) last = std::max(last, row[0]);
    }
    // Scores of positions that none of these queries reaches are not computed.
    const std::size_t reached = std::min(embeddings, static_cast<std::size_t>(last) + 2);
    multiply_panels<double, float>(count, dim, reached, row_major(in.query.data() + first * dim, dim), panels.data(),
                                   scores.data(), stride, false);
    for (std::size_t at = first; at < first + count; ++at) {
      const auto row = row_of(at);
      write_row(row, scores.data() + (at - first) * stride, bias.data() + at * keys, counts.data() + at * keys);
      std::fill(bias.data() + at * keys + row.size(), bias.data() + (at + 1) * keys,
                -std::numeric_limits<float>::infinity());
      std::fill(counts.data() + at * keys + row.size(), counts.data() + (at + 1) * keys, 0.0f);
    }
  }
  return {};
}

}  // namespace posenc
