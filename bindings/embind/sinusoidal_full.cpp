#include "dtype.hpp"
#include "posenc/sinusoidal/fourier.hpp"
#include "sinusoidal.hpp"

namespace posenc::embind {
namespace {

Expected<void> sinusoidal_full(const calls::SinusoidalFull& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  Precision precision = Precision::exact;
  POSENC_TRY(set(precision, in.precision, from_name<Precision>));
  const auto positions = positions_of(in.positions, in.offset, static_cast<std::size_t>(in.length.value_or(0)));
  return write_as(in.dtype, in.out, [&](const auto& out) {
    if constexpr (requires { made.table(positions, out, precision); })
      return made.table(positions, out, precision);
    else
      return made.table(positions, out);
  });
}

Expected<void> shift_matrix(const calls::ShiftMatrix& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  return made.shift_matrix(in.by, in.out.as<float>());
}

Expected<void> shift(const calls::Shift& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  return made.shift(in.by, in.table.values(), in.out.as<float>());
}

Expected<void> fourier(const calls::Fourier& in) {
  POSENC_TRY_LET(options, fourier_preset(in.preset, in.inputs.value_or(FourierOptions{}.inputs)));
  POSENC_TRY(set(options.unit, in.unit, from_name<AngleUnit>));
  POSENC_TRY(set(options.order, in.order, from_name<Order>));
  set(options.logarithmic, in.logarithmic);
  POSENC_TRY_LET(made, FourierFeatures::make(options, in.weights.as<const double>()));
  return made.features(in.points.as<const double>(), in.out.as<float>());
}

Expected<void> nerf(const calls::Nerf& in) {
  NerfPreset preset = NerfPreset::paper;
  POSENC_TRY(set(preset, in.preset, from_name<NerfPreset>));
  std::optional<AngleUnit> unit;
  POSENC_TRY(set(unit, in.unit, from_name<AngleUnit>));
  POSENC_TRY_LET(made, FourierFeatures::nerf(in.inputs.value_or(FourierOptions{}.inputs), in.levels, preset, unit));
  return made.features(in.points.as<const double>(), in.out.as<float>());
}

}  // namespace

EMSCRIPTEN_BINDINGS(sinusoidal_full) {
  expose<&sinusoidal_full>();
  expose<&shift_matrix>();
  expose<&shift>();
  expose<&fourier>();
  expose<&nerf>();
}

}  // namespace posenc::embind
