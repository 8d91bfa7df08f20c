#include "posenc/rotary/rotary.hpp"

#include <cmath>

#include "functions.hpp"
#include "invariants.hpp"
#include "posenc/rotary/fope.hpp"

namespace fuzz {
namespace {

using namespace posenc;

/// A rule with options drawn from the bytes; lists mostly have `count` values.
Scaling scaling_rule(Bytes& bytes, std::size_t count) {
  switch (bytes.below(9)) {
    case 0:
      return scaling::Default{};
    case 1:
      return scaling::Linear{bytes.number()};
    case 2:
      return scaling::Ntk{bytes.number()};
    case 3:
      return scaling::Dynamic{bytes.number(), bytes.number()};
    case 4:
      return scaling::Yarn{bytes.number(), bytes.number(),       bytes.number(),       bytes.number(),
                           bytes.flag(),   bytes.maybe_number(), bytes.maybe_number(), bytes.maybe_number()};
    case 5:
      return scaling::Longrope{bytes.number(), bytes.number(), bytes.doubles(bytes.size_near(count)),
                               bytes.doubles(bytes.size_near(count)), bytes.maybe_number()};
    case 6:
      return scaling::Llama3{bytes.number(), bytes.number(), bytes.number(), bytes.number()};
    case 7:
      return scaling::Proportional{bytes.number(), bytes.number()};
    default:
      return scaling::Given{bytes.doubles(bytes.size_near(count)), bytes.number()};
  }
}

RotaryOptions rotary_options(Bytes& bytes) {
  RotaryOptions options{.dim = bytes.extent(),
                        .layout = bytes.one_up_to(Layout::deinterleaved),
                        .base = bytes.number(),
                        .rotary_dim = bytes.maybe_extent(),
                        .exponent = bytes.one_up_to(Exponent::half),
                        .exponent_dim = bytes.maybe_extent()};
  options.scaling = scaling_rule(bytes, volume({options.rotary_dim.value_or(options.dim)}) / 2);
  options.length = bytes.maybe_extent();
  return options;
}

std::vector<std::int64_t> shape_of(Bytes& bytes, const Rotary& rotary) {
  std::vector<std::int64_t> shape(bytes.below(5));
  for (std::int64_t& extent : shape) extent = bytes.extent();
  if (!shape.empty() && bytes.byte() < 230) shape.back() = static_cast<std::int64_t>(rotary.dim());
  return shape;
}

}  // namespace

void fuzz_frequencies(Bytes& bytes) {
  const FrequencyOptions options{bytes.extent(), bytes.number(), bytes.one_up_to(Exponent::half), bytes.number(),
                                 bytes.number()};
  const FrequencyPlan plan{.frequencies = options,
                           .exponent_dim = bytes.maybe_extent(),
                           .scaling = scaling_rule(bytes, volume({options.dim}) / 2),
                           .length = bytes.maybe_extent()};
  const auto scaled = Frequencies::make_scaled(plan);
  const auto factor = attention_factor(plan);
  require(check(scaled) == check(factor), "a plan has frequencies if it has an attention factor");
  check(Frequencies::make(options));
  check(Frequencies::from_cycles(bytes.doubles(bytes.below(9))));
  if (!scaled) return;
  require(std::isfinite(*factor), "a finite attention factor");
  for (std::size_t i = 0; i < scaled->count(); ++i)
    require(std::fabs(scaled->radians(i)) <= max_angle, "frequencies within max_angle");
}

void fuzz_rotary(Bytes& bytes) {
  const RotaryOptions options = rotary_options(bytes);
  const auto rotary = Rotary::make(options);
  if (!check(rotary)) return;
  const std::size_t pairs = rotary->rotary_dim() / 2;
  require(rotary->dim() == static_cast<std::size_t>(options.dim), "a Rotary has its options' dim");

  const std::vector<double> list = bytes.doubles(bytes.below(6));
  const Positions positions = bytes.flag() ? Positions::list(list) : Positions::range(bytes.below(20), bytes.number());
  Output<float> cosines(bytes.size_near(positions.count() * pairs));
  Output<float> sines(bytes.size_near(positions.count() * pairs));
  const auto cached = rotary->cache(positions, cosines.span(), sines.span());
  cosines.check(cached);
  sines.check(cached);

  const std::vector<std::int64_t> shape = shape_of(bytes, *rotary);
  const auto sequence = SequenceShape::make(shape, {.sequence = bytes.maybe_extent()});
  if (!check(sequence) || sequence->size() > 1 << 16) return;
  const Positions rows = Positions::range(bytes.size_near(sequence->sequence()), bytes.number());
  Output<float> x(bytes.size_near(sequence->size()));
  x.check(rotary->apply(x.span(), *sequence, rows, bytes.one_up_to(Direction::inverse)));

  FopeOptions fope{.dim = options.dim,
                   .base = options.base,
                   .heads = bytes.extent(),
                   .kept = bytes.extent(),
                   .mixed = bytes.extent(),
                   .original_length = bytes.maybe_number()};
  const std::vector<float> matrices = bytes.floats(bytes.size_near(volume({fope.heads, fope.kept, fope.mixed})));
  fope.cosines = fope.sines = matrices;
  const std::size_t size = bytes.size_near(volume({fope.heads}) * positions.count() * rotary->dim() / 2);
  Output<float> mixed_cosines(size), mixed_sines(size);
  const auto mixed = write_fope(fope, positions, mixed_cosines.span(), mixed_sines.span());
  mixed_cosines.check(mixed);
  mixed_sines.check(mixed);
}

}  // namespace fuzz
