#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/mistake.hpp"

namespace posenc {

struct FixtureOptions {
  std::int64_t length = 4096;  ///< positions are below it, 2 ... 2^24; it is the plan's length where that has none
};

/// A known mistake, by which outputs differ by `moves` from what they should be.  Its score is the projection of what
/// outputs differ by on `moves`: <difference, moves> / <moves, moves>, 0 for what is right and 1 for the mistake.
struct FixtureMistake {
  std::vector<Mistake> names;  ///< several where numbers cannot distinguish them
  /// A wrong factor multiplies outputs by this, in all dimensions that rotate; `at` and `moves` are then empty.
  double times = 1;
  std::vector<std::uint32_t> at;  ///< into Fixture::indices
  std::vector<double> moves;      ///< wrong less right, there
  /// The score of bfloat16 may be so far from 0: score_tolerance or, of a mistake that moves little, what roundings may
  /// move it by; none where these hide it.
  std::optional<double> bfloat16_tolerance = std::nullopt;
};

/// Inputs, positions and outputs that distinguish each known mistake from what is right, and from the others.
struct Fixture {
  std::size_t axes = 1, tokens = 0, dim = 0;
  std::vector<double> positions;  ///< [axes, tokens], whole numbers
  std::vector<double> input;      ///< [dim], of every token: whole numbers from -8 to 8
  std::vector<double> outputs;    ///< [tokens, dim], exact but for the roundings of double
  /// The outputs that are tested, token * dim + dimension: `rotated` of them in dimensions that rotate, then others;
  /// ascending.
  std::vector<std::uint32_t> indices;
  std::size_t rotated = 0;
  /// The error that an output of a right implementation may have, a number a token.
  std::vector<double> float32_tolerances, bfloat16_tolerances;
  std::vector<FixtureMistake> mistakes;
  /// Mistakes that change too little below this length to be detected by so few numbers.
  std::vector<Mistake> undetected;
};

/// A score may be so far from 0: each mistake fails by a hundred times that, and by a tenth more.
inline constexpr double score_tolerance = 0.009;

/// A score of bfloat16 may be so far from 0, at most: each mistake fails by ten times that.
inline constexpr double largest_score_tolerance = 0.09;

/// A mistake is named if it leaves at most this part of the sum of squares of `moves` unexplained.
inline constexpr double named_residual = 0.02;

/// Makes a fixture. Right are implementations that round as "transformers" or "ggml" do in float32 (certificate.hpp),
/// or as "transformers" in bfloat16: their angles are float32's, and outputs at which these are too far off are not
/// taken. Bounds in float32 are those of the certificate, doubled. For scores in bfloat16 they are these too or, where
/// that is less, four standard deviations of independent roundings.  The plan's `dim` counts the dimensions of the
/// head, up to 1024. Errors: a plan that is missing; dim; length; those of Rotary::make, of mrope and of certify;
/// memory.
[[nodiscard]] Expected<Fixture> make_fixture(const Expectation& expected, const FixtureOptions& options);

}  // namespace posenc
