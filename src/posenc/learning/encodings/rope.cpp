#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/angle_table.hpp"
#include "posenc/learning/product.hpp"

namespace posenc::learning {
namespace {

Expected<Rotary> rope_of(const EncodingOptions& options, const Reach& reach) {
  POSENC_TRY_LET(dim, rotated_dims(reach.shape, options.rotated));
  return Rotary::make({.dim = static_cast<std::int64_t>(dim),
                       .layout = Layout::half,
                       .base = options.base,
                       .scaling = options.scaling,
                       .length = std::int64_t{reach.position} + 1});
}

class RopeEncoding final : public Encoding {
 public:
  explicit RopeEncoding(const EncodingOptions& options) : options_(options) {}

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    POSENC_TRY_LET(rotary, rope_of(options_, reach));
    POSENC_TRY_LET(table, AngleTable::make(rotary, Positions::range(static_cast<std::size_t>(reach.position) + 1)));
    table_ = std::move(table);
    return {};
  }

  void rotate(const Pass& pass, const Strided<float>& query, const Strided<float>& key) override {
    for (const auto* rows : {&query, &key}) table_.rotate(pass, Direction::forward, *rows);
  }

  void rotate_gradient(const Pass& pass, const Strided<float>& d_query, const Strided<float>& d_key) override {
    for (const auto* rows : {&d_query, &d_key}) table_.rotate(pass, Direction::inverse, *rows);
  }

 private:
  EncodingOptions options_;
  AngleTable table_;
};

/// Rotates a head's queries and keys anew for each region of a map, and takes the scores of the region's pairs from
/// their dot products. Keys after their query are masked, whether or not the pass is causal: maps do not define them.
class MappedRope final : public Encoding {
 public:
  MappedRope(const EncodingOptions& options, const PositionMap& map) : options_(options), map_(map) {}

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    POSENC_TRY_LET(rotary, rope_of(options_, reach));
    AlignedArray<double> positions;
    POSENC_TRY(allocate({{positions, static_cast<std::size_t>(reach.position) + 1}}));
    for (std::size_t region = 0; region < map_.regions(); ++region)
      for (const bool is_query : {true, false}) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
          const auto position = static_cast<std::int64_t>(i);
          positions[i] = is_query ? map_.query_position(region, position) : map_.key_position(region, position);
        }
        POSENC_TRY_LET(table, AngleTable::make(rotary, Positions::list(positions.span())));
        (is_query ? query_tables_ : key_tables_)[region] = std::move(table);
      }
    const std::size_t length = reach.shape.length, dims = reach.shape.dims();
    const std::size_t size = array_size({length, dims});
    POSENC_TRY(allocate({{query_, size}, {key_, size}, {d_rows_, size}, {pairs_, array_size({length, length})}}));
    POSENC_TRY_LET(product, Product::make({{dims, length}, {length, dims}}));
    product_ = std::move(product);
    return {};
  }

  void add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* scores) override {
    const std::size_t length = pass.shape.length, dims = pass.shape.dims();
    std::fill_n(scores, length * length, -std::numeric_limits<float>::infinity());
    for (std::size_t region = 0; region < map_.regions(); ++region) {
      rotate_head(pass, index, region, rows);
      product_.multiply(length, dims, length, row_major<const float>(query_.data(), dims),
                        transposed(row_major<const float>(key_.data(), dims)), pairs_.data(), length);
      for_pairs(pass, index, region, [&](std::size_t at) { scores[at] = pass.scale * pairs_[at]; });
    }
  }

  void scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* /*gradients*/) override {
    const std::size_t length = pass.shape.length;
    const Strided<const float> pairs = row_major<const float>(pairs_.data(), length);
    for (std::size_t region = 0; region < map_.regions(); ++region) {
      rotate_head(pass, index, region, rows);
      std::fill_n(pairs_.data(), length * length, 0.0f);
      for_pairs(pass, index, region, [&](std::size_t at) { pairs_[at] = pass.scale * d_scores[at]; });
      add_rotated_back(pass, index, query_tables_[region], pairs, key_, d_rows.query);
      add_rotated_back(pass, index, key_tables_[region], transposed(pairs), query_, d_rows.key);
    }
    // add_scores overwrote the scores that it was given.
    std::fill_n(d_scores, length * length, 0.0f);
  }

 private:
  /// Writes the rotated queries and keys of a head to query_ and key_.
  void rotate_head(const Pass& pass, const HeadIndex& index, std::size_t region, const HeadRows& rows) {
    const std::size_t length = pass.shape.length, dims = pass.shape.dims();
    const auto rotate_rows = [&](const Strided<const float>& from, const AngleTable& table, float* to) {
      for (std::size_t token = 0; token < length; ++token) std::copy_n(from.at(token, 0), dims, to + token * dims);
      table.rotate(pass.positions_of(index.sequence), Direction::forward, 1, dims, row_major(to, dims));
    };
    rotate_rows(rows.query, query_tables_[region], query_.data());
    rotate_rows(rows.key, key_tables_[region], key_.data());
  }

  /// Rotates the gradient of rotated rows, d_pairs others, back and adds it to that of the rows.
  void add_rotated_back(const Pass& pass, const HeadIndex& index, const AngleTable& table,
                        const Strided<const float>& d_pairs, const AlignedArray<float>& others,
                        const Strided<float>& d_rows) {
    const std::size_t length = pass.shape.length, dims = pass.shape.dims();
    product_.multiply(length, length, dims, d_pairs, row_major<const float>(others.data(), dims), d_rows_.data(), dims);
    table.rotate(pass.positions_of(index.sequence), Direction::inverse, 1, dims, row_major(d_rows_.data(), dims));
    for (std::size_t token = 0; token < length; ++token)
      for (std::size_t dimension = 0; dimension < dims; ++dimension)
        *d_rows.at(token, dimension) += d_rows_[token * dims + dimension];
  }

  /// Calls use(index of the pair among a head's scores) for the pairs of a region.
  template <class Use>
  void for_pairs(const Pass& pass, const HeadIndex& index, std::size_t region, const Use& use) const {
    const auto positions = pass.positions_of(index.sequence);
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (map_.region(positions[i], positions[j]) == static_cast<std::int32_t>(region)) use(i * positions.size() + j);
  }

  static constexpr std::size_t most_regions = 3;

  EncodingOptions options_;
  PositionMap map_;
  AngleTable query_tables_[most_regions], key_tables_[most_regions];
  AlignedArray<float> query_, key_, d_rows_;  ///< of a head, [length, dimensions]
  AlignedArray<float> pairs_;                 ///< their dot products or the gradient of these, [length, length]
  Product product_;
};

/// The number of dimensions for which a rule's lists, where it has some, have the right size; else any.
std::int64_t dims_of(const Scaling& scaling) {
  std::size_t pairs = 2;
  if (const auto* longrope = std::get_if<scaling::Longrope>(&scaling)) pairs = longrope->short_factor.size();
  if (const auto* given = std::get_if<scaling::Given>(&scaling)) pairs = given->frequencies.size();
  return 2 * static_cast<std::int64_t>(std::clamp<std::size_t>(pairs, 1, max_dim / 2));
}

}  // namespace

Expected<std::unique_ptr<Encoding>> make_rope(const EncodingOptions& options) {
  const bool is_share = options.rotated > 0 && options.rotated <= 1;
  if (!is_share) return invalid_argument("rotated", options.rotated, expected::above_to, {0, 1});
  // Options are checked here as far as they depend on neither the dimensions of a head nor positions.
  POSENC_TRY(attention_factor({.frequencies = {.dim = dims_of(options.scaling), .base = options.base},
                               .scaling = options.scaling,
                               .length = 1}));
  if (!options.map) return std::make_unique<RopeEncoding>(options);
  auto map = PositionMap::make(*options.map);
  if (!map) {
    map.error().argument.insert(0, "map.");
    return error_of(map);
  }
  return std::make_unique<MappedRope>(options, *map);
}

}  // namespace posenc::learning
