#include "posenc/rotary.hpp"

#include <algorithm>
#include <utility>

#include "check.hpp"
#include "phase.hpp"
#include "rotate.hpp"

namespace posenc {
namespace {

constexpr Name layout_names[]{
    {"half", Layout::half},
    {"interleaved", Layout::interleaved},
    {"deinterleaved", Layout::deinterleaved},
};

Expected<void> check_rotary_dim(std::int64_t rotary_dim, std::int64_t dim) {
  if (rotary_dim >= 2 && rotary_dim <= dim && rotary_dim % 2 == 0) return {};
  return wrong("rotaryDim", static_cast<double>(rotary_dim), {"an even number from 2 to dim (", decimal(dim), ")"});
}

/// Scratch memory for the cosines and sines of one position, in double and rounded.
class Angles {
 public:
  static Expected<Angles> make(const Frequencies& frequencies) {
    const std::size_t padded = frequencies.padded_count();
    auto exact = AlignedArray<double>::make(2 * padded);
    if (!exact) return std::unexpected(exact.error());
    auto rounded = AlignedArray<float>::make(2 * padded);
    if (!rounded) return std::unexpected(rounded.error());
    return Angles(frequencies, std::move(*exact), std::move(*rounded));
  }

  void set(double position, Direction direction) {
    double* const sines = exact_.data();
    double* const cosines = sines + padded();
    sines_and_cosines(*frequencies_, position, sines, cosines);
    const double sign = direction == Direction::inverse ? -1 : 1;
    const auto factor = static_cast<float>(frequencies_->attention_factor());
    for (std::size_t i = 0; i < padded(); ++i) rounded_[i] = static_cast<float>(cosines[i]) * factor;
    for (std::size_t i = 0; i < padded(); ++i) rounded_[padded() + i] = static_cast<float>(sign * sines[i]) * factor;
  }

  [[nodiscard]] std::span<const float> cosines() const { return {rounded_.data(), frequencies_->count()}; }
  [[nodiscard]] std::span<const float> sines() const { return {rounded_.data() + padded(), frequencies_->count()}; }

 private:
  Angles(const Frequencies& frequencies, AlignedArray<double> exact, AlignedArray<float> rounded)
      : frequencies_(&frequencies), exact_(std::move(exact)), rounded_(std::move(rounded)) {}

  [[nodiscard]] std::size_t padded() const { return frequencies_->padded_count(); }

  const Frequencies* frequencies_;
  AlignedArray<double> exact_;
  AlignedArray<float> rounded_;
};

/// Rotates one head in place. `copy` has room for its rotated lanes.
void rotate_in_place(Layout layout, Direction direction, float* head, const Angles& angles, float* copy) {
  const float* const cosines = angles.cosines().data();
  const float* const sines = angles.sines().data();
  const std::size_t pairs = angles.cosines().size();
  switch (layout) {
    case Layout::unnamed:
      return;
    case Layout::half:
      return rotate_head<Halves, Halves>(head, head, cosines, sines, pairs);
    case Layout::interleaved:
      return rotate_head<Neighbours, Neighbours>(head, head, cosines, sines, pairs);
    case Layout::deinterleaved:
      std::copy_n(head, 2 * pairs, copy);
      return direction == Direction::forward ? rotate_head<Neighbours, Halves>(copy, head, cosines, sines, pairs)
                                             : rotate_head<Halves, Neighbours>(copy, head, cosines, sines, pairs);
  }
}

}  // namespace

Expected<Layout> layout_from_name(std::string_view name) { return from_name<Layout>(layout_names, "layout", name); }

std::string_view name_of(Layout layout) {
  for (const Name& known : layout_names)
    if (known.meaning == static_cast<int>(layout)) return known.name;
  return "";
}

Expected<Rotary> Rotary::make(const RotaryOptions& options) {
  if (auto checked = check_whole("dim", options.dim, 2, max_dim); !checked) return std::unexpected(checked.error());
  if (options.layout == Layout::unnamed) return std::unexpected(layout_from_name("").error());
  if (!options.rotary_dim && options.dim % 2 != 0)
    return wrong("dim", static_cast<double>(options.dim), {"an even number, or an even rotaryDim beside it"});
  const std::int64_t rotary_dim = options.rotary_dim.value_or(options.dim);
  if (auto checked = check_rotary_dim(rotary_dim, options.dim); !checked) return std::unexpected(checked.error());
  auto frequencies = Frequencies::make_scaled({.frequencies = {rotary_dim, options.base, options.exponent},
                                               .exponent_dim = options.exponent_dim,
                                               .scaling = options.scaling,
                                               .length = options.length});
  if (!frequencies) return std::unexpected(frequencies.error());
  Rotary made;
  made.frequencies_ = std::move(*frequencies);
  made.dim_ = static_cast<std::size_t>(options.dim);
  made.layout_ = options.layout;
  return made;
}

Expected<void> Rotary::cache(const Positions& positions, std::span<float> cosines, std::span<float> sines) const {
  const std::size_t pairs = frequencies_.count();
  if (auto checked = check_size("cosines", cosines.size(), positions.count(), pairs); !checked) return checked;
  if (auto checked = check_size("sines", sines.size(), positions.count(), pairs); !checked) return checked;
  if (auto checked = positions.check(frequencies_.largest()); !checked) return checked;
  auto angles = Angles::make(frequencies_);
  if (!angles) return std::unexpected(angles.error());
  for (std::size_t i = 0; i < positions.count(); ++i) {
    angles->set(positions[i], Direction::forward);
    std::ranges::copy(angles->cosines(), cosines.subspan(i * pairs, pairs).begin());
    std::ranges::copy(angles->sines(), sines.subspan(i * pairs, pairs).begin());
  }
  return {};
}

Expected<void> Rotary::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                             Direction direction) const {
  if (shape.dim() != dim_)
    return wrong("shape", static_cast<double>(shape.dim()), {decimal(dim_), " (dim) as its last extent"});
  if (auto checked = check_size("x", x.size(), shape.size()); !checked) return checked;
  if (auto checked = check_size("positions", positions.count(), shape.sequence()); !checked) return checked;
  if (auto checked = positions.check(frequencies_.largest()); !checked) return checked;
  if (x.empty()) return {};  // however many positions there are
  auto angles = Angles::make(frequencies_);
  if (!angles) return std::unexpected(angles.error());
  auto copy = AlignedArray<float>::make(rotary_dim());
  if (!copy) return std::unexpected(copy.error());

  const std::size_t token = shape.inner() * dim_;
  for (std::size_t s = 0; s < shape.sequence(); ++s) {
    angles->set(positions[s], direction);
    for (std::size_t o = 0; o < shape.outer(); ++o) {
      float* const heads = x.data() + (o * shape.sequence() + s) * token;
      for (std::size_t h = 0; h < shape.inner(); ++h)
        rotate_in_place(layout_, direction, heads + h * dim_, *angles, copy->data());
    }
  }
  return {};
}

}  // namespace posenc
