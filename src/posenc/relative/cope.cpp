#include "posenc/relative/cope.hpp"

#include <algorithm>
#include <limits>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

/// Queries whose scores are computed together.
constexpr std::size_t block_rows = 64;

Expected<void> check_inputs(const RelativePositions& positions, const CopeInputs& in, std::size_t bias,
                            std::size_t counts) {
  const std::size_t heads = positions.heads();
  const std::size_t queries = positions.queries();
  const std::size_t keys = positions.keys();
  if (in.dim == 0 || in.embedding.empty() || in.embedding.size() % in.dim != 0)
    return wrong("embedding", static_cast<double>(in.embedding.size()), {"a multiple of dim (", decimal(in.dim), ")"});
  for (auto&& checked :
       {check_extents("query", in.query.size(), {heads, queries, in.dim}),
        check_extents("logits", in.logits.size(), {heads, queries, keys}),
        check_extents("bias", bias, {heads, queries, keys}), check_extents("counts", counts, {heads, queries, keys})})
    if (!checked) return checked;
  bool are_numbers = true;
  for (const float logit : in.logits) are_numbers &= logit == logit;
  if (are_numbers) return {};
  return wrong("logits", std::numeric_limits<double>::quiet_NaN(), {"numbers, or infinities"});
}

/// One query's row, whose keys from `seen` on are masked; its scores have one more behind the last position's.
void write_row(const double* gates, const double* scores, double most, std::size_t seen, std::size_t keys, float* bias,
               float* counts) {
  std::fill(bias + seen, bias + keys, -std::numeric_limits<float>::infinity());
  std::fill(counts + seen, counts + keys, 0.0f);
  double sum = 0;
  for (std::size_t j = seen; j-- > 0;) {
    sum += gates[j];
    const double position = sum < most ? sum : most;
    const auto index = static_cast<std::int32_t>(position);
    const double share = position - static_cast<double>(index), lower = scores[index], upper = scores[index + 1];
    const double between = upper * share + lower * (1 - share);
    counts[j] = static_cast<float>(position);
    bias[j] = static_cast<float>(share == 0 ? lower : between);
  }
}

}  // namespace

Expected<void> cope_bias(const RelativePositions& positions, const CopeInputs& in, std::span<float> bias,
                         std::span<float> counts) {
  if (auto checked = check_inputs(positions, in, bias.size(), counts.size()); !checked) return checked;
  const std::size_t keys = positions.keys(), dim = in.dim, rows = positions.heads() * positions.queries();
  if (bias.empty()) return {};
  const std::size_t embeddings = in.embedding.size() / dim;
  const std::size_t stride = embeddings + 1;
  auto panels = AlignedArray<double>::make_unfilled(panels_size<double>(dim, embeddings));
  if (!panels) return std::unexpected(panels.error());
  auto scores = AlignedArray<double>::make(std::min(rows, block_rows) * stride);
  if (!scores) return std::unexpected(scores.error());
  auto gates = AlignedArray<double>::make_unfilled(keys);
  if (!gates) return std::unexpected(gates.error());
  pack_panels<double>(dim, embeddings, transposed(row_major(in.embedding.data(), dim)), panels->data());
  for (std::size_t first = 0; first < rows; first += block_rows) {
    const std::size_t count = std::min(block_rows, rows - first);
    multiply_panels<double, float>(count, dim, embeddings, row_major(in.query.data() + first * dim, dim),
                                   panels->data(), scores->data(), stride, false);
    for (std::size_t at = first; at < first + count; ++at) {
      const std::size_t seen = in.future == Future::mask ? positions.keys_up_to(at % positions.queries()) : keys;
      std::copy_n(in.logits.data() + at * keys, seen, gates->data());
      sigmoids(gates->span().first(seen));
      write_row(gates->data(), scores->data() + (at - first) * stride, static_cast<double>(embeddings - 1), seen, keys,
                bias.data() + at * keys, counts.data() + at * keys);
    }
  }
  return {};
}

}  // namespace posenc
