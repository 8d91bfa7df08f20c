#include <algorithm>
#include <utility>

#include "posenc/attention/attention_row.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/relative/shaw_id.hpp"

namespace posenc {
namespace {

Expected<void> check_gradients(const ShawInputs& in, const ShawGradients& gradients) {
  return check_wanted({{"gradients.query", gradients.query.size(), {in.query.size()}},
                       {"gradients.key", gradients.key.size(), {in.key.size()}},
                       {"gradients.value", gradients.value.size(), {in.value.size()}},
                       {"gradients.keyTable", gradients.key_table.size(), {in.key_table.size()}},
                       {"gradients.valueTable", gradients.value_table.size(), {in.value_table.size()}}});
}

struct Sums {
  AlignedArray<double> query, key, value, key_table, value_table, row;

  static Expected<Sums> make(const RelativePositions& positions, const ShawInputs& in) {
    Sums sums;
    for (const auto& [array, size] :
         {std::pair(&sums.query, in.dim), std::pair(&sums.key, positions.keys() * in.dim),
          std::pair(&sums.value, positions.keys() * in.value_dim), std::pair(&sums.key_table, in.key_table.size()),
          std::pair(&sums.value_table, in.value_table.size()), std::pair(&sums.row, positions.keys())}) {
      auto made = AlignedArray<double>::make(size);
      if (!made) return std::unexpected(made.error());
      *array = *std::move(made);
    }
    return sums;
  }

  /// What one query adds to the gradients.
  void add_query(const RelativePositions& positions, const ShawInputs& in, std::size_t at, const float* weights,
                 const float* d_out) {
    const std::size_t keys = positions.keys();
    const std::size_t compact_row = positions.compact_row(at % positions.queries());
    const float* const head_key = in.key.data() + at / positions.queries() * keys * in.dim;
    const float* const head_value = in.value.data() + at / positions.queries() * keys * in.value_dim;
    const auto id = [&](std::size_t j) { return shaw_id(positions.distance(compact_row + j), in.max_distance); };
    for (std::size_t j = 0; j < keys; ++j) {
      row[j] = 0;
      if (weights[j] == 0) continue;
      const auto weight = static_cast<double>(weights[j]);
      add_multiple(weight, d_out, value.span().subspan(j * in.value_dim, in.value_dim));
      row[j] = dot(d_out, head_value + j * in.value_dim, in.value_dim);
      if (in.value_table.empty()) continue;
      const std::size_t first = id(j) * in.value_dim;
      add_multiple(weight, d_out, value_table.span().subspan(first, in.value_dim));
      row[j] += dot(d_out, in.value_table.data() + first, in.value_dim);
    }
    softmax_gradient(weights, row.span());
    std::ranges::fill(query.span(), 0.0);
    for (std::size_t j = 0; j < keys; ++j) {
      if (weights[j] == 0) continue;
      const double d_score = in.scale * row[j];
      add_multiple(d_score, head_key + j * in.dim, query.span());
      add_multiple(d_score, in.query.data() + at * in.dim, key.span().subspan(j * in.dim, in.dim));
      if (in.key_table.empty()) continue;
      const std::size_t first = id(j) * in.dim;
      add_multiple(d_score, in.key_table.data() + first, query.span());
      add_multiple(d_score, in.query.data() + at * in.dim, key_table.span().subspan(first, in.dim));
    }
  }
};

/// Stores the sums where the gradient is wanted, and sets them to 0.
void hand_out(std::span<double> sums, std::span<float> out, std::size_t first) {
  if (!out.empty()) round_to(sums, out.data() + first);
  std::ranges::fill(sums, 0.0);
}

}  // namespace

Expected<void> shaw_backward(const RelativePositions& positions, const ShawInputs& in, std::span<const float> weights,
                             std::span<const float> d_output, const ShawGradients& gradients) {
  if (auto checked = check_shaw(positions, in, weights.size(), d_output.size()); !checked) return checked;
  if (auto checked = check_gradients(in, gradients); !checked) return checked;
  auto sums = Sums::make(positions, in);
  if (!sums) return std::unexpected(sums.error());
  const std::size_t queries = positions.queries();
  const std::size_t keys = positions.keys();
  for (std::size_t h = 0; h < positions.heads(); ++h) {
    for (std::size_t at = h * queries; at < (h + 1) * queries; ++at) {
      sums->add_query(positions, in, at, weights.data() + at * keys, d_output.data() + at * in.value_dim);
      hand_out(sums->query.span(), gradients.query, at * in.dim);
    }
    hand_out(sums->key.span(), gradients.key, h * keys * in.dim);
    hand_out(sums->value.span(), gradients.value, h * keys * in.value_dim);
  }
  hand_out(sums->key_table.span(), gradients.key_table, 0);
  hand_out(sums->value_table.span(), gradients.value_table, 0);
  return {};
}

}  // namespace posenc
