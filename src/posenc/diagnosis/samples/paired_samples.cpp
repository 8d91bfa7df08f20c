#include "posenc/diagnosis/samples/paired_samples.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {
namespace {

/// An index from the start, where an axis is named.
Expected<std::optional<std::size_t>> axis_of(std::string_view argument, const std::optional<std::int64_t>& axis,
                                             std::size_t rank) {
  if (!axis) return std::optional<std::size_t>{};
  const auto count = static_cast<std::int64_t>(rank);
  const std::int64_t index = *axis < 0 ? *axis + count : *axis;
  if (index < 0 || index >= count)
    return invalid_argument(argument, static_cast<double>(*axis),
                            {"an axis of the vectors: from ", decimal(-count), " to ", decimal(count - 1)});
  return std::optional(static_cast<std::size_t>(index));
}

/// Axes that have the right extents, the likeliest first: dimensions last, and tokens as near to them as may be.
Expected<std::vector<RotationAxes>> possible_axes(const RotationSamples& samples, const Expectation& expected) {
  const auto& shape = samples.before.shape;
  const std::size_t rank = shape.size();
  POSENC_TRY_LET(sequence, axis_of("seqAxis", samples.sequence_axis, rank));
  POSENC_TRY_LET(dim, axis_of("dimAxis", samples.dim_axis, rank));
  const auto tokens = static_cast<std::int64_t>(samples.positions.size() / samples.axes);
  std::vector<RotationAxes> made;
  bool has_sequence = false;
  for (std::size_t dims = rank; dims-- > 0;)
    for (std::size_t tokens_at = rank; tokens_at-- > 0;) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): looked at in front
      if (shape[tokens_at] != tokens || (sequence && sequence != tokens_at)) continue;
      has_sequence = true;
      if (dims == tokens_at || shape[dims] < 2 || (dim && dim != dims)) continue;
      if (expected.plan && shape[dims] != expected.plan->dim) continue;
      made.push_back({.sequence = tokens_at, .dims = dims});
    }
  if (!has_sequence)
    return invalid_argument("positions", static_cast<double>(tokens),
                            {"as many as the sequence's axis of the vectors has"});
  if (!made.empty()) return made;
  if (expected.plan)
    return invalid_argument("expected.dim", static_cast<double>(expected.plan->dim),
                            {"the dimensions of the vectors' heads"});
  return invalid_argument("before.shape", static_cast<double>(rank),
                          {"an axis of two or more dimensions beside the sequence's"});
}

}  // namespace

Expected<PairedQuestion> read_samples(const RotationSamples& samples, const Expectation& expected) {
  POSENC_TRY_LET(before_type, stored_type_of(samples.before, "before"));
  POSENC_TRY_LET(after_type, stored_type_of(samples.after, "after"));
  if (samples.before.shape != samples.after.shape)
    return invalid_argument("after.shape", static_cast<double>(samples.after.shape.size()), {"the extents of before"});
  if (samples.axes == 0 || samples.positions.empty() || samples.positions.size() % samples.axes != 0)
    return invalid_argument("positions", static_cast<double>(samples.positions.size()),
                            {"a position a token, of every axis"});
  POSENC_TRY(check_positions(samples.positions, samples.positions.size()));
  PairedQuestion made{.asked = {.expected = &expected, .positions = samples.positions, .axes = samples.axes},
                      .read = {}};
  if (auto pairing = expected_pairing(expected); !pairing)
    return error_of(pairing);
  else
    made.asked.expected_pairing = *pairing;
  POSENC_TRY_LET(axes, possible_axes(samples, expected));

  PairedSamples& read = made.read;
  for (const RotationAxes& each : axes) {
    PairedSamples seen{.axes = each, .samples = gather(samples.before, samples.after, each), .pairings = {}};
    seen.samples.before_type = before_type;
    seen.samples.after_type = after_type;
    seen.samples.before_error = samples.before_error;
    seen.pairings = best_pairings(made.asked, seen.samples);
    if (seen.misfit() < read.misfit() || read.pairings.empty()) read = std::move(seen);
  }
  return made;
}

}  // namespace posenc::diagnosis
