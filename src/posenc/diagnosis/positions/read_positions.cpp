#include "posenc/diagnosis/positions/read_positions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <variant>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/axes/axis_assignment.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/positions/token_positions.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"
#include "posenc/diagnosis/samples/pair_explanations.hpp"
#include "posenc/diagnosis/samples/pair_lengths.hpp"

namespace posenc::diagnosis {
namespace {

/// A hypothesis is tried on so many tokens first.
constexpr std::size_t tried_tokens = 6;

/// Positions are looked for up to these, and up to a multiple of those given; of keys that are rotated again and again
/// up to sums of positions.
constexpr double usual_positions = 4096, position_multiple = 4;

bool is_of_positions(const std::vector<Mistake>& mistakes) {
  return std::ranges::any_of(mistakes, [](Mistake mistake) {
    return is_of_arithmetic(mistake) || mistake == Mistake::first_position || mistake == Mistake::position_scale ||
           mistake == Mistake::not_rotated;
  });
}

class TokenReader {
 public:
  TokenReader(const RotatedTokens& rotated, const Expectation& expected)
      : rotated_(rotated), expected_(expected), tokens_(rotated.positions.size() / rotated.axes) {}

  [[nodiscard]] Expected<std::optional<ReadPositions>> read() {
    double farthest = std::max(usual_positions, position_multiple * static_cast<double>(tokens_));
    for (const double position : rotated_.positions)
      farthest = std::max(farthest, position_multiple * std::fabs(position));
    const double sums = static_cast<double>(tokens_) * static_cast<double>(tokens_) / 2;
    for (const double reach : {farthest, sums}) {
      // Where some tokens have positions within the first reach, others have none beyond it.
      if (reach < farthest || was_near_) continue;
      for (const Pairing& pairing : rotated_.pairings) POSENC_TRY(read_by(pairing, reach));
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] static bool is_named(const ReadPositions& read) {
    return read.patterns.front().mistake != Mistake::positions_other;
  }

  [[nodiscard]] std::vector<std::int64_t> axes_of(const Pairing& pairing) const {
    if (rotated_.axes == 1) return std::vector<std::int64_t>(pairing.pairs(), 0);
    return mrope_axes(expected_.mrope_section, expected_.mrope_order, pairing.pairs());
  }

  [[nodiscard]] Expected<void> read_by(const Pairing& pairing, double farthest) {
    const std::vector<std::int64_t> axis_of_pair = axes_of(pairing);
    if (axis_of_pair.empty()) return {};
    const RotationContext context = rotation_context(expected_, pairing.count, rotated_.dims);
    if (!context.expected) return {};
    const std::vector<std::size_t> some = diagnosis::spread_tokens(tokens_, tried_tokens);
    const PairRotations few = rotated_.rotations_of(pairing, some);
    for (const MistakenHypothesis& each : rotated_.lists->list(context, false).hypotheses) {
      if (is_of_positions(each.mistakes) || each.hypothesis.factor == 0) continue;
      if (found_ && is_named(*found_)) return {};
      const AngleArithmetic loosest = expected_.arithmetic.value_or(AngleArithmetic::float32);
      auto tried = PositionReader::make(each.hypothesis, loosest, farthest);
      if (!tried) continue;
      std::vector<double> values(rotated_.positions.begin(), rotated_.positions.end());
      POSENC_TRY_LET(fits, read_tokens(*tried, few, some, axis_of_pair, values));
      if (!fits) continue;
      was_near_ = true;
      if (!rotated_.departing.empty()) {
        POSENC_TRY_LET(moved, read_tokens(*tried, rotated_.rotations_of(pairing, rotated_.departing),
                                          rotated_.departing, axis_of_pair, values));
        if (!moved) continue;
      }
      POSENC_TRY_LET(reader, PositionReader::make(each.hypothesis, loosest, farthest));
      POSENC_TRY_LET(all, read_all(reader, pairing, axis_of_pair, values));
      if (all) keep(std::move(values), reader.bits());
    }
    return {};
  }

  /// Reads some tokens into `values`; whether all of them have a position.
  [[nodiscard]] Expected<bool> read_tokens(PositionReader& reader, const PairRotations& rotations,
                                           const std::vector<std::size_t>& tokens,
                                           const std::vector<std::int64_t>& axis_of_pair,
                                           std::vector<double>& values) const {
    for (std::size_t axis = 0; axis < rotated_.axes; ++axis)
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        double& value = values[axis * tokens_ + tokens[i]];
        POSENC_TRY_LET(position, reader.read(rotations, i, axis_of_pair, static_cast<std::int64_t>(axis),
                                             rotated_.positions[axis * tokens_ + tokens[i]]));
        if (!position) return false;
        value = *position;
      }
    return true;
  }

  [[nodiscard]] Expected<bool> read_all(PositionReader& reader, const Pairing& pairing,
                                        const std::vector<std::int64_t>& axis_of_pair,
                                        std::vector<double>& values) const {
    for (std::size_t start = 0; start < tokens_; start += tokens_a_check) {
      const std::vector<std::size_t> some = checked_tokens(start, tokens_);
      POSENC_TRY_LET(fits, read_tokens(reader, rotated_.rotations_of(pairing, some), some, axis_of_pair, values));
      if (!fits) return false;
    }
    return true;
  }

  /// Keeps positions that have a simpler pattern than those before.
  void keep(std::vector<double> values, double bits) {
    std::vector<PositionPattern> patterns;
    for (std::size_t axis = 0; axis < rotated_.axes; ++axis) {
      std::vector<PositionPattern> own = position_patterns(rotated_.positions.subspan(axis * tokens_, tokens_),
                                                           std::span(values).subspan(axis * tokens_, tokens_));
      if (own.empty()) continue;
      if (patterns.empty() || own.front().mistake != patterns.front().mistake) {
        const bool is_first = patterns.empty();
        patterns = std::move(own);
        if (!is_first)
          patterns = {{.mistake = Mistake::positions_other, .tokens = {}, .amount = 0, .numbers = values.size()}};
      }
    }
    if (patterns.empty() || (found_ && patterns.front().mistake == Mistake::positions_other)) return;
    const double cost = any_number_bits * static_cast<double>(patterns.front().numbers);
    found_ = ReadPositions{.values = std::move(values), .patterns = std::move(patterns), .bits = bits - cost};
  }

  const RotatedTokens& rotated_;
  const Expectation& expected_;
  std::size_t tokens_;
  bool was_near_ = false;  ///< some tokens had positions by a hypothesis
  std::optional<ReadPositions> found_;
};

}  // namespace

Expected<std::optional<ReadPositions>> read_positions(const RotatedTokens& rotated, const Expectation& expected) {
  if (!expected.plan) return std::optional<ReadPositions>{};
  return TokenReader(rotated, expected).read();
}

void add_patterns(const SampledPositions& given, const Expectation& expected, Diagnosis& diagnosis) {
  if (given.axes != 1 || diagnosis.explanations.empty()) return;
  Explanation made = diagnosis.explanations.front();
  const auto is_of_rule = [](Mistake mistake) {
    return mistake == Mistake::sign || mistake == Mistake::first_position || mistake == Mistake::position_scale;
  };
  // An offset or a multiple alone is the simpler answer.
  if (std::ranges::count_if(made.mistakes, is_of_rule) < 2) return;
  auto& found = std::get<FoundRotation>(made.found);
  RotationHypothesis& hypothesis = found.hypothesis;
  const double sign = hypothesis.negative == expected.inverse ? 1 : -1;
  std::vector<double> values;
  for (const double position : given.values)
    values.push_back(
        (sign * (hypothesis.position_scale * position + hypothesis.first_position) - expected.first_position) /
            expected.position_scale +
        0.0);  // never -0
  const std::vector<PositionPattern> patterns = position_patterns(given.values, values);
  if (patterns.empty() || patterns.front().mistake == Mistake::positions_other) return;
  hypothesis.negative = expected.inverse;
  hypothesis.first_position = expected.first_position;
  hypothesis.position_scale = expected.position_scale;
  std::erase_if(made.mistakes, is_of_rule);
  made.shift = 0, made.scale = 1;
  found.positions = {.values = values, .tokens = patterns.front().tokens, .amount = patterns.front().amount};
  made.mistakes.push_back(patterns.front().mistake);
  if (diagnosis.verdict == Verdict::certain) diagnosis.explanations.resize(1);
  diagnosis.explanations.insert(diagnosis.explanations.begin(), std::move(made));
  diagnosis.verdict = Verdict::ambiguous;
}

void note_positions(const ReadPositions& read, Diagnosis& diagnosis) {
  if (diagnosis.verdict == Verdict::none || diagnosis.explanations.empty()) return;
  // Others are named where they may be right: patterns of the first explanation alone, where that is certain.
  if (read.patterns.size() > 1 && diagnosis.verdict == Verdict::certain) diagnosis.explanations.resize(1);
  std::vector<Explanation> made;
  for (const Explanation& each : diagnosis.explanations)
    for (const PositionPattern& pattern : read.patterns) {
      Explanation& noted = made.emplace_back(each);
      noted.mistakes.push_back(pattern.mistake);
      const FoundPositions positions{.values = read.values, .tokens = pattern.tokens, .amount = pattern.amount};
      if (auto* const rotation = std::get_if<FoundRotation>(&noted.found)) rotation->positions = positions;
      if (auto* const table = std::get_if<FoundSinusoid>(&noted.found)) table->positions = positions;
    }
  diagnosis.explanations = std::move(made);
  // Positions of no known pattern could be those of another encoding.
  const bool is_named = read.patterns.front().mistake != Mistake::positions_other;
  if (read.patterns.size() > 1)
    diagnosis.verdict = Verdict::ambiguous;
  else if (diagnosis.verdict == Verdict::certain && (!is_named || read.bits < certain_bits))
    diagnosis.verdict = Verdict::likely;
}

}  // namespace posenc::diagnosis
