#include "posenc/learning/encodings/parts/line_bias.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/learning/room.hpp"

namespace posenc::learning {
namespace {

/// Calls use(at, count, distance) for neighbouring pairs of a head's scores, of which the first stands at `at`: their
/// distances rise by one each. Masked pairs are left out.
template <class Use>
void for_runs(const Pass& pass, std::size_t sequence, const Use& use) {
  const std::size_t length = pass.shape.length;
  if (length == 0) return;
  const auto positions = pass.positions_of(sequence);
  const bool has_gaps = static_cast<std::size_t>(positions.back() - positions.front()) != length - 1;
  for (std::size_t query = 0; query < length; ++query) {
    const std::size_t keys = pass.keys_of(query), run = has_gaps ? 1 : keys;
    for (std::size_t key = 0; key < keys; key += run) use(query * length + key, run, positions[key] - positions[query]);
  }
}

}  // namespace

Expected<void> LineBias::reserve(const Reach& reach) {
  if (auto checked = check_whole("positions", reach.position, 0, max_positions - 1); !checked) return checked;
  const std::int64_t positions = std::int64_t{reach.position} + 1;
  const auto all = RelativePositions::make(
      {.heads = static_cast<std::int64_t>(reach.shape.heads), .queries = positions, .keys = positions});
  if (!all) return error_of(all);
  auto lines = AlignedArray<float>::make(array_size({all->heads(), all->distances()}));
  if (!lines) return error_of(lines);
  lines_ = *std::move(lines);
  distances_ = all->distances();
  return prepare(*all, lines_.span());
}

DistanceLines LineBias::lines_in(AlignedArray<float>& values, const Pass& pass) const {
  const std::int32_t largest = pass.largest_distance();
  return {zero_of(values, 0), distances_, -largest, pass.is_causal ? 0 : largest};
}

void LineBias::add_scores(const Pass& pass, const HeadPlace& place, const HeadRows& /*rows*/, float* scores) {
  const float* const line = zero_of(lines_, place.head);
  for_runs(pass, place.sequence, [&](std::size_t at, std::size_t count, std::int32_t distance) {
    posenc::add_values(count, scores + at, line + distance, scores + at);
  });
}

Expected<void> LearnedLineBias::prepare(const RelativePositions& /*all*/, std::span<float> lines) {
  auto d_lines = AlignedArray<float>::make(lines.size());
  if (!d_lines) return error_of(d_lines);
  d_lines_ = *std::move(d_lines);
  return {};
}

void LearnedLineBias::begin(const Pass& pass) {
  fill(pass, lines_in(lines(), pass));
  const DistanceLines d_lines = lines_in(d_lines_, pass);
  for (std::size_t head = 0; head < pass.shape.heads; ++head)
    std::fill(d_lines.of(head) + d_lines.least, d_lines.of(head) + d_lines.most + 1, 0.0f);
}

void LearnedLineBias::scores_gradient(const Pass& pass, const HeadPlace& place, const HeadRows& /*rows*/,
                                      float* d_scores, const HeadGradients& /*d_rows*/, float* /*gradients*/) {
  float* const line = zero_of(d_lines_, place.head);
  for_runs(pass, place.sequence, [&](std::size_t at, std::size_t count, std::int32_t distance) {
    posenc::add_values(count, line + distance, d_scores + at, line + distance);
  });
}

void LearnedLineBias::end_gradient(const Pass& pass, float* gradients) {
  fill_gradient(pass, lines_in(d_lines_, pass), gradients);
}

}  // namespace posenc::learning
