#include "posenc/learning/encodings/parts/line_bias.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"

namespace posenc::learning {
namespace {

/// Calls use(first, count, distance) for runs of a head's scores whose distances rise by one each, from the score at
/// index `first` on. Masked scores are left out.
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
  POSENC_TRY(check_whole("positions", reach.position, 0, max_positions - 1));
  const std::int64_t positions = std::int64_t{reach.position} + 1;
  POSENC_TRY_LET(all,
                 RelativePositions::make(
                     {.heads = static_cast<std::int64_t>(reach.shape.heads), .queries = positions, .keys = positions}));
  POSENC_TRY(allocate({{lines_, array_size({all.heads(), all.distances()})}}));
  distances_ = all.distances();
  return prepare(all, lines_.span());
}

DistanceLines LineBias::lines_in(AlignedArray<float>& values, const Pass& pass) const {
  const std::int32_t largest = pass.largest_distance();
  return {zero_of(values, 0), distances_, -largest, pass.is_causal ? 0 : largest};
}

void LineBias::add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* scores) {
  const float* const line = zero_of(lines_, index.head);
  for_runs(pass, index.sequence, [&](std::size_t at, std::size_t count, std::int32_t distance) {
    posenc::add_values(count, scores + at, line + distance, scores + at);
  });
}

void LineBias::add_to_lines(const Pass& pass, const HeadIndex& index, const float* d_scores,
                            AlignedArray<float>& d_lines) const {
  float* const line = zero_of(d_lines, index.head);
  for_runs(pass, index.sequence, [&](std::size_t at, std::size_t count, std::int32_t distance) {
    posenc::add_values(count, line + distance, d_scores + at, line + distance);
  });
}

}  // namespace posenc::learning
