#include "posenc/diagnosis/samples/departure.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/axes/axis_assignment.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"

namespace posenc::diagnosis {
namespace {

using Complex = std::complex<double>;

/// Marks of tokens, heads and pairs.
struct Marks {
  std::vector<bool> tokens, heads, pairs;

  [[nodiscard]] bool are_all() const {
    const auto is_marked = [](bool mark) { return mark; };
    return std::ranges::all_of(tokens, is_marked) && std::ranges::all_of(heads, is_marked) &&
           std::ranges::all_of(pairs, is_marked);
  }

  [[nodiscard]] static std::vector<std::int64_t> marked(const std::vector<bool>& marks) {
    std::vector<std::int64_t> made;
    for (std::size_t i = 0; i < marks.size(); ++i)
      if (marks[i]) made.push_back(static_cast<std::int64_t>(i));
    return made;
  }
};

RotationHypothesis hypothesis_of(const Expectation& expected, const Pairing& pairing) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a pairing was made of it
  RotationHypothesis made{.plan = *expected.plan};
  made.plan.dim = static_cast<std::int64_t>(pairing.count);
  made.plan.rotary_dim = std::nullopt;
  made.plan.layout = Layout::half;
  made.first_position = expected.first_position;
  made.position_scale = expected.position_scale;
  made.negative = expected.inverse;
  made.arithmetic = expected.arithmetic.value_or(AngleArithmetic::exact);
  if (const auto factor = attention_factor(plan_of(made.plan))) made.factor = *factor;
  return made;
}

/// The expected rotations of some tokens, [tokens, pairs]; each pair has the positions of its axis.
Expected<std::vector<Complex>> rotations_at(const RotationHypothesis& hypothesis, std::span<const double> positions,
                                            std::span<const std::int64_t> axis_of_pair, std::size_t axes) {
  const std::size_t tokens = positions.size() / axes, pairs = axis_of_pair.size();
  std::vector<double> cosines(tokens * pairs), sines(tokens * pairs);
  std::vector<Complex> made(tokens * pairs);
  const RotationMap map(hypothesis);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    POSENC_TRY(write_rotations(hypothesis, positions.subspan(axis * tokens, tokens), cosines, sines));
    for (std::size_t at = 0; at < made.size(); ++at) {
      if (axis_of_pair[at % pairs] != static_cast<std::int64_t>(axis)) continue;
      const RotatedPair rotated = map(cosines[at], sines[at]);
      made[at] = {rotated.real, rotated.imaginary};
    }
  }
  return made;
}

/// Marks what is further from the expected rotations than roundings explain.
void mark(const HeadSamples& vectors, std::size_t first_token, std::size_t first_head, const Pairing& pairing,
          std::span<const Complex> rotations, Marks& marks) {
  const auto pair_at = [&](const std::vector<double>& values, Layout layout, std::size_t start, std::size_t pair) {
    return Complex{values[start + dim_of(layout, pairing, pair, 0)], values[start + dim_of(layout, pairing, pair, 1)]};
  };
  for (std::size_t token = 0; token < vectors.tokens.size(); ++token)
    for (std::size_t head = 0; head < vectors.heads; ++head)
      for (std::size_t pair = 0; pair < pairing.pairs(); ++pair) {
        const std::size_t start = vectors.at(token, head);
        const Complex before = pair_at(vectors.before, pairing.reads, start, pair);
        const Complex after = pair_at(vectors.after, pairing.writes, start, pair);
        const double unit = vectors.unit(start, std::abs(before), std::max(std::abs(before), std::abs(after)));
        if (std::abs(after - rotations[token * pairing.pairs() + pair] * before) <= explained_units * unit) continue;
        marks.tokens[first_token + token] = marks.heads[first_head + head] = marks.pairs[pair] = true;
      }
}

}  // namespace

Expected<Departure> departure_from(const RotationSamples& samples, const Expectation& expected,
                                   const RotationAxes& axes, const HeadSamples& searched, const Pairing& pairing) {
  const std::size_t tokens = samples.positions.size() / samples.axes;
  const std::size_t heads = samples.before.values.size() / tokens / searched.dims;
  std::vector<std::int64_t> axis_of_pair(pairing.pairs(), 0);
  if (samples.axes > 1) axis_of_pair = mrope_axes(expected.mrope_section, expected.mrope_order, pairing.pairs());
  Departure made;
  if (axis_of_pair.empty()) return made;
  const RotationHypothesis hypothesis = hypothesis_of(expected, pairing);
  Marks marks{.tokens = std::vector<bool>(tokens),
              .heads = std::vector<bool>(heads),
              .pairs = std::vector<bool>(pairing.pairs())};
  std::vector<std::size_t> all_heads(heads);
  std::iota(all_heads.begin(), all_heads.end(), std::size_t{0});
  const std::size_t together = std::max<std::size_t>(HeadSamples::most_values / searched.dims / tokens_a_check, 1);
  for (std::size_t start = 0; start < tokens; start += tokens_a_check) {
    const std::vector<std::size_t> some = checked_tokens(start, tokens);
    POSENC_TRY_LET(rotations, rotations_at(hypothesis, positions_at(samples.positions, samples.axes, some),
                                           axis_of_pair, samples.axes));
    for (std::size_t head = 0; head < heads; head += together)
      mark(gather_others(samples.before, samples.after, axes, searched, some,
                         std::span(all_heads).subspan(head, std::min(together, heads - head))),
           start, head, pairing, rotations, marks);
  }
  // What departs everywhere has no place.
  if (marks.are_all()) return made;
  made.tokens = Marks::marked(marks.tokens);
  made.heads = Marks::marked(marks.heads);
  made.pairs = Marks::marked(marks.pairs);
  made.of_tokens = static_cast<std::int64_t>(tokens);
  return made;
}

}  // namespace posenc::diagnosis
