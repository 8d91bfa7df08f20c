#include "posenc/relative/shaw.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/attention/attention_row.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/relative/shaw_id.hpp"

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

}  // namespace

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

Expected<void> shaw_ids(const RelativePositions& positions, std::int64_t max_distance, std::span<std::int32_t> out) {
  if (auto checked = check_max_distance(max_distance); !checked) return checked;
  if (auto checked = check_size("out", out.size(), positions.distances()); !checked) return checked;
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = static_cast<std::int32_t>(shaw_id(positions.distance(c), max_distance));
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

}  // namespace posenc
