#include "posenc/relative/t5.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/line_bias.hpp"

namespace posenc::learning {
namespace {

/// A learned number for each bucket of distances and head. Whether keys after the query need buckets is known only in
/// a pass.
class T5Lines final : public LineBias {
 public:
  T5Lines(std::size_t count, T5Buckets causal, T5Buckets bidirectional)
      : count_(count), causal_(std::move(causal)), bidirectional_(std::move(bidirectional)) {}

  void declare(const PassShape& model, ParameterList& list) override {
    table_ = list.declare("distance_table", count_, model.heads, {.deviation = 0.1});
  }

  void begin_pass(const Pass& pass) override {
    for_distances(pass, lines_in(lines(), pass),
                  [&](std::size_t row, std::size_t head, float& value) { value = pass.parameters[row + head]; });
    for_distances(pass, lines_in(d_lines_, pass), [](std::size_t, std::size_t, float& value) { value = 0; });
  }

  void scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* d_scores,
                       const HeadGradients& /*d_rows*/, float* /*gradients*/) override {
    add_to_lines(pass, index, d_scores, d_lines_);
  }

  void finish_gradient(const Pass& pass, float* gradients) override {
    for_distances(pass, lines_in(d_lines_, pass),
                  [&](std::size_t row, std::size_t head, float& value) { gradients[row + head] += value; });
  }

 private:
  Expected<void> prepare(const RelativePositions& all, std::span<float> /*lines*/) override {
    return allocate({{d_lines_, array_size({all.heads(), all.distances()})}});
  }

  /// Calls use(row, head, value) for each value of the lines; the parameters of its bucket begin at `row`.
  template <class Use>
  void for_distances(const Pass& pass, const DistanceLines& lines, const Use& use) const {
    const T5Buckets& buckets = pass.is_causal ? causal_ : bidirectional_;
    for (std::int32_t distance = lines.least; distance <= lines.most; ++distance) {
      const std::size_t row = table_ + static_cast<std::size_t>(buckets.bucket(distance)) * pass.shape.heads;
      for (std::size_t head = 0; head < pass.shape.heads; ++head) use(row, head, lines.of(head)[distance]);
    }
  }

  std::size_t count_, table_ = 0;
  T5Buckets causal_, bidirectional_;
  AlignedArray<float> d_lines_;  ///< gradient of the lines, summed over layers and sequences
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_t5(const EncodingOptions& options) {
  // Fewer of the largest distances are allowed in causal passes, which have more exact buckets.
  POSENC_TRY(check_whole("encoding.buckets", options.buckets, 4, 4096));
  POSENC_TRY(check_whole("encoding.maxDistance", options.max_distance, options.buckets / 2 + 1, max_positions));
  POSENC_TRY_LET(causal, T5Buckets::make({options.buckets, options.max_distance, false}));
  POSENC_TRY_LET(bidirectional, T5Buckets::make({options.buckets, options.max_distance, true}));
  return std::make_unique<T5Lines>(static_cast<std::size_t>(options.buckets), std::move(causal),
                                   std::move(bidirectional));
}

}  // namespace posenc::learning
