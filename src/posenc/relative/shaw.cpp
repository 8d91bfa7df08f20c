#include "posenc/relative/shaw.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

/// The tables' row for a relative position.
std::size_t shaw_id(std::int64_t distance, std::int64_t max_distance) {
  return static_cast<std::size_t>(std::clamp(distance, -max_distance, max_distance) + max_distance);
}

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
  if (!std::isfinite(in.scale)) return wrong("scale", in.scale, {"a finite number"});
  if (auto checked = check_max_distance(in.max_distance); !checked) return checked;
  const std::size_t heads = positions.heads();
  if (auto checked = check_table("keyTable", in.key_table, in.max_distance, in.dim); !checked) return checked;
  if (auto checked = check_table("valueTable", in.value_table, in.max_distance, in.value_dim); !checked) return checked;
  return check_arrays({{"query", in.query.size(), {heads, positions.queries(), in.dim}},
                       {"key", in.key.size(), {heads, positions.keys(), in.dim}},
                       {"value", in.value.size(), {heads, positions.keys(), in.value_dim}},
                       {"weights", weights, {heads, positions.queries(), positions.keys()}},
                       {"output", output, {heads, positions.queries(), in.value_dim}}});
}

Expected<void> check_gradients(const ShawInputs& in, const ShawGradients& gradients) {
  return check_wanted({{"gradients.query", gradients.query.size(), {in.query.size()}},
                       {"gradients.key", gradients.key.size(), {in.key.size()}},
                       {"gradients.value", gradients.value.size(), {in.value.size()}},
                       {"gradients.keyTable", gradients.key_table.size(), {in.key_table.size()}},
                       {"gradients.valueTable", gradients.value_table.size(), {in.value_table.size()}}});
}

struct ShawSums {
  AlignedArray<double> query, key, value, key_table, value_table, row;

  static Expected<ShawSums> make(const RelativePositions& positions, const ShawInputs& in) {
    ShawSums sums;
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

Expected<void> shaw_ids(const RelativePositions& positions, std::int64_t max_distance, std::span<std::int32_t> out) {
  if (auto checked = check_max_distance(max_distance); !checked) return checked;
  if (auto checked = check_size("out", out.size(), positions.distances()); !checked) return checked;
  const auto first = static_cast<std::int32_t>(out.empty() ? 0 : positions.distance(0));
  const auto most = static_cast<std::int32_t>(max_distance);
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = std::clamp(first + static_cast<std::int32_t>(c), -most, most) + most;
  return {};
}

Expected<void> shaw_attention(const RelativePositions& positions, const ShawInputs& in, std::span<float> weights,
                              std::span<float> output) {
  if (auto checked = check_shaw(positions, in, weights.size(), output.size()); !checked) return checked;
  const std::size_t keys = positions.keys();
  auto row = AlignedArray<double>::make(keys);
  if (!row) return std::unexpected(row.error());

  for (std::size_t at = 0; at < positions.heads() * positions.queries(); ++at) {
    const std::size_t i = at % positions.queries();
    const std::size_t first_key = at / positions.queries() * keys;
    const float* const query = in.query.data() + at * in.dim;
    const auto id = [&](std::size_t j) {
      return shaw_id(positions.distance(positions.compact_row(i) + j), in.max_distance);
    };
    const std::size_t seen = in.future == Future::mask ? positions.keys_up_to(i) : keys;
    std::ranges::fill(row->span(), masked_score);
    for (std::size_t j = 0; j < seen; ++j) {
      double score = dot(query, in.key.data() + (first_key + j) * in.dim, in.dim);
      if (!in.key_table.empty()) score += dot(query, in.key_table.data() + id(j) * in.dim, in.dim);
      (*row)[j] = in.scale * score;
    }
    softmax(row->span());
    round_to(row->span(), weights.data() + at * keys);
    for (std::size_t v = 0; v < in.value_dim; ++v) {
      double sum = weighted_sum(row->span(), in.value.data(), first_key * in.value_dim + v, in.value_dim);
      for (std::size_t j = 0; j < (in.value_table.empty() ? 0 : seen); ++j)
        sum += (*row)[j] * static_cast<double>(in.value_table[id(j) * in.value_dim + v]);
      output[at * in.value_dim + v] = static_cast<float>(sum);
    }
  }
  return {};
}

Expected<void> shaw_backward(const RelativePositions& positions, const ShawInputs& in, std::span<const float> weights,
                             std::span<const float> d_output, const ShawGradients& gradients) {
  if (auto checked = check_shaw(positions, in, weights.size(), d_output.size()); !checked) return checked;
  if (auto checked = check_gradients(in, gradients); !checked) return checked;
  auto sums = ShawSums::make(positions, in);
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
