#include "posenc/relative/transformer_xl.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/position_term.hpp"
#include "posenc/relative/kernels/relative_attention.hpp"

namespace posenc {
namespace {

Expected<void> check_transformer_xl(const RelativePositions& positions, const TransformerXlInputs& in,
                                    std::size_t weights, std::size_t output) {
  if (!std::isfinite(in.scale)) return invalid_argument("scale", in.scale, expected::finite);
  const std::size_t heads = positions.heads();
  POSENC_TRY(check_wanted({{"weights", weights, {heads, positions.queries(), positions.keys()}}}));
  return check_arrays({{"query", in.query.size(), {heads, positions.queries(), in.dim}},
                       {"key", in.key.size(), {heads, positions.keys(), in.dim}},
                       {"value", in.value.size(), {heads, positions.keys(), in.value_dim}},
                       {"relative", in.relative.size(), {heads, positions.distances(), in.dim}},
                       {"contentBias", in.content_bias.size(), {heads, in.dim}},
                       {"positionBias", in.position_bias.size(), {heads, in.dim}},
                       {"output", output, {heads, positions.queries(), in.value_dim}}});
}

template <class T>
Expected<void> attend_transformer_xl(const RelativePositions& positions, const TransformerXlInputs& in,
                                     std::span<float> weights, std::span<float> output) {
  return attend_relative<T>(positions, in, weights, output,
                            [&](std::size_t rows) { return PositionTerm<T>::make(positions, in, rows); });
}

}  // namespace

Expected<void> relative_shift(std::size_t heads, std::size_t queries, std::size_t width, std::span<const float> x,
                              std::span<float> out) {
  POSENC_TRY(check_extents("x", x.size(), {heads, queries, width}));
  POSENC_TRY(check_size("out", out.size(), x.size()));
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
  POSENC_TRY(check_transformer_xl(positions, in, weights.size(), output.size()));
  return in.precision == SumPrecision::exact ? attend_transformer_xl<double>(positions, in, weights, output)
                                             : attend_transformer_xl<float>(positions, in, weights, output);
}

}  // namespace posenc
