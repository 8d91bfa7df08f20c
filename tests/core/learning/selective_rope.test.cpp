/// Selective RoPE (Movahedi et al. 2025, arXiv 2511.17388).

#include <catch2/catch_test_macros.hpp>
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

/// score_ij = scale Re(sum over p of q_ip conj(k_jp) e^(i (a_ip - a_jp))): queries and keys turned by the sums of
/// steps.
class SelectiveTurns {
 public:
  void operator()(const QueryPlace& place, std::span<Quad> scores) {
    const std::size_t pairs = place.dims() / 2;
    // Queries come in order: all of a head have its angles.
    if (place.query == 0) set_angles(place, scores.size());
    const Quad scale = 1 / reference::square_root(Quad(static_cast<double>(place.dims())));
    for (std::size_t j = 0; j < scores.size(); ++j) {
      scores[j] = 0;
      for (std::size_t p = 0; p < pairs; ++p) {
        const auto [sine, cosine] = reference::phase(angles_[place.query * pairs + p] - angles_[j * pairs + p]);
        const Quad a = place.of(place.arguments.query, place.query, p);
        const Quad b = place.of(place.arguments.query, place.query, p + pairs);
        const Quad c = place.of(place.arguments.key, j, p), d = place.of(place.arguments.key, j, p + pairs);
        scores[j] += scale * ((a * c + b * d) * cosine + (a * d - b * c) * sine);
      }
    }
  }

 private:
  void set_angles(const QueryPlace& place, std::size_t length) {
    const std::size_t width = place.problem.shape.width, dims = place.dims(), pairs = dims / 2;
    const auto frequencies =
        reference::frequencies({.dim = static_cast<std::int64_t>(2 * pairs), .base = place.problem.options.base});
    angles_.clear();
    Values sums(pairs);
    for (std::size_t t = 0; t < length; ++t) {
      Values units(width);
      for (std::size_t head = 0; head < width / dims; ++head) {
        const std::size_t first = head * dims, row = (place.sequence * length + t) * width;
        Quad squares = static_cast<double>(dims) * Quad(1e-6f);
        for (std::size_t dimension = first; dimension < first + dims; ++dimension)
          squares += place.arguments.rows[row + dimension] * place.arguments.rows[row + dimension];
        for (std::size_t dimension = first; dimension < first + dims; ++dimension)
          units[dimension] = place.arguments.rows[row + dimension] / reference::square_root(squares);
      }
      for (std::size_t p = 0; p < pairs; ++p) {
        for (std::size_t dimension = 0; dimension < width; ++dimension)
          sums[p] += place.parameter("layers.0.steps", place.head * pairs + p, dimension) * units[dimension];
        angles_.push_back(sums[p] * frequencies[p]);
      }
    }
  }

  Values angles_;  ///< [length, pairs]
};

}  // namespace

TEST_CASE("learning: selective RoPE", "[learning][selective-rope]") {
  testing::check_encoding({.type = EncodingType::selective_rope}, {.scores = SelectiveTurns()}, 1e-6);
  // Several turns a token, of pairs that are all fast.
  testing::check_encoding({.type = EncodingType::selective_rope, .base = 2}, {.scores = SelectiveTurns()}, 4e-6, -12,
                          12);
}

TEST_CASE("learning: without steps, selective RoPE leaves queries and keys as they are", "[learning][selective-rope]") {
  const auto encoding = value_of(learning::make_encoding({.type = EncodingType::selective_rope}));
  learning::ParameterList list;
  // Heads of 5 dimensions: the last does not turn.
  const learning::PassShape shape{.sequences = 2, .length = 3, .heads = 3, .width = 15};
  for (int twice = 0; twice < 2; ++twice) encoding[0]->declare(shape, list);
  REQUIRE(list.all().size() == 1);
  CHECK(list.all()[0].rows == 6);
  CHECK(list.all()[0].columns == 15);
  CHECK(list.all()[0].initial.deviation == 0.02);
  value_of(encoding[0]->reserve({shape, 2}));
  std::vector<float> parameters(list.size());
  const std::vector<std::int32_t> positions{0, 1, 2};
  learning::Pass pass{.shape = shape, .positions = positions, .parameters = parameters.data()};
  const auto before = testing::fractions(90, 7);
  auto query = before, key = before;
  const auto rotate = [&] {
    encoding[0]->read_rows(pass, 0, before.data());
    encoding[0]->rotate(pass, 0, posenc::row_major(query.data(), 15), posenc::row_major(key.data(), 15));
  };
  rotate();
  CHECK(query == before);
  CHECK(key == before);
  parameters = testing::fractions(list.size(), 8);
  pass.parameters = parameters.data();
  rotate();
  CHECK(query == key);
  for (std::size_t i = 0; i < 90; ++i) CHECK((query[i] == before[i]) == (i % 5 == 4));
}

TEST_CASE("learning: selective RoPE's errors", "[learning][selective-rope]") {
  testing::require_error(learning::make_encoding({.type = EncodingType::selective_rope, .base = 0}), "base", "0");
  const auto encoding = value_of(learning::make_encoding({.type = EncodingType::selective_rope}));
  testing::require_error(encoding[0]->reserve({{.sequences = 1, .length = 1, .heads = 4, .width = 4}, 0}),
                         "model.width", "4");
}
