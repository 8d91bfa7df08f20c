#include "posenc/relative/transformer_xl.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

/// Sum of (a + bias) * b: the sum of two floats is exact in double unless one is 2^29 times the other.
double biased_dot(const float* a, const float* bias, const float* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += (static_cast<double>(a[i]) + static_cast<double>(bias[i])) * static_cast<double>(b[i]);
  return sum;
}

Expected<void> check_inputs(const RelativePositions& positions, const TransformerXlInputs& in, std::size_t weights,
                            std::size_t output) {
  if (!std::isfinite(in.scale)) return wrong("scale", in.scale, {"a finite number"});
  const std::size_t heads = positions.heads();
  for (auto&& checked : {check_extents("query", in.query.size(), {heads, positions.queries(), in.dim}),
                         check_extents("key", in.key.size(), {heads, positions.keys(), in.dim}),
                         check_extents("value", in.value.size(), {heads, positions.keys(), in.value_dim}),
                         check_extents("relative", in.relative.size(), {heads, positions.distances(), in.dim}),
                         check_extents("contentBias", in.content_bias.size(), {heads, in.dim}),
                         check_extents("positionBias", in.position_bias.size(), {heads, in.dim}),
                         check_extents("weights", weights, {heads, positions.queries(), positions.keys()}),
                         check_extents("output", output, {heads, positions.queries(), in.value_dim})})
    if (!checked) return checked;
  return {};
}

}  // namespace

Expected<void> relative_shift(std::size_t heads, std::size_t queries, std::size_t width, std::span<const float> x,
                              std::span<float> out) {
  if (auto checked = check_extents("x", x.size(), {heads, queries, width}); !checked) return checked;
  if (auto checked = check_size("out", out.size(), x.size()); !checked) return checked;
  if (x.empty()) return {};
  // Every row behind its zero, in order; the first ones fall away.
  const std::size_t matrix = queries * width;
  for (std::size_t first = 0; first < x.size(); first += matrix) {
    std::size_t row = queries / (width + 1), column = queries % (width + 1);
    for (float* to = out.data() + first; row < queries; ++row, column = 0) {
      if (column == 0) *to++ = 0;
      const std::size_t begin = column == 0 ? 0 : column - 1;
      to = std::copy_n(x.data() + first + row * width + begin, width - begin, to);
    }
  }
  return {};
}

Expected<void> transformer_xl_attention(const RelativePositions& positions, const TransformerXlInputs& in,
                                        std::span<float> weights, std::span<float> output) {
  if (auto checked = check_inputs(positions, in, weights.size(), output.size()); !checked) return checked;
  const std::size_t keys = positions.keys();
  auto row = AlignedArray<double>::make(keys);
  if (!row) return std::unexpected(row.error());

  for (std::size_t at = 0; at < positions.heads() * positions.queries(); ++at) {
    const std::size_t h = at / positions.queries();
    const std::size_t i = at % positions.queries();
    const float* const query = in.query.data() + at * in.dim;
    const float* const key = in.key.data() + h * keys * in.dim;
    const std::size_t first = h * positions.distances() + positions.compact_row(i);
    const std::size_t seen = in.future == Future::mask ? positions.keys_up_to(i) : keys;
    std::ranges::fill(row->span(), masked_score);
    for (std::size_t j = 0; j < seen; ++j)
      (*row)[j] = in.scale * (biased_dot(query, in.content_bias.data() + h * in.dim, key + j * in.dim, in.dim) +
                              biased_dot(query, in.position_bias.data() + h * in.dim,
                                         in.relative.data() + (first + j) * in.dim, in.dim));
    softmax(row->span());
    round_to(row->span(), weights.data() + at * keys);
    for (std::size_t v = 0; v < in.value_dim; ++v)
      output[at * in.value_dim + v] =
          static_cast<float>(weighted_sum(row->span(), in.value.data(), h * keys * in.value_dim + v, in.value_dim));
  }
  return {};
}

}  // namespace posenc
