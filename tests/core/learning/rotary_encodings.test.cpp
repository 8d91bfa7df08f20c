/// RoPE in the lab, with its scaling rules and maps of positions.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <map>
#include <utility>

#include "frequencies/scaling_reference.hpp"
#include "learning/encoding_reference.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
namespace scaling = posenc::scaling;
using learning::EncodingOptions;
using learning::EncodingType;
using posenc::PositionMapOptions;
using posenc::PositionMapType;
using reference::EncodingProblem;
using reference::Quad;
using testing::require_error;
using testing::value_of;

namespace {

// Cosines and sines are rounded once and a rotated dimension three times: less than what the products of attention
// bring, which has the same tolerance without an encoding.
constexpr double rotary_tolerance = 1e-6;

/// Sines and cosines of the first `dim` dimensions of a head, times the attention factor. A check asks for them
/// thousands of times: each is computed once.
class Rotations {
 public:
  Rotations(const EncodingOptions& options, std::size_t dim) : options_(options), dim_(dim) {}

  [[nodiscard]] std::size_t pairs() const { return dim_ / 2; }

  /// For a model that reads `length` positions.
  const std::vector<reference::Phase>& at(std::int64_t length, Quad position) {
    if (length != length_) {
      length_ = length;
      known_.clear();
      scaled_ = reference::scaled({.frequencies = {.dim = static_cast<std::int64_t>(dim_), .base = options_.base},
                                   .scaling = options_.scaling,
                                   .length = length});
    }
    std::vector<reference::Phase>& rotations = known_[position];
    if (rotations.empty())
      for (const Quad frequency : scaled_.frequencies) {
        const auto [sine, cosine] = reference::phase(position * frequency);
        rotations.push_back({scaled_.attention_factor * sine, scaled_.attention_factor * cosine});
      }
    return rotations;
  }
  /// check_encoding reserves positions up to 8 after the last one.
  const std::vector<reference::Phase>& at(const EncodingProblem& problem, Quad position) {
    return at(problem.positions.back() + 9, position);
  }

  [[nodiscard]] Quad attention_factor() const { return scaled_.attention_factor; }

 private:
  EncodingOptions options_;
  std::size_t dim_;
  std::int64_t length_ = -1;
  reference::Scaled scaled_;
  std::map<Quad, std::vector<reference::Phase>> known_;
};

/// Dimension i with dimension i + dim / 2, as Hugging Face's Llama has them.
void rotate_half(std::span<const reference::Phase> rotations, std::span<Quad> dims) {
  const std::size_t pairs = rotations.size();
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto [sine, cosine] = rotations[i];
    const Quad a = dims[i], b = dims[i + pairs];
    dims[i] = a * cosine - b * sine;
    dims[i + pairs] = a * sine + b * cosine;
  }
}

void check_rope(const EncodingOptions& options, std::size_t dim) {
  Rotations rotations(options, dim);
  testing::check_encoding(options,
                          {.rotate = [&](const EncodingProblem& problem, bool, std::int32_t position,
                                         std::span<Quad> dims) { rotate_half(rotations.at(problem, position), dims); }},
                          rotary_tolerance);
}

/// q and k of a pair (a, b), rotated so that their angles differ by phi: (qa ka + qb kb) cos phi + (qa kb - qb ka) sin
/// phi. Keys after their query are masked.
void check_mapped(const EncodingOptions& options, std::size_t dim) {
  Rotations rotations(options, dim);
  const auto map = value_of(posenc::PositionMap::make(*options.map));
  const auto scores_of = [&](const reference::QueryContext& context, std::span<Quad> scores) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      scores[j] = -100;  // e^-100 leaves no trace in 113 bits
      if (j > context.query) continue;
      const auto q = [&](std::size_t dimension) {
        return context.of(context.arguments.query, context.query, dimension);
      };
      const auto k = [&](std::size_t dimension) { return context.of(context.arguments.key, j, dimension); };
      const std::int64_t query = context.position(context.query), key = context.position(j);
      const auto region = static_cast<std::size_t>(map.region(query, key));
      const Quad distance = static_cast<Quad>(map.query_position(region, query)) - map.key_position(region, key);
      const auto& phases = rotations.at(context.problem, distance);
      Quad sum = 0;
      for (std::size_t a = 0, b = dim / 2; a < dim / 2; ++a, ++b)
        sum += rotations.attention_factor() *
               ((q(a) * k(a) + q(b) * k(b)) * phases[a].cosine + (q(a) * k(b) - q(b) * k(a)) * phases[a].sine);
      for (std::size_t dimension = dim; dimension < context.dims(); ++dimension) sum += q(dimension) * k(dimension);
      scores[j] = sum / 2;  // the square root of 4 dimensions
    }
  };
  testing::check_encoding(options, {.scores = scores_of}, rotary_tolerance);
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("learning: RoPE, its base and the share of dimensions that rotate", "[learning]") {
  for (const double base : {10000.0, 2.0}) check_rope({.type = EncodingType::rope, .base = base}, 4);
  // Four dimensions have 0.04 and 2.96, 3 and 3.6.
  for (const auto& [share, dim] : {std::pair{0.01, 2}, {0.74, 2}, {0.75, 4}, {0.9, 4}})
    check_rope({.type = EncodingType::rope, .rotated = share}, static_cast<std::size_t>(dim));
}

TEST_CASE("learning: RoPE with scaling rules that read lengths and lists", "[learning]") {
  for (const posenc::Scaling& rule : std::initializer_list<posenc::Scaling>{
           scaling::Dynamic{.factor = 2, .original_length = 6},
           scaling::Yarn{.factor = 16, .original_length = 8, .beta_fast = 0.5, .beta_slow = 0.01, .truncate = false},
           scaling::Longrope{.factor = 4, .original_length = 14, .short_factor = {1, 1.5}, .long_factor = {1.25, 6}},
           scaling::Proportional{.fraction = 0.5, .factor = 2},
           scaling::Given{.frequencies = {0.7, -0.01}, .attention_factor = 1.5}}) {
    INFO(posenc::name_of(rule));
    check_rope({.type = EncodingType::rope, .scaling = rule}, 4);
  }
}

TEST_CASE("learning: RoPE with distances that a map shows", "[learning]") {
  for (const PositionMapOptions& map : {
           PositionMapOptions{.type = PositionMapType::self_extend, .window = 3, .group = 2},
           PositionMapOptions{.type = PositionMapType::rerope, .window = 2},
           PositionMapOptions{.type = PositionMapType::leaky_rerope, .window = 2, .factor = 3.7},
           PositionMapOptions{.type = PositionMapType::dual_chunk, .chunk_size = 3, .local_size = 1},
       }) {
    INFO("map " << static_cast<int>(map.type));
    check_mapped({.type = EncodingType::rope, .base = 20, .map = map}, 4);
    check_mapped({.type = EncodingType::rope,
                  .base = 20,
                  .rotated = 0.5,
                  .scaling = scaling::Yarn{.factor = 4, .original_length = 32},
                  .map = map},
                 2);
  }
}

TEST_CASE("learning: rotation of many dimensions, in rows of a larger array", "[learning][hashes]") {
  // 9 heads of 40 dimensions, of which 36 rotate; queries, keys and values side by side in a row.
  const std::size_t dims = 40, dim = 36;
  const learning::PassShape shape{2, 3, 1, 9, 9 * dims};
  const EncodingOptions options{.type = EncodingType::rope, .base = 500, .rotated = 0.9};
  Rotations rotations(options, dim);
  const auto encoding = value_of(learning::make_encoding(options));
  value_of(encoding->reserve({shape, 900}));
  const std::size_t stride = 3 * shape.width;
  const auto before = testing::fractions(shape.rows() * stride, 77);
  // Neighbours and others; sequences with positions of their own.
  const std::int32_t positions[]{0, 1, 2, 5, 9, 900};
  learning::Pass pass{.shape = shape, .positions = positions};
  std::vector<std::vector<float>> rotated;
  for (const bool shares : {true, false})
    for (const bool back : {false, true}) {
      auto x = before;
      pass.shares_positions = shares;
      const posenc::Strided<float> query{x.data(), stride, 1}, key{x.data() + shape.width, stride, 1};
      if (back)
        encoding->rotate_gradient(pass, query, key);
      else
        encoding->rotate(pass, query, key);
      std::vector<reference::Sum> exact;
      for (std::size_t at = 0; at < x.size(); ++at) {
        const std::size_t row = at / stride, dimension = at % stride % dims;
        const bool rotates = at % stride < 2 * shape.width && dimension < dim;
        reference::Sum& sum = exact.emplace_back();
        if (!rotates) {
          sum.value = before[at];
          CHECK(x[at] == before[at]);
          continue;
        }
        const std::int32_t position = positions[shares ? row % 3 : row];
        const std::size_t pair = dimension % (dim / 2);
        const bool is_first = dimension < dim / 2;
        const auto [sine, cosine] = rotations.at(0, position)[pair];
        sum.add(cosine * before[at], reference::magnitude(before[at]));
        const float other = before[is_first ? at + dim / 2 : at - dim / 2];
        sum.add((is_first != back ? -sine : sine) * other, reference::magnitude(other));
      }
      // Rotary promises this.
      CHECK(reference::worst_share(x, exact, 3 * 0x1p-24) <= 1);
      rotated.push_back(std::move(x));
    }
  // `before` is 6 rows of 1080 fractions(77).
  testing::check_hash("learning: RoPE", "7c2514dc00094385", {rotated[0], rotated[1], rotated[2], rotated[3]});
}

TEST_CASE("learning: errors of encodings that rotate", "[learning]") {
  for (const double base : {0.0, -1.0, testing::infinity, not_a_number})
    require_error(learning::make_encoding({.type = EncodingType::rope, .base = base}), "base", "");
  for (const double rotated : {0.0, -0.5, 1.5, not_a_number})
    require_error(learning::make_encoding({.type = EncodingType::rope, .rotated = rotated}), "rotated", "");
  require_error(learning::make_encoding({.type = EncodingType::rope, .scaling = scaling::Dynamic{.factor = 2}}),
                "scaling.originalLength", "");
  require_error(learning::make_encoding({.type = EncodingType::rope, .map = PositionMapOptions{}}), "map.type", "");
  require_error(
      learning::make_encoding({.type = EncodingType::rope, .map = PositionMapOptions{.type = PositionMapType::rerope}}),
      "map.window", "");
  // Only a model's extents show these: a head of one dimension; lists of as many frequencies as other heads have.
  require_error(value_of(learning::make_encoding({.type = EncodingType::rope}))->reserve({{1, 2, 1, 8, 8}, 1}),
                "model.width", "8");
  const auto given = value_of(
      learning::make_encoding({.type = EncodingType::rope, .scaling = scaling::Given{.frequencies = {1, 0.5, 0.25}}}));
  value_of(given->reserve({{1, 2, 1, 2, 12}, 1}));
  require_error(given->reserve({{1, 2, 1, 2, 8}, 1}), "scaling.frequencies", "3 values");
}
