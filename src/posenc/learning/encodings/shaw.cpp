#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/layer_name.hpp"
#include "posenc/learning/encodings/parts/relative_rows.hpp"

namespace posenc::learning {
namespace {

/// Shaw, Uszkoreit and Vaswani 2018, "Self-Attention with Relative Position Representations": to the key and to the
/// value of a pair a row is added that is learned for their distance, key - query, clipped. A layer's heads share it.
class ShawEncoding final : public Encoding {
 public:
  explicit ShawEncoding(std::int32_t clip) : table_rows_(2 * static_cast<std::size_t>(clip) + 1), rows_(clip) {}

  void declare(const PassShape& model, ParameterList& list) override {
    // Tables that start larger are added to every value, and drown it.
    constexpr Initial initial{.deviation = 0.02};
    keys_.clear();
    values_.clear();
    for (std::size_t layer = 0; layer < model.layers; ++layer) {
      keys_.push_back(list.declare(layer_name(layer, "shaw.keys"), table_rows_, model.dims(), initial));
      values_.push_back(list.declare(layer_name(layer, "shaw.values"), table_rows_, model.dims(), initial));
    }
  }

  Expected<void> reserve(const Reach& reach) override { return rows_.reserve(reach); }

  void begin_pass(const Pass& pass) override { rows_.begin_pass(pass); }

  void add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* scores) override {
    rows_.add_to_scores(pass, index.sequence, pass.scale, rows.query,
                        needed(pass, pass.parameters + keys_[index.layer]), scores);
  }

  void scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* gradients) override {
    rows_.sum_scores(pass, index.sequence, pass.scale, d_scores);
    rows_.add_to_query(pass, needed(pass, pass.parameters + keys_[index.layer]), d_rows.query);
    rows_.add_to_table(pass, rows.query, needed(pass, gradients + keys_[index.layer]));
  }

  void add_values(const Pass& pass, const HeadIndex& index, const float* weights,
                  const Strided<float>& output) override {
    rows_.sum_scores(pass, index.sequence, 1, weights);
    rows_.add_to_query(pass, needed(pass, pass.parameters + values_[index.layer]), output);
  }

  void values_gradient(const Pass& pass, const HeadIndex& index, const float* weights,
                       const Strided<const float>& d_output, float* d_weights, float* gradients) override {
    rows_.add_to_scores(pass, index.sequence, 1, d_output, needed(pass, pass.parameters + values_[index.layer]),
                        d_weights);
    rows_.sum_scores(pass, index.sequence, 1, weights);
    rows_.add_to_table(pass, d_output, needed(pass, gradients + values_[index.layer]));
  }

 private:
  /// The rows of a table for the distances of the pass.
  template <class T>
  [[nodiscard]] Strided<T> needed(const Pass& pass, T* table) const {
    return row_major(table, pass.shape.dims()).from(rows_.first_row(), 0);
  }

  std::size_t table_rows_;
  RelativeRows rows_;
  std::vector<std::size_t> keys_, values_;  ///< indices of the layers' tables among the parameters
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_shaw(const EncodingOptions& options) {
  POSENC_TRY(check_whole("encoding.maxDistance", options.max_distance, 1, 4096));
  return std::make_unique<ShawEncoding>(static_cast<std::int32_t>(options.max_distance));
}

}  // namespace posenc::learning
