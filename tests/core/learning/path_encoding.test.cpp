/// PaTH (Yang et al. 2025, arXiv 2505.16381).

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "learning/encoding_reference.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using reference::Quad;
using reference::QueryPlace;
using reference::Values;
using testing::value_of;

namespace {

/// scale q_i H_i ... H_(j+1) k_j, and for keys after their query the same of the pair the other way round.
class Path {
 public:
  void operator()(const QueryPlace& place, std::span<Quad> scores) {
    // Queries come in order: all of a head have its steps.
    if (place.query == 0) set_steps(place, scores.size());
    const std::size_t dims = place.dims(), i = place.query;
    const Quad scale = 1 / reference::square_root(Quad(static_cast<double>(dims)));
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const bool is_before = j <= i;
      const Values &late = is_before ? place.arguments.query : place.arguments.key,
                   &early = is_before ? place.arguments.key : place.arguments.query;
      Values reflected;
      for (std::size_t dimension = 0; dimension < dims; ++dimension)
        reflected.push_back(place.of(late, std::max(i, j), dimension));
      for (std::size_t s = std::max(i, j); s > std::min(i, j); --s) {
        Quad product = 0;
        for (std::size_t dimension = 0; dimension < dims; ++dimension)
          product += directions_[s * dims + dimension] * reflected[dimension];
        for (std::size_t dimension = 0; dimension < dims; ++dimension)
          reflected[dimension] -= strengths_[s] * product * directions_[s * dims + dimension];
      }
      scores[j] = 0;
      for (std::size_t dimension = 0; dimension < dims; ++dimension)
        scores[j] += scale * reflected[dimension] * place.of(early, std::min(i, j), dimension);
    }
  }

 private:
  void set_steps(const QueryPlace& place, std::size_t length) {
    const std::size_t width = place.problem.shape.width, dims = place.dims();
    directions_.clear();
    strengths_.clear();
    for (std::size_t t = 0; t < length; ++t) {
      const auto times_row = [&](const std::string& name, std::size_t row) {
        Quad sum = 0;
        for (std::size_t dimension = 0; dimension < width; ++dimension)
          sum += place.parameter(name, row, dimension) *
                 place.arguments.rows[(place.sequence * length + t) * width + dimension];
        return sum;
      };
      Values raw;
      Quad squares = static_cast<double>(dims) * Quad(1e-6f);
      for (std::size_t dimension = 0; dimension < dims; ++dimension) {
        raw.push_back(times_row("layers.0.path.directions", place.head * dims + dimension));
        squares += raw.back() * raw.back();
      }
      for (const Quad& value : raw) directions_.push_back(value / reference::square_root(squares));
      const Quad logit = times_row("layers.0.path.strengths", place.head) +
                         place.parameter("layers.0.path.strengths.bias", place.head, 0);
      strengths_.push_back(2 / (1 + reference::exponential(-logit)));
    }
  }

  Values directions_, strengths_;  ///< [length, dimensions], [length]
};

/// A head of `dims` dimensions whose rows are the directions themselves.
struct OneHead {
  std::size_t length, dims;
  learning::ParameterList list;
  learning::EncodingParts encoding = value_of(learning::make_encoding({.type = EncodingType::path}));
  std::vector<float> parameters;
  std::vector<std::int32_t> positions;
  learning::Pass pass;

  OneHead(std::size_t tokens, std::size_t width, float bias) : length(tokens), dims(width) {
    encoding[0]->declare({.layers = 1, .heads = 1, .width = dims}, list);
    parameters.resize(list.size());
    for (std::size_t dimension = 0; dimension < dims; ++dimension) parameters[dimension * dims + dimension] = 1;
    parameters.back() = bias;
    for (std::size_t i = 0; i < length; ++i) positions.push_back(static_cast<std::int32_t>(i));
    pass = {.shape = {1, length, 1, 1, dims},
            .positions = positions,
            .scale = static_cast<float>(1 / std::sqrt(static_cast<double>(dims))),
            .parameters = parameters.data()};
    value_of(encoding[0]->reserve({pass.shape, positions.back()}));
  }

  [[nodiscard]] std::vector<float> scores(const std::vector<float>& rows, const std::vector<float>& query,
                                          const std::vector<float>& key) const {
    std::vector<float> all(length * length);
    encoding[0]->read_rows(pass, 0, rows.data());
    const auto strided = [&](const std::vector<float>& of) { return posenc::row_major(of.data(), dims); };
    encoding[0]->add_scores(pass, {}, {strided(query), strided(key), strided(key)}, all.data());
    return all;
  }
};

}  // namespace

TEST_CASE("learning: PaTH", "[learning][path]") {
  testing::check_encoding({.type = EncodingType::path}, {.scores = Path()}, 1e-6);
  // Strengths from 1e-3 to 2.
  testing::check_encoding({.type = EncodingType::path}, {.scores = Path()}, 2e-6, -4, 4);
}

TEST_CASE("learning: reflections that are whole, projections, and none", "[learning][path]") {
  // Directions 1 and 2 between key 0 and query 2; lengths do not matter but for the 1e-6 below the root.
  const std::vector<float> rows{0, 5, 3e3f, 0, 0, 7e3f}, query{0, 0, 0, 0, 2, 3}, key{5, 7, 0, 0, 0, 0};
  const auto score_of = [&](float bias) { return OneHead(3, 2, bias).scores(rows, query, key)[6]; };
  const float whole = 31 / std::sqrt(2.0f);
  CHECK(std::abs(score_of(-200) - whole) < 1e-5f);
  CHECK(std::abs(score_of(200) + whole) < 1e-4f);
  CHECK(std::abs(score_of(0)) < 1e-4f);
}

TEST_CASE("learning: PaTH between many tokens", "[learning][path][hashes]") {
  const std::size_t length = 37, dims = 5, size = length * dims;
  OneHead head(length, dims, 0);
  head.parameters = testing::fractions(head.list.size(), 3);
  head.pass.parameters = head.parameters.data();
  const auto rows = testing::fractions(size, 4), query = testing::fractions(size, 5), key = testing::fractions(size, 6);
  auto d_scores = testing::fractions(length * length, 7);
  for (std::size_t i = 0; i < length; ++i) std::fill_n(d_scores.data() + i * length + i, length - i, 0.0f);
  const auto scores = head.scores(rows, query, key);
  std::vector<float> d_query(size), d_key(size), d_rows(size), d_parameters(head.list.size()), d = d_scores;
  const auto strided = [&](auto& of) { return posenc::row_major(of.data(), dims); };
  head.encoding[0]->scores_gradient(head.pass, {}, {strided(query), strided(key), strided(key)}, d.data(),
                                    {strided(d_query), strided(d_key), strided(d_key)}, d_parameters.data());
  head.encoding[0]->read_gradient(head.pass, 0, rows.data(), d_rows.data(), d_parameters.data());
  CHECK(d == std::vector<float>(length * length));

  const reference::EncodingProblem problem{head.pass.shape, head.positions, true, {}, head.list};
  const std::vector<float>* const values[]{&rows, &query, &key, &head.parameters};
  const std::vector<float>* const gradients[]{&d_rows, &d_query, &d_key, &d_parameters};
  std::vector<std::vector<float>> lines;
  for (const std::uint32_t k : {0u, 1u, 2u, 3u}) lines.push_back(testing::fractions(values[k]->size(), 8 + k));
  // The scores of keys before their queries, each array moved so far along its line.
  const auto exact_scores = [&](const Values& by) {
    const auto moved = [&](std::size_t k) {
      Values all = reference::widened(*values[k]);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += by[k] * lines[k][i];
      return all;
    };
    const reference::EncodingArguments arguments{{}, moved(0), moved(1), moved(2), {}, moved(3)};
    Path path;
    Values all(length * length);
    for (std::size_t i = 0; i < length; ++i) {
      path({problem, arguments, 0, 0, i}, std::span(all).subspan(i * length, length));
      std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(i * length + i), length - i, Quad(0));
    }
    return all;
  };
  CHECK(reference::worst_of_largest(scores, exact_scores(Values(4))) <= 2e-6);
  const Values slopes = reference::differences(
      [&](const Values& by) {
        const Values all = exact_scores(by);
        Quad sum = 0;
        for (std::size_t i = 0; i < all.size(); ++i) sum += d_scores[i] * all[i];
        return sum;
      },
      Values(4));
  for (std::size_t k = 0; k < 4; ++k) {
    Quad slope = 0, most = 0;
    for (std::size_t i = 0; i < lines[k].size(); ++i) {
      const Quad term = static_cast<Quad>((*gradients[k])[i]) * lines[k][i];
      slope += term;
      most += reference::magnitude(term);
    }
    CAPTURE(k);
    CHECK(reference::magnitude(slope - slopes[k]) <= 2e-6 * most);
  }
  // fractions: of the parameters 3, rows 4, queries 5, keys 6; of what the gradient is given 7, below the diagonal.
  testing::check_hash("learning: path", "edd7ec867189a3f8", {scores, d_query, d_key, d_rows, d_parameters});
}

TEST_CASE("learning: what PaTH begins with", "[learning][path]") {
  const auto encoding = value_of(learning::make_encoding({.type = EncodingType::path}));
  learning::ParameterList list;
  for (int twice = 0; twice < 2; ++twice) encoding[0]->declare({.layers = 2, .heads = 3, .width = 12}, list);
  REQUIRE(list.all().size() == 6);
  for (const std::string layer : {"layers.0.path.", "layers.1.path."}) {
    const auto *directions = list.find(layer + "directions"), *strengths = list.find(layer + "strengths"),
               *bias = list.find(layer + "strengths.bias");
    REQUIRE((directions != nullptr && strengths != nullptr && bias != nullptr));
    CHECK(directions->size() == 144);
    CHECK(directions->initial.deviation == 0.02);
    CHECK(strengths->rows == 3);
    CHECK(strengths->columns == 12);
    CHECK(bias->size() == 3);
    CHECK(bias->initial.deviation == 0);
  }
}
