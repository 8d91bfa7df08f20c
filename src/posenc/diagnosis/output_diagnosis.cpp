#include "posenc/diagnosis/output_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/answers.hpp"
#include "posenc/diagnosis/engine/noise.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/views/pairing.hpp"

namespace posenc {
namespace {

using diagnosis::Pairing;

/// Roundings of an output that an input computed back from it has: as a rule, not at most.
constexpr double back_roundings = 2;

RotationSamples rotation_of(const OutputSamples& samples, const SampledTensor& before, const SampledTensor& after) {
  return {.before = before,
          .after = after,
          .positions = samples.positions,
          .axes = samples.axes,
          .sequence_axis = samples.sequence_axis,
          .dim_axis = samples.dim_axis};
}

/// Renames `after` in an error to `name`, under which it was given.
template <class T>
Expected<T> named(Expected<T> made, std::string_view name) {
  constexpr std::string_view after = "after";
  if (!made && made.error().argument.starts_with(after))
    made.error().argument = std::string(name) + made.error().argument.substr(after.size());
  return made;
}

/// Rotates `a` back in double, by the expected angles.
Expected<AlignedArray<double>> rotated_back(const OutputSamples& samples, const Expectation& expected,
                                            const Pairing& pairing, std::size_t sequence, std::size_t dims) {
  const TensorAxes axes(samples.a.shape);
  const std::size_t tokens = axes.extent(sequence), heads = samples.a.values.size() / tokens / axes.extent(dims);
  diagnosis::RotationHypothesis hypothesis = diagnosis::expected_hypothesis(expected, pairing);
  POSENC_TRY_LET(factor, attention_factor(plan_of(hypothesis.plan)));
  hypothesis.factor = 1;  // undone below
  if (factor == 0)
    return invalid_argument("expected.scaling.attentionFactor", 0.0, {"another number than 0, to rotate back"});
  std::vector<double> cosines(samples.positions.size() * pairing.pairs()), sines(cosines.size());
  POSENC_TRY(write_rotations(hypothesis, samples.positions, cosines, sines));
  POSENC_TRY_LET(made, AlignedArray<double>::make_unfilled(samples.a.values.size()));
  for (std::size_t at = 0; at < samples.a.values.size(); ++at) made.data()[at] = samples.a.values[at];
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t token = 0; token < tokens; ++token) {
      const std::size_t start = axes.start_of(head, {sequence, dims}, axes.rank()) + token * axes.stride(sequence);
      for (std::size_t pair = 0; pair < pairing.pairs(); ++pair) {
        const auto at = [&](Layout of, std::size_t part) {
          return start + dim_of(of, pairing, pair, part) * axes.stride(dims);
        };
        const double cosine = cosines[token * pairing.pairs() + pair], sine = sines[token * pairing.pairs() + pair];
        const double x = samples.a.values[at(pairing.writes, 0)], y = samples.a.values[at(pairing.writes, 1)];
        made.data()[at(pairing.reads, 0)] = (x * cosine + y * sine) / factor;
        made.data()[at(pairing.reads, 1)] = (y * cosine - x * sine) / factor;
      }
    }
  return std::move(made);
}

bool departs(const Diagnosis& diagnosis) {
  if (diagnosis.explanations.empty()) return diagnosis.verdict == Verdict::none;
  return diagnosis.verdict == Verdict::none || !diagnosis.explanations.front().mistakes.empty();
}

/// Whether an output is as expected for certain: one that tells too little is not wrong, and not right.
bool is_right(const Diagnosis& diagnosis) { return diagnosis.verdict == Verdict::certain && !departs(diagnosis); }

/// The wrong one of two outputs.
WrongOutput wrong_of(const Diagnosis& a, const Diagnosis& b) {
  if (departs(a)) return departs(b) ? WrongOutput::both : WrongOutput::a;
  if (departs(b)) return WrongOutput::b;
  return is_right(a) && is_right(b) ? WrongOutput::neither : WrongOutput::unknown;
}

}  // namespace

std::string_view name_of(WrongOutput wrong) {
  static constexpr std::array<std::string_view, 5> names{"neither", "a", "b", "both", "unknown"};
  return names[static_cast<std::size_t>(wrong)];
}

Expected<OutputDiagnosis> diagnose_outputs(const OutputSamples& samples, const Expectation& expected) {
  OutputDiagnosis made;
  if (samples.before) {
    POSENC_TRY_LET(a, named(diagnose_rotation(rotation_of(samples, *samples.before, samples.a), expected), "a"));
    made.a = std::move(a);
    POSENC_TRY_LET(b, named(diagnose_rotation(rotation_of(samples, *samples.before, samples.b),
                                              expected.plan ? expected : diagnosis::expectation_of(made.a)),
                            "b"));
    made.b = std::move(b);
    if (!expected.plan) return made;
    made.wrong = wrong_of(made.a, made.b);
    return made;
  }
  if (!expected.plan) {
    // The output a is the input of b.
    POSENC_TRY_LET(b, named(diagnose_rotation(rotation_of(samples, samples.a, samples.b), {}), "b"));
    made.b = std::move(b);
    return made;
  }
  POSENC_TRY_LET(axes, named(rotation_axes(rotation_of(samples, samples.a, samples.b), expected), "b"));
  if (samples.axes != 1)
    return invalid_argument("axes", static_cast<double>(samples.axes), expected::exactly, {1},
                            ", or the input as `before`");
  POSENC_TRY_LET(pairing, diagnosis::expected_pairing(expected));
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a plan is there: its absence was refused
  POSENC_TRY_LET(before, rotated_back(samples, expected, *pairing, static_cast<std::size_t>(axes[0]),
                                      static_cast<std::size_t>(axes[1])));
  POSENC_TRY_LET(types, diagnosis::stored_types_of(samples.a, "a"));
  const diagnosis::StoredType& type = types.back();
  const SampledTensor input{
      .values = before.span(), .shape = samples.a.shape, .dtype = std::string(type.name), .quantized = std::nullopt};
  RotationSamples rotation = rotation_of(samples, input, samples.b);
  rotation.before_error = back_roundings * type.rounding;
  POSENC_TRY_LET(b, named(diagnose_rotation(rotation, expected), "b"));
  made.b = std::move(b);
  // Both may have the same mistake, and what b seems to have done beside a may be undone in a.
  made.b.verdict = std::max(made.b.verdict, Verdict::likely);
  return made;
}

}  // namespace posenc
