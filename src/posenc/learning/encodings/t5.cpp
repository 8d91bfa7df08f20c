#include "posenc/relative/t5.hpp"

#include <cstddef>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/line_bias.hpp"

namespace posenc::learning {
namespace {

/// A learned number a bucket of distances and head. Only a pass says whether keys after the query need buckets.
class T5Lines final : public LearnedLineBias {
 public:
  T5Lines(std::size_t count, T5Buckets causal, T5Buckets bidirectional)
      : count_(count), causal_(std::move(causal)), bidirectional_(std::move(bidirectional)) {}

  void declare(const PassShape& model, ParameterList& list) override {
    table_ = list.add("distance_table", count_, model.heads, {.deviation = 0.1});
  }

 private:
  void fill(const Pass& pass, const DistanceLines& lines) override {
    for_distances(pass, lines,
                  [&](std::size_t row, std::size_t head, float& value) { value = pass.parameters[row + head]; });
  }

  void fill_gradient(const Pass& pass, const DistanceLines& d_lines, float* gradients) override {
    for_distances(pass, d_lines,
                  [&](std::size_t row, std::size_t head, float& value) { gradients[row + head] += value; });
  }

  /// Calls use(row, head, value) for each value of the lines; `row` is where the parameters of its bucket begin.
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
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_t5(const EncodingOptions& options) {
  // Of the largest distances that are allowed those for causal passes are fewer: they have more exact buckets.
  if (auto checked = check_whole("encoding.buckets", options.buckets, 4, 4096); !checked) return error_of(checked);
  if (auto checked = check_whole("encoding.maxDistance", options.max_distance, options.buckets / 2 + 1, max_positions);
      !checked)
    return error_of(checked);
  auto causal = T5Buckets::make({options.buckets, options.max_distance, false});
  if (!causal) return error_of(causal);
  auto bidirectional = T5Buckets::make({options.buckets, options.max_distance, true});
  if (!bidirectional) return error_of(bidirectional);
  return std::make_unique<T5Lines>(static_cast<std::size_t>(options.buckets), *std::move(causal),
                                   *std::move(bidirectional));
}

}  // namespace posenc::learning
