#include "posenc/sinusoidal/sinusoidal.hpp"

#include <cmath>

#include "functions.hpp"
#include "invariants.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "posenc/sinusoidal/fourier.hpp"

namespace fuzz {
namespace {

using namespace posenc;

bool is_finite(float value) { return std::isfinite(value); }

template <class Enum>
std::optional<Enum> maybe_up_to(Bytes& bytes, Enum last) {
  return bytes.flag() ? std::optional(bytes.one_up_to(last)) : std::nullopt;
}

SinusoidalOptions sinusoid_options(Bytes& bytes) {
  return {.frequencies = {.dim = bytes.extent(),
                          .base = bytes.number(),
                          .exponent = bytes.one_up_to(Exponent::half),
                          .shift = bytes.number(),
                          .scale = bytes.number()},
          .order = bytes.one_up_to(Order::cosines_first),
          .amplitude = bytes.number()};
}

SinusoidalChoice sinusoid_choice(Bytes& bytes) {
  return {.dim = bytes.extent(),
          .preset = bytes.one_up_to(SinusoidalPreset::mlx),
          .base = bytes.maybe_number(),
          .exponent = maybe_up_to(bytes, Exponent::half),
          .shift = bytes.maybe_number(),
          .scale = bytes.maybe_number(),
          .order = maybe_up_to(bytes, Order::cosines_first),
          .amplitude = bytes.maybe_number()};
}

SinusoidalGridOptions axial_options(Bytes& bytes) {
  return {.dim = bytes.extent(),
          .base = bytes.number(),
          .order = bytes.one_up_to(Order::cosines_first),
          .axes = bytes.one_up_to(AxisOrder::last_first),
          .arrangement = bytes.one_up_to(Arrangement::by_function),
          .trimmed = bytes.flag(),
          .coordinates = {bytes.number(), bytes.maybe_number(), bytes.number()},
          .prefix_tokens = bytes.extent()};
}

SinusoidalGridChoice axial_choice(Bytes& bytes) {
  return {.dim = bytes.extent(),
          .preset = bytes.one_up_to(SinusoidalGridPreset::positional_encodings),
          .base = bytes.maybe_number(),
          .order = maybe_up_to(bytes, Order::cosines_first),
          .axes = maybe_up_to(bytes, AxisOrder::last_first),
          .arrangement = maybe_up_to(bytes, Arrangement::by_function),
          .normalised = bytes.flag() ? std::optional(bytes.flag()) : std::nullopt,
          .start = bytes.maybe_number(),
          .extent = bytes.maybe_number(),
          .epsilon = bytes.maybe_number(),
          .prefix_tokens = bytes.extent()};
}

/// Some rows of a position each.
void tables(Bytes& bytes, const Sinusoidal& sinusoid) {
  const std::vector<double> list = bytes.doubles(bytes.below(6));
  const std::size_t count = bytes.below(40);
  const Positions positions = bytes.flag() ? Positions::list(list) : Positions::range(count, bytes.number());
  Output<float> table(bytes.size_near(positions.count() * sinusoid.dim()));
  if (table.check(sinusoid.table(positions, table.span()))) require(table.all_of(is_finite), "finite encodings");
  Output<float> sum(bytes.size_near(positions.count() * sinusoid.dim()));
  const std::vector<float> x = bytes.floats(bytes.size_near(sum.span().size()));
  sum.check(add(x, positions.count(), sinusoid.dim(), table.span(), sum.span()));
}

}  // namespace

void fuzz_sinusoid(Bytes& bytes) {
  const auto options =
      bytes.flag() ? Expected<SinusoidalOptions>(sinusoid_options(bytes)) : resolve(sinusoid_choice(bytes));
  if (!check(options)) return;
  const auto sinusoid = Sinusoidal::make(*options);
  if (!check(sinusoid)) return;
  require(sinusoid->dim() == static_cast<std::size_t>(options->frequencies.dim), "a Sinusoidal has its options' dim");
  tables(bytes, *sinusoid);
  Output<float> matrix(bytes.size_near(sinusoid->dim() * sinusoid->dim()));
  matrix.check(sinusoid->shift_matrix(bytes.number(), matrix.span()));
  Output<float> shifted(bytes.size_near(3 * sinusoid->dim()));
  shifted.check(sinusoid->shift(bytes.number(), shifted.span()));
}

void fuzz_sinusoidal_grid(Bytes& bytes) {
  std::vector<std::int64_t> shape(bytes.below(5));
  for (std::int64_t& extent : shape) extent = bytes.extent();
  const auto options =
      bytes.flag() ? Expected<SinusoidalGridOptions>(axial_options(bytes)) : resolve(axial_choice(bytes), shape.size());
  if (!check(options)) return;
  const auto axial = SinusoidalGrid::make(*options, shape);
  if (!check(axial) || axial->size() > 1 << 20) return;
  Output<float> table(bytes.size_near(axial->size()));
  if (table.check(axial->table(table.span()))) require(table.all_of(is_finite), "finite encodings");
  std::size_t cells = 1;
  for (const std::int64_t extent : shape) cells *= static_cast<std::size_t>(extent);
  std::vector<std::uint8_t> mask(bytes.size_near(cells));
  for (std::uint8_t& cell : mask) cell = bytes.flag() ? 1 : 0;
  Output<float> masked(bytes.size_near(axial->size()));
  masked.check(axial->table(mask, masked.span()));
}

void fuzz_fourier(Bytes& bytes) {
  const std::int64_t inputs = bytes.extent();
  const auto unit = bytes.one_up_to(AngleUnit::radians);
  const auto features = [&] {
    if (bytes.flag())
      return FourierFeatures::nerf(inputs, bytes.extent(), bytes.one_up_to(NerfPreset::code),
                                   bytes.flag() ? std::optional(unit) : std::nullopt);
    const FourierOptions options{inputs, unit, bytes.one_up_to(Order::cosines_first), bytes.flag()};
    return FourierFeatures::make(options, bytes.doubles(bytes.size_near(volume({inputs, bytes.extent()}))));
  }();
  if (!check(features)) return;
  const std::size_t points = bytes.below(8);
  const std::vector<double> coordinates = bytes.doubles(bytes.size_near(points * features->inputs()));
  Output<float> out(bytes.size_near(points * features->dims()));
  out.check(features->features(coordinates, out.span()));
}

}  // namespace fuzz
