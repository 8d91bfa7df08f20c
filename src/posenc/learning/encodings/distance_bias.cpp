#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/relative_position.hpp"
#include "posenc/relative/t5.hpp"

namespace posenc::learning {
namespace {

/// A bias that depends on the head and the distance, key position - query position, alone: the same in all layers and
/// sequences. A head has a line of values, one for each distance; each row of scores has a part of it added, which is
/// one piece where positions have no gaps.
class DistanceBias : public Encoding {
 public:
  [[nodiscard]] Expected<void> reserve(const Reach& reach) final {
    POSENC_TRY(check_whole("positions", reach.position, 0, max_positions - 1));
    const std::int64_t positions = std::int64_t{reach.position} + 1;
    POSENC_TRY_LET(
        all, RelativePositions::make(
                 {.heads = static_cast<std::int64_t>(reach.shape.heads), .queries = positions, .keys = positions}));
    POSENC_TRY(allocate({{lines_, array_size({all.heads(), all.distances()})}}));
    distances_ = all.distances();
    return prepare(all, lines_.span());
  }

  void add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* scores) final {
    const float* const line = line_of(lines_, index.head);
    for_runs(pass, index.sequence, [&](std::size_t at, std::size_t count, std::int32_t distance) {
      posenc::add_values(count, scores + at, line + distance, scores + at);
    });
  }

 protected:
  /// Writes `lines`, [heads, distances], where they are not learned; allocates for their gradient where they are.
  [[nodiscard]] virtual Expected<void> prepare(const RelativePositions& all, std::span<float> lines) = 0;

  /// A head's value of distance 0, among `lines_` or others of their shape; that of distance d is d further.
  [[nodiscard]] float* line_of(AlignedArray<float>& lines, std::size_t head) const {
    return lines.data() + head * distances_ + distances_ / 2;
  }

  /// Calls use(first, count, distance) for runs of a head's scores whose distances rise by one each, from the score at
  /// index `first` on. Masked scores are left out.
  template <class Use>
  static void for_runs(const Pass& pass, std::size_t sequence, const Use& use) {
    const std::size_t length = pass.shape.length;
    if (length == 0) return;
    const auto positions = pass.positions_of(sequence);
    const bool has_gaps = static_cast<std::size_t>(positions.back() - positions.front()) != length - 1;
    for (std::size_t query = 0; query < length; ++query) {
      const std::size_t keys = pass.keys_of(query), run = has_gaps ? 1 : keys;
      for (std::size_t key = 0; key < keys; key += run)
        use(query * length + key, run, positions[key] - positions[query]);
    }
  }

  AlignedArray<float> lines_;

 private:
  std::size_t distances_ = 0;  ///< 2 * reach + 1
};

/// -m |d| with the paper's slopes m.
class AlibiBias final : public DistanceBias {
  Expected<void> prepare(const RelativePositions& all, std::span<float> lines) override {
    return alibi_bias({}, all, Future::keep, lines);
  }
};

/// A learned number for each bucket of distances and head. Whether keys after the query need buckets is known only in
/// a pass.
class T5Bias final : public DistanceBias {
 public:
  T5Bias(std::size_t count, T5Buckets causal, T5Buckets bidirectional)
      : count_(count), causal_(std::move(causal)), bidirectional_(std::move(bidirectional)) {}

  void declare(const PassShape& model, ParameterList& list) override {
    table_ = list.declare("distance_table", count_, model.heads, {.deviation = 0.1});
  }

  void begin_pass(const Pass& pass) override {
    for_distances(pass, lines_,
                  [&](std::size_t row, std::size_t head, float& value) { value = pass.parameters[row + head]; });
    for_distances(pass, d_lines_, [](std::size_t, std::size_t, float& value) { value = 0; });
  }

  void scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* d_scores,
                       const HeadGradients& /*d_rows*/, float* /*gradients*/) override {
    float* const line = line_of(d_lines_, index.head);
    for_runs(pass, index.sequence, [&](std::size_t at, std::size_t count, std::int32_t distance) {
      posenc::add_values(count, line + distance, d_scores + at, line + distance);
    });
  }

  void finish_gradient(const Pass& pass, float* gradients) override {
    for_distances(pass, d_lines_,
                  [&](std::size_t row, std::size_t head, float& value) { gradients[row + head] += value; });
  }

 private:
  Expected<void> prepare(const RelativePositions& all, std::span<float> /*lines*/) override {
    return allocate({{d_lines_, array_size({all.heads(), all.distances()})}});
  }

  /// Calls use(row, head, value) for each value of the lines that a pass needs; the parameters of its bucket begin at
  /// `row`.
  template <class Use>
  void for_distances(const Pass& pass, AlignedArray<float>& lines, const Use& use) const {
    const T5Buckets& buckets = pass.is_causal ? causal_ : bidirectional_;
    const std::int32_t largest = pass.largest_distance();
    for (std::int32_t distance = -largest; distance <= (pass.is_causal ? 0 : largest); ++distance) {
      const std::size_t row = table_ + static_cast<std::size_t>(buckets.bucket(distance)) * pass.shape.heads;
      for (std::size_t head = 0; head < pass.shape.heads; ++head) use(row, head, line_of(lines, head)[distance]);
    }
  }

  std::size_t count_, table_ = 0;
  T5Buckets causal_, bidirectional_;
  AlignedArray<float> d_lines_;  ///< gradient of the lines, summed over layers and sequences
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_alibi(const EncodingOptions& /*options*/) {
  return std::make_unique<AlibiBias>();
}

Expected<std::unique_ptr<Encoding>> make_t5(const EncodingOptions& options) {
  // Fewer of the largest distances are allowed in causal passes, which have more exact buckets.
  POSENC_TRY(check_whole("encoding.buckets", options.buckets, 4, 4096));
  POSENC_TRY(check_whole("encoding.maxDistance", options.max_distance, options.buckets / 2 + 1, max_positions));
  POSENC_TRY_LET(causal, T5Buckets::make({options.buckets, options.max_distance, false}));
  POSENC_TRY_LET(bidirectional, T5Buckets::make({options.buckets, options.max_distance, true}));
  return std::make_unique<T5Bias>(static_cast<std::size_t>(options.buckets), std::move(causal),
                                  std::move(bidirectional));
}

}  // namespace posenc::learning
