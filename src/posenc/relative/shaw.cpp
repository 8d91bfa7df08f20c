#include "posenc/relative/shaw.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/attention/kernels/batched_backward.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/relative_attention.hpp"
#include "posenc/relative/kernels/table_term.hpp"

namespace posenc {
namespace {

Expected<void> check_max_distance(std::int64_t max_distance) {
  return check_whole("maxDistance", max_distance, 0, max_positions);
}

Expected<void> check_table(std::string_view argument, std::span<const float> table, std::int64_t max_distance,
                           std::size_t dim) {
  if (table.empty()) return {};
  return check_extents(argument, table.size(), {2 * static_cast<std::size_t>(max_distance) + 1, dim});
}

/// The checks that forward and backward share.
Expected<void> check_shaw(const RelativePositions& positions, const ShawInputs& in, std::size_t weights,
                          std::size_t output) {
  if (!std::isfinite(in.scale)) return invalid_argument("scale", in.scale, expected::finite);
  POSENC_TRY(check_max_distance(in.max_distance));
  const std::size_t heads = positions.heads();
  POSENC_TRY(check_table("keyTable", in.key_table, in.max_distance, in.dim));
  POSENC_TRY(check_table("valueTable", in.value_table, in.max_distance, in.value_dim));
  POSENC_TRY(check_wanted({{"weights", weights, {heads, positions.queries(), positions.keys()}}}));
  return check_arrays({{"query", in.query.size(), {heads, positions.queries(), in.dim}},
                       {"key", in.key.size(), {heads, positions.keys(), in.dim}},
                       {"value", in.value.size(), {heads, positions.keys(), in.value_dim}},
                       {"output", output, {heads, positions.queries(), in.value_dim}}});
}

Expected<void> check_gradients(const ShawInputs& in, const ShawGradients& gradients) {
  return check_wanted({{"gradients.query", gradients.query.size(), {in.query.size()}},
                       {"gradients.key", gradients.key.size(), {in.key.size()}},
                       {"gradients.value", gradients.value.size(), {in.value.size()}},
                       {"gradients.keyTable", gradients.key_table.size(), {in.key_table.size()}},
                       {"gradients.valueTable", gradients.value_table.size(), {in.value_table.size()}}});
}

template <class T>
Expected<void> attend_shaw(const RelativePositions& positions, const ShawInputs& in, std::span<float> weights,
                           std::span<float> output) {
  return attend_relative<T>(positions, in, weights, output,
                            [&](std::size_t rows) { return TableTerm<T>::make(positions, in, rows); });
}

template <class T>
Expected<void> attend_shaw_backward(const RelativePositions& positions, const ShawInputs& in,
                                    std::span<const float> d_output, const ShawGradients& gradients) {
  const BatchedAttentionShape shape = shape_of(positions, in);
  POSENC_TRY_LET(memory, d_output.empty() ? BackwardMemory<T>() : BackwardMemory<T>::make(shape, 0));
  POSENC_TRY_LET(term, TableTerm<T>::make(positions, in, memory.rows, &gradients));
  attend_backward<T>(shape, options_of(positions, in), {in.query, in.key, in.value}, memory, d_output,
                     {gradients.query, gradients.key, gradients.value}, &term);
  term.write_gradients(gradients);
  return {};
}

}  // namespace

Expected<void> shaw_ids(const RelativePositions& positions, std::int64_t max_distance, std::span<std::int32_t> out) {
  POSENC_TRY(check_max_distance(max_distance));
  POSENC_TRY(check_size("out", out.size(), positions.distances()));
  const auto first = static_cast<std::int32_t>(out.empty() ? 0 : positions.distance(0));
  const auto most = static_cast<std::int32_t>(max_distance);
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = std::clamp(first + static_cast<std::int32_t>(c), -most, most) + most;
  return {};
}

Expected<void> shaw_attention(const RelativePositions& positions, const ShawInputs& in, std::span<float> weights,
                              std::span<float> output) {
  POSENC_TRY(check_shaw(positions, in, weights.size(), output.size()));
  return in.precision == SumPrecision::exact ? attend_shaw<double>(positions, in, weights, output)
                                             : attend_shaw<float>(positions, in, weights, output);
}

Expected<void> shaw_backward(const RelativePositions& positions, const ShawInputs& in, std::span<const float> d_output,
                             const ShawGradients& gradients) {
  POSENC_TRY(check_shaw(positions, in, 0, d_output.size()));
  POSENC_TRY(check_gradients(in, gradients));
  return in.precision == SumPrecision::exact ? attend_shaw_backward<double>(positions, in, d_output, gradients)
                                             : attend_shaw_backward<float>(positions, in, d_output, gradients);
}

}  // namespace posenc
