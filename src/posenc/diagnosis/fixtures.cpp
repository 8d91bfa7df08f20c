#include "posenc/diagnosis/fixtures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/ordering.hpp"
#include "posenc/diagnosis/fixtures/fixture_field.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::int64_t most_dims = 1024;

/// Positions up to it are whole numbers of float32.
constexpr std::int64_t most_length = std::int64_t{1} << 24;

/// A port's test with so few tokens is still read at a glance.
constexpr int most_tokens = 8;

/// The positions of axes have ratios of no simple numbers, so that none are multiples of another's.
constexpr double axis_ratio = 0.618;

/// A mistake has so many outputs: with fewer a chance agreement would have its name, with more the file grows.
constexpr std::size_t least_outputs = 6, most_outputs = 64;

/// So many more distinguish it from another, or both have one entry.
constexpr std::size_t most_apart = 12;

/// A fixture has so many outputs in all: a factor near 1 shows in the mean of many alone.
constexpr std::size_t most_of_all = 400;

/// One in so many of the dimensions that do not rotate is tested in any case.
constexpr std::size_t still_step = 8;

/// An output that another mistake has already is worth so many times as much: it is stored anyway.
constexpr double stored_bonus = 1.5;

/// Two mistakes are distinguished if a score of one by the other is off by a tenth.
constexpr double distinct_residual = 0.01;

/// Standard deviations that no sum of roundings reaches: one in 16000 does.
constexpr double most_deviations = 4;

/// A mistake is detected in float32 if an output is off by so many tolerances.
constexpr double detected_tolerances = 100;

/// Positions [axes, tokens]: odd numbers at equal ratios, which bfloat16 does not represent where they are large, up to
/// one that is far from the last and from its half. Of several axes each has the largest of one token in three.
std::vector<double> fixture_positions(double length, std::size_t axes) {
  std::vector<double> largest;
  for (int k = 1; k <= most_tokens; ++k) {
    const double odd = std::floor(std::pow(0.95 * length, 1.0 * k / most_tokens) / 2) * 2 + 1;
    if (odd < length && (largest.empty() || odd > largest.back())) largest.push_back(odd);
  }
  std::vector<double> positions;
  const std::size_t tokens = largest.size();
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t token = 0; token < tokens; ++token) {
      const double part = std::pow(axis_ratio, static_cast<double>((axis + tokens - 1 - token) % axes));
      positions.push_back(std::floor(largest[token] * part));
    }
  return positions;
}

using OutputList = std::vector<std::size_t>;

/// Chooses the outputs that are stored: for each mistake those that it moves most, beside what bfloat16 does.
class OutputChooser {
 public:
  explicit OutputChooser(const FixtureField& field)
      : field_(field), stored_(field.right.size(), false), lists_(field.wrongs.size()) {}

  Fixture choose() {
    for (std::size_t i = 0; i < lists_.size(); ++i)
      if (field_.wrongs[i].times == 1) choose_for(i);
    see_all_dims();
    const auto rotates = [&](std::size_t index) { return field_.rotates(index); };
    for (std::size_t i = 0; i < lists_.size(); ++i)
      if (field_.wrongs[i].times != 1) {
        lists_[i] = stored_outputs(rotates);
        add_outputs(
            i, most_of_all, [&](std::size_t index) { return moved(i, index) / field_.deviation[index]; },
            [&] { return noise_of(i).bfloat16 <= score_tolerance; });
        for (const std::size_t index : lists_[i]) stored_[index] = true;
      }
    for (std::size_t i = 0; i < lists_.size(); ++i)
      if (field_.wrongs[i].times != 1) lists_[i] = stored_outputs(rotates);
    return made();
  }

 private:
  [[nodiscard]] double moved(std::size_t wrong, std::size_t index) const { return field_.wrongs[wrong].moves[index]; }

  /// The errors that a score may have without a mistake.
  struct Noises {
    double float32, bfloat16;
  };
  [[nodiscard]] Noises noise_of(std::size_t wrong) const {
    double squares = 0, float32 = 0, bfloat16 = 0, variance = 0;
    for (const std::size_t index : lists_[wrong]) {
      const double move = std::fabs(moved(wrong, index)), deviation = field_.deviation[index] * move;
      squares += move * move;
      float32 += field_.float32[index] * move;
      bfloat16 += field_.bfloat16[index] * move;
      variance += deviation * deviation;
    }
    const double random = most_deviations * std::sqrt(variance) + float32;
    return {float32 / squares, std::min(bfloat16, random) / squares};
  }

  /// The part of the squares of one mistake's moves that remains if another was made.
  [[nodiscard]] double residual(std::size_t wrong, std::size_t made) const {
    double squares = 0, left = 0;
    for (const std::size_t index : lists_[wrong]) {
      const double move = moved(wrong, index), difference = moved(made, index) - move;
      squares += move * move;
      left += difference * difference;
    }
    return left / squares;
  }

  /// Adds to a mistake's outputs those of the largest weights, at most so many, until they are enough.
  void add_outputs(std::size_t wrong, std::size_t most, const auto& weight, const auto& is_enough) {
    OutputList& list = lists_[wrong];
    OutputList indices;
    std::vector<double> weights(stored_.size());
    for (std::size_t index = 0; index < stored_.size(); ++index) {
      weights[index] = std::fabs(weight(index)) * (stored_[index] ? stored_bonus : 1);
      const bool is_new = std::ranges::find(list, index) == list.end();
      if (is_new && field_.steady[index] && weights[index] > 0) indices.push_back(index);
    }
    sort_by(indices, [&](std::size_t index) { return -weights[index]; });
    for (std::size_t i = 0; i < std::min(most, indices.size()) && !is_enough(); ++i) list.push_back(indices[i]);
  }

  void choose_for(std::size_t wrong) {
    OutputList& list = lists_[wrong];
    const auto shows = [&](double tolerance) { return noise_of(wrong).bfloat16 <= tolerance; };
    add_outputs(
        wrong, most_outputs, [&](std::size_t index) { return moved(wrong, index) / field_.bfloat16[index]; },
        [&] { return list.size() >= least_outputs && shows(score_tolerance); });
    // A mistake that bfloat16 hides needs few outputs in float32.
    if (!shows(largest_score_tolerance)) list.resize(std::min(list.size(), least_outputs));
    for (std::size_t other = 0; other < lists_.size(); ++other) {
      const std::size_t before = list.size();
      const auto is_apart = [&] { return !(residual(wrong, other) < distinct_residual); };
      if (other == wrong || is_apart()) continue;
      add_outputs(
          wrong, most_apart,
          [&](std::size_t index) { return (moved(wrong, index) - moved(other, index)) / field_.bfloat16[index]; },
          is_apart);
      if (!is_apart()) list.resize(before);  // the same but for a little: one entry for both
    }
    for (const std::size_t index : list) stored_[index] = true;
  }

  /// A dimension that no mistake needs is tested once: others than the known ones may show there.
  void see_all_dims() {
    const Pairing& pairing = field_.pairing;
    const auto see = [&](std::size_t dimension, std::size_t partner) {
      for (std::size_t token = 0; token < field_.tokens; ++token)
        if (stored_[token * field_.dim + dimension] || stored_[token * field_.dim + partner]) return;
      for (std::size_t i = 0; i < field_.tokens; ++i) {
        const std::size_t index = (dimension + i) % field_.tokens * field_.dim + dimension;
        if (!field_.steady[index]) continue;
        stored_[index] = true;
        return;
      }
    };
    for (std::size_t pair = 0; pair < pairing.pairs(); ++pair)
      see(dim_of(pairing.writes, pairing, pair, 0), dim_of(pairing.writes, pairing, pair, 1));
    for (std::size_t dimension = 0; dimension < field_.dim; dimension += still_step)
      if (!field_.rotates(dimension)) see(dimension, dimension);
  }

  [[nodiscard]] OutputList stored_outputs(const auto& which) const {
    OutputList indices;
    for (std::size_t index = 0; index < stored_.size(); ++index)
      if (stored_[index] && which(index)) indices.push_back(index);
    return indices;
  }

  [[nodiscard]] Fixture made() const {
    Fixture fixture;
    fixture.axes = field_.axes, fixture.tokens = field_.tokens, fixture.dim = field_.dim;
    fixture.positions = field_.positions, fixture.input = field_.input, fixture.outputs = field_.right;
    fixture.float32_tolerances.assign(field_.tokens, 0.0);
    fixture.bfloat16_tolerances.assign(field_.tokens, 0.0);
    for (const bool rotates : {true, false}) {
      for (const std::size_t index : stored_outputs([&](std::size_t at) { return field_.rotates(at) == rotates; })) {
        fixture.indices.push_back(static_cast<std::uint32_t>(index));
        double& float32 = fixture.float32_tolerances[index / field_.dim];
        double& bfloat16 = fixture.bfloat16_tolerances[index / field_.dim];
        float32 = std::max(float32, field_.float32[index]);
        bfloat16 = std::max(bfloat16, field_.bfloat16[index]);
      }
      if (rotates) fixture.rotated = fixture.indices.size();
    }
    // Mistakes that numbers cannot distinguish have one entry, the first one's.
    std::vector<std::size_t> kept;
    std::vector<std::vector<Mistake>> names(lists_.size());
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const auto alike = std::ranges::find_if(kept, [&](std::size_t k) { return residual(k, i) < distinct_residual; });
      std::vector<Mistake>& own = names[alike == kept.end() ? i : *alike];
      if (alike == kept.end()) kept.push_back(i);
      if (std::ranges::find(own, field_.wrongs[i].mistake) == own.end()) own.push_back(field_.wrongs[i].mistake);
    }
    for (const std::size_t i : kept) add_mistake(fixture, i, std::move(names[i]));
    return fixture;
  }

  void add_mistake(Fixture& fixture, std::size_t wrong, std::vector<Mistake> names) const {
    const double times = field_.wrongs[wrong].times;
    FixtureMistake mistake{.names = std::move(names), .times = times, .at = {}, .moves = {}};
    const auto [float32, bfloat16] = noise_of(wrong);
    if (bfloat16 <= largest_score_tolerance) mistake.bfloat16_tolerance = std::max(bfloat16, score_tolerance);
    double most = 0;  // of tolerances of float32
    for (const std::size_t index : lists_[wrong]) {
      most = std::max(most, std::fabs(moved(wrong, index)) / fixture.float32_tolerances[index / field_.dim]);
      if (times != 1) continue;
      const auto at = std::ranges::find(fixture.indices, index) - fixture.indices.begin();
      mistake.at.push_back(static_cast<std::uint32_t>(at));
      mistake.moves.push_back(moved(wrong, index));
    }
    if (most >= detected_tolerances && float32 <= score_tolerance) {
      fixture.mistakes.push_back(std::move(mistake));
      return;
    }
    for (const Mistake name : mistake.names)
      if (std::ranges::find(fixture.undetected, name) == fixture.undetected.end()) fixture.undetected.push_back(name);
  }

  const FixtureField& field_;
  std::vector<bool> stored_;
  std::vector<OutputList> lists_;
};

}  // namespace

Expected<Fixture> make_fixture(const Expectation& expected, const FixtureOptions& options) {
  POSENC_TRY(check_whole("length", options.length, 2, most_length));
  Expectation meant = expected;
  if (meant.plan) {
    POSENC_TRY(check_whole("expected.dim", meant.plan->dim, 2, most_dims));
    if (!meant.plan->length) meant.plan->length = options.length;
  }
  for (RotaryOptions& other : meant.others)
    if (!other.length) other.length = options.length;
  POSENC_TRY_LET(field, fixture_field(meant, fixture_positions(static_cast<double>(options.length), axes_of(meant))));
  return OutputChooser(field).choose();
}

}  // namespace posenc
