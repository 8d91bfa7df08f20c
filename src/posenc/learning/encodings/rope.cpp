#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <variant>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/product.hpp"
#include "posenc/rotary/kernels/rotate.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc::learning {
namespace {

/// Cosines and sines at a list of positions, by which the first dimensions of heads are rotated in place, in
/// Layout::half, as often as wanted: what Rotary computes anew in every call, with the same bits.
class AngleTable {
 public:
  /// All dimensions of the rotary rotate. Errors: those of its `apply`.
  [[nodiscard]] static Expected<AngleTable> make(const Rotary& rotary, const Positions& positions) {
    AngleTable made;
    const std::size_t dim = rotary.dim(), count = positions.count();
    made.pairs_ = dim / 2;
    POSENC_TRY(allocate({{made.rows_, array_size({2, count, dim})}}));
    const std::int64_t extents[]{static_cast<std::int64_t>(count), static_cast<std::int64_t>(dim)};
    POSENC_TRY_LET(shape, SequenceShape::make(extents));
    // The pair (1, 0), rotated, is its cosine and sine.
    for (std::size_t row = 0; row < 2 * count; ++row) std::fill_n(made.rows_.data() + row * dim, made.pairs_, 1.0f);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const std::size_t first = direction == Direction::forward ? 0 : shape.size();
      POSENC_TRY(rotary.apply(made.rows_.span().subspan(first, shape.size()), shape, positions, direction));
    }
    return made;
  }

  /// Rotates every head of a pass, [rows, width]: a token at position p by the p-th of the list. Dimensions of a row
  /// are contiguous.
  void rotate(const Pass& pass, Direction direction, const Strided<float>& rows) const {
    const PassShape& shape = pass.shape;
    for (std::size_t sequence = 0; sequence < shape.sequences; ++sequence)
      rotate(pass.positions_of(sequence), direction, shape.heads, shape.dims(), rows.from(sequence * shape.length, 0));
  }

  /// Rotates the heads of one sequence, [length, heads * dimensions].
  void rotate(std::span<const std::int32_t> positions, Direction direction, std::size_t heads, std::size_t dims,
              const Strided<float>& rows) const {
    if (positions.empty()) return;
    const std::size_t dim = 2 * pairs_;
    const float* const table = rows_.data() + (direction == Direction::forward ? 0 : rows_.size() / 2);
    const HeadRotation rotation{Layout::half, direction, pairs_, nullptr};
    // Positions rise: they follow each other if the last is as far from the first as there are tokens between.
    const auto span = static_cast<std::size_t>(positions.back() - positions.front()) + 1;
    const std::size_t together = span == positions.size() ? span : 1;
    for (std::size_t token = 0; token < positions.size(); token += together) {
      const float* const cosines = table + static_cast<std::size_t>(positions[token]) * dim;
      rotate_heads(rotation, {rows.at(token, 0), heads, dims}, {.sines = cosines + pairs_, .cosines = cosines}, 0,
                   {together, rows.row_stride, dim});
    }
  }

 private:
  std::size_t pairs_ = 0;
  AlignedArray<float> rows_;  ///< [2, positions, 2, pairs]: by direction, cosines and sines of each position
};

/// The number of a head's dimensions that rotate: the even number nearest to this share of them, at least 2. Errors:
/// heads of one dimension.
Expected<std::size_t> rotated_dims(const PassShape& shape, double share) {
  const std::size_t dims = shape.dims();
  if (dims < 2)
    return invalid_argument(
        "model.width", static_cast<double>(shape.width),
        {"at least ", decimal(2 * shape.heads), ": two dimensions a head, of which rotations are made"});
  const auto pairs = static_cast<std::size_t>(std::floor(share * static_cast<double>(dims) / 2 + 0.5));
  return 2 * std::clamp<std::size_t>(pairs, 1, dims / 2);
}

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
