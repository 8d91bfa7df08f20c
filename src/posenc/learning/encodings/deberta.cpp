#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/layer_name.hpp"
#include "posenc/learning/encodings/parts/projected_rows.hpp"
#include "posenc/learning/encodings/parts/relative_rows.hpp"

namespace posenc::learning {
namespace {

/// One of the two products of a content with a position.
struct DebertaTerm {
  std::string_view name;
  RelativeRows rows;
  ProjectedRows projected = {};
  std::vector<std::size_t> matrices = {};  ///< where those of the layers begin

  /// What it multiplies: queries with the positions of keys, keys with those of queries.
  template <class Rows>
  [[nodiscard]] auto content_of(const Rows& of_head) const {
    return rows.is_of_keys() ? of_head.key : of_head.query;
  }
};

/// He et al. 2021, "DeBERTa: Decoding-enhanced BERT with Disentangled Attention": a score is what the query makes with
/// the key, with the projected position of the key as it sees it, and what the key makes with that of the query. All
/// layers project the same learned row of each clipped distance, each with its own matrices.
class DebertaEncoding final : public Encoding {
 public:
  explicit DebertaEncoding(std::int32_t clip)
      : table_rows_(2 * static_cast<std::size_t>(clip)),
        terms_{DebertaTerm{
                   "deberta.key",
                   RelativeRows(
                       {.sign = RelativeSign::query_minus_key, .is_of_keys = false, .least = -clip, .most = clip - 1})},
               DebertaTerm{"deberta.query", RelativeRows({.sign = RelativeSign::key_minus_query,
                                                          .is_of_keys = true,
                                                          .least = -clip,
                                                          .most = clip - 1})}} {}

  void declare(const PassShape& model, ParameterList& list) override {
    positions_ = list.add("deberta.positions", table_rows_, model.width, {.deviation = 0.02});
    const Initial initial{.deviation = 1 / std::sqrt(static_cast<double>(model.width))};
    for (DebertaTerm& term : terms_) term.matrices.clear();
    for (std::size_t layer = 0; layer < model.layers; ++layer)
      for (DebertaTerm& term : terms_)
        term.matrices.push_back(list.add(layer_name(layer, term.name), model.width, model.width, initial));
  }

  Expected<void> reserve(const Reach& reach) override {
    for (auto& [name, rows, projected, matrices] : terms_) {
      if (auto done = rows.reserve(reach); !done) return done;
      if (auto done = projected.reserve(reach.shape.layers, rows.rows_up_to(reach), reach.shape.width); !done)
        return done;
    }
    return {};
  }

  void begin(const Pass& pass) override {
    for (DebertaTerm& term : terms_) {
      term.rows.begin(pass);
      term.projected.begin(pass.shape.layers, term.rows.count());
      for (std::size_t layer = 0; layer < pass.shape.layers; ++layer)
        term.projected.project(layer, needed(pass, term, pass.parameters), pass.parameters + term.matrices[layer]);
    }
  }

  void add_scores(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* scores) override {
    divide(pass, scores);
    for (DebertaTerm& term : terms_)
      term.rows.add_to_pairs(pass, place.sequence, pass.scale * third, term.content_of(rows),
                             term.projected.of_head(pass.shape, place), scores);
  }

  void scores_gradient(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* /*gradients*/) override {
    for (DebertaTerm& term : terms_) {
      term.rows.sum_pairs(pass, place.sequence, pass.scale * third, d_scores);
      term.rows.add_to_tokens(pass, term.projected.of_head(pass.shape, place), term.content_of(d_rows));
      term.rows.add_to_table(pass, term.content_of(rows), term.projected.gradient_of_head(pass.shape, place));
    }
    divide(pass, d_scores);
  }

  void end_gradient(const Pass& pass, float* gradients) override {
    for (DebertaTerm& term : terms_)
      for (std::size_t layer = 0; layer < pass.shape.layers; ++layer) {
        const std::size_t matrix = term.matrices[layer];
        term.projected.add_to_matrix(layer, needed(pass, term, pass.parameters), gradients + matrix);
        term.projected.add_to_table(layer, pass.parameters + matrix, needed(pass, term, gradients));
      }
  }

 private:
  /// 1 / sqrt(3): three products are summed up where there was one, and are divided by sqrt(3 dimensions).
  static constexpr float third = 0.577350269f;

  static void divide(const Pass& pass, float* scores) {
    for (std::size_t i = 0; i < pass.shape.length * pass.shape.length; ++i) scores[i] *= third;
  }

  /// The learned rows of the distances that the pass has.
  template <class T>
  [[nodiscard]] T* needed(const Pass& pass, const DebertaTerm& term, T* values) const {
    return values + positions_ + term.rows.first_row() * pass.shape.width;
  }

  std::size_t table_rows_;
  std::array<DebertaTerm, 2> terms_;
  std::size_t positions_ = 0;  ///< where the learned rows begin
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_deberta(const EncodingOptions& options) {
  if (auto checked = check_whole("encoding.maxDistance", options.max_distance, 1, 4096); !checked)
    return error_of(checked);
  return std::make_unique<DebertaEncoding>(static_cast<std::int32_t>(options.max_distance));
}

}  // namespace posenc::learning
