#include "posenc/diagnosis/samples/head_samples.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"
#include "posenc/diagnosis/samples/pair_lengths.hpp"

namespace posenc::diagnosis {
namespace {

/// A dimension moved when it differs by more units than a rotation by nothing causes: products with 1 and 0, a sum,
/// storage.
constexpr double moved_units = 4;

/// A pairing is compared with others on so many tokens and heads, evenly spread, to save time: enough to
/// refuse all but a few.
constexpr std::size_t compared_tokens = 24, compared_heads = 4;

using Complex = std::complex<double>;

/// Lengths are compared with what roundings cause: the last bits of std::hypot would take most of the time.
double length_of(const Complex& pair) { return std::sqrt(std::norm(pair)); }

std::size_t step_of(std::size_t count, std::size_t most) { return count <= most ? 1 : (count + most - 1) / most; }

/// One pair of one token, over heads.
struct FittedRotation {
  Complex rotation;
  double unit = std::numeric_limits<double>::infinity();  ///< of the rotation
  double misfit = 0, units = 0;                           ///< of heads against it
};

struct Pair {
  Complex before, after;
};

Pair pair_of(const Pairing& pairing, const HeadSamples& samples, std::size_t start, std::size_t pair) {
  const double* const before = samples.before.data() + start;
  const double* const after = samples.after.data() + start;
  return {
      {before[dim_of(pairing.reads, pairing, pair, 0)], before[dim_of(pairing.reads, pairing, pair, 1)]},
      {after[dim_of(pairing.writes, pairing, pair, 0)], after[dim_of(pairing.writes, pairing, pair, 1)]},
  };
}

void add_residual(double residual, double unit, double& misfit, double& units) {
  misfit += misfit_of(residual, unit);
  units = std::max(units, residual / unit);
}

FittedRotation rotation_of(const Pairing& pairing, const HeadSamples& samples, std::size_t token, std::size_t pair,
                           std::size_t head_step) {
  FittedRotation made;
  Complex product = 0;
  double weight = 0, error = 0;
  for (std::size_t head = 0; head < samples.heads; head += head_step) {
    const std::size_t start = samples.at(token, head);
    const auto [before, after] = pair_of(pairing, samples, start, pair);
    product += after * std::conj(before);
    weight += std::norm(before);
    const double size = length_of(before);
    error += size * samples.unit(start, size, length_of(after));
  }
  if (weight > 0) {
    made.rotation = product / weight;
    made.unit = error / weight;
  }
  if (weight > 0 && samples.heads <= head_step) return made;
  for (std::size_t head = 0; head < samples.heads; head += head_step) {
    const std::size_t start = samples.at(token, head);
    const auto [before, after] = pair_of(pairing, samples, start, pair);
    add_residual(length_of(after - made.rotation * before), samples.unit(start, length_of(before), length_of(after)),
                 made.misfit, made.units);
  }
  return made;
}

/// The dimensions beside the pairs, which nothing moves.
void add_other_dims(const Pairing& pairing, const HeadSamples& samples, std::size_t token, std::size_t head_step,
                    double& misfit, double& units) {
  for (std::size_t head = 0; head < samples.heads; head += head_step)
    for (std::size_t dimension = 0; dimension < samples.dims; ++dimension) {
      if (dimension >= pairing.first && dimension < pairing.first + pairing.count) continue;
      const double before = samples.before[samples.at(token, head) + dimension];
      const double after = samples.after[samples.at(token, head) + dimension];
      if (before != after)
        add_residual(std::fabs(after - before),
                     samples.unit(samples.at(token, head), std::fabs(before), std::fabs(after)), misfit, units);
    }
}

/// The middle of the pairs' ratios of length.
double common_factor(const Pairing& pairing, const HeadSamples& samples, std::size_t token_step) {
  std::vector<double> ratios;
  for (std::size_t token = 0; token < samples.tokens.size(); token += token_step)
    for (std::size_t pair = 0; pair < pairing.pairs(); ++pair) {
      const auto [before, after] = pair_of(pairing, samples, samples.at(token, 0), pair);
      if (std::norm(before) > 0) ratios.push_back(length_of(after) / length_of(before));
    }
  if (ratios.empty()) return 1;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  return *middle;
}

}  // namespace

double HeadSamples::unit(std::size_t start, double before_size, double after_size) const {
  double made = after_type.unit(after_size);
  if (rounded_before) made += before_type.unit(before_size);
  if (before_error == 0) return made;
  double largest = 0;
  for (std::size_t dimension = 0; dimension < dims; ++dimension)
    largest = std::max(largest, std::fabs(before[start + dimension]));
  return made + before_error * largest;
}

HeadSamples gather(const SampledTensor& before, const SampledTensor& after, const RotationAxes& axes) {
  const auto tokens = static_cast<std::size_t>(before.shape[axes.sequence]);
  const auto dims = static_cast<std::size_t>(before.shape[axes.dims]);
  const std::size_t heads = before.values.size() / tokens / dims;
  const std::size_t rows = std::max<std::size_t>(HeadSamples::most_values / dims, 1);
  // Many heads of a token show the same: tokens go first.
  const std::size_t rows_of_heads = rows / std::min(heads, compared_heads);
  std::vector<std::size_t> kept =
      spread_tokens(tokens, std::clamp<std::size_t>(rows_of_heads, 1, HeadSamples::most_tokens));
  const auto kept_heads = spread_tokens(heads, std::max<std::size_t>(rows / kept.size(), 1));
  return gather_others(before, after, axes, {}, std::move(kept), kept_heads);
}

HeadSamples gather_others(const SampledTensor& before, const SampledTensor& after, const RotationAxes& axes,
                          const HeadSamples& like, std::vector<std::size_t> tokens,
                          std::span<const std::size_t> heads) {
  const TensorAxes of(before.shape);
  HeadSamples made;
  made.before_type = like.before_type, made.after_type = like.after_type;
  made.rounded_before = like.rounded_before, made.before_error = like.before_error;
  made.dims = of.extent(axes.dims);
  made.tokens = std::move(tokens);
  made.heads = heads.size();
  made.before.reserve(made.tokens.size() * made.heads * made.dims);
  made.after.reserve(made.before.capacity());
  for (const std::size_t token : made.tokens)
    for (const std::size_t head : heads) {
      const std::size_t start =
          of.start_of(head, {axes.sequence, axes.dims}, of.rank()) + token * of.stride(axes.sequence);
      before.values.append_to(made.before, start, made.dims, of.stride(axes.dims));
      after.values.append_to(made.after, start, made.dims, of.stride(axes.dims));
    }
  return made;
}

Expected<void> for_all_vectors(const SampledTensor& before, const SampledTensor& after, const RotationAxes& axes,
                               const HeadSamples& like, const UseVectors& use) {
  const auto tokens = static_cast<std::size_t>(before.shape[axes.sequence]);
  const std::vector<std::size_t> heads = first_indices(before.values.size() / tokens / like.dims);
  const std::size_t together = std::max<std::size_t>(HeadSamples::most_values / like.dims / tokens_a_check, 1);
  for (std::size_t token = 0; token < tokens; token += tokens_a_check)
    for (std::size_t head = 0; head < heads.size(); head += together) {
      const auto some = std::span(heads).subspan(head, std::min(together, heads.size() - head));
      POSENC_TRY_LET(goes_on,
                     use(gather_others(before, after, axes, like, checked_tokens(token, tokens), some), token, head));
      if (!goes_on) return {};
    }
  return {};
}

ChangedDims changed_dims(const HeadSamples& samples) {
  std::vector<bool> changed(samples.dims, false);
  for (std::size_t start = 0; start < samples.before.size(); start += samples.dims)
    for (std::size_t dimension = 0; dimension < samples.dims; ++dimension) {
      const double before = samples.before[start + dimension];
      const double after = samples.after[start + dimension];
      if (before == after) continue;
      const double unit = samples.unit(start, std::fabs(before), std::max(std::fabs(before), std::fabs(after)));
      if (std::fabs(after - before) > moved_units * unit) changed[dimension] = true;
    }
  ChangedDims made;
  for (std::size_t dimension = 0; dimension < samples.dims; ++dimension) {
    if (!changed[dimension]) continue;
    if (!made.any) made.first = dimension;
    made.any = true;
    made.last = dimension;
  }
  return made;
}

PairingFit fit_of(const Pairing& pairing, const HeadSamples& samples, double limit) {
  const std::size_t token_step = step_of(samples.tokens.size(), compared_tokens);
  const std::size_t head_step = step_of(samples.heads, compared_heads);
  PairingFit fit{.pairing = pairing, .factor = common_factor(pairing, samples, token_step)};
  double units = 0;
  for (std::size_t pair = 0; pair < pairing.pairs() && fit.misfit <= limit; ++pair)
    for (std::size_t token = 0; token < samples.tokens.size(); token += token_step) {
      const FittedRotation seen = rotation_of(pairing, samples, token, pair, head_step);
      fit.misfit += seen.misfit;
      if (std::isfinite(seen.unit))
        add_residual(std::fabs(length_of(seen.rotation) - fit.factor), seen.unit, fit.misfit, units);
    }
  for (std::size_t token = 0; token < samples.tokens.size() && fit.misfit <= limit; token += token_step)
    add_other_dims(pairing, samples, token, head_step, fit.misfit, units);
  return fit;
}

MeasuredRotations measured_rotations(const Pairing& pairing, const HeadSamples& samples) {
  MeasuredRotations made;
  const std::size_t tokens = samples.tokens.size();
  made.rotations = {.tokens = tokens, .pairs = pairing.pairs(), .cosines = {}, .sines = {}, .units = {}};
  for (std::vector<double>* const values : {&made.rotations.cosines, &made.rotations.sines, &made.rotations.units})
    values->reserve(tokens * pairing.pairs());
  for (std::size_t token = 0; token < tokens; ++token) {
    for (std::size_t pair = 0; pair < pairing.pairs(); ++pair) {
      const FittedRotation seen = rotation_of(pairing, samples, token, pair, 1);
      made.rotations.cosines.push_back(seen.rotation.real());
      made.rotations.sines.push_back(seen.rotation.imag());
      made.rotations.units.push_back(seen.unit);
      made.misfit += seen.misfit;
      made.units = std::max(made.units, seen.units);
    }
    add_other_dims(pairing, samples, token, 1, made.misfit, made.units);
  }
  return made;
}

}  // namespace posenc::diagnosis
