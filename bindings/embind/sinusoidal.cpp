#include "posenc/sinusoidal/sinusoidal.hpp"

#include "modules.hpp"
#include "posenc/sinusoidal/fourier.hpp"

namespace posenc::embind {
namespace {

Expected<SinusoidalOptions> options_of(const calls::SinusoidFields& in) {
  POSENC_TRY_LET(choice, filled<SinusoidalChoice>(in));
  return resolve(choice);
}

/// The index of a word in the core's list.
void answer(double& address, double& size, std::string_view word) {
  address = static_cast<double>(reinterpret_cast<Address>(word.data()));
  size = static_cast<double>(word.size());
}

}  // namespace

Expected<Sinusoidal> sinusoid_of(const calls::SinusoidFields& in) {
  POSENC_TRY_LET(options, options_of(in));
  return Sinusoidal::make(options);
}

Expected<void> run(const calls::Sinusoidal& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  auto precision = Precision::exact;
  POSENC_TRY(set(precision, in.precision));
  return made.table(positions_of(in), in.out, precision);
}

Expected<void> run(const calls::SinusoidalFull& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  auto precision = Precision::exact;
  POSENC_TRY(set(precision, in.precision));
  const Positions positions = positions_of(in);
  return write_as(in.dtype, in.out, [&](const auto& out) -> Expected<void> {
    if constexpr (requires { made.table(positions, out, precision); }) {
      POSENC_TRY(made.table(positions, out, precision));
      if (in.padding_idx) clear_padding(positions, static_cast<double>(*in.padding_idx), std::as_writable_bytes(out));
    } else {
      POSENC_TRY(made.table(positions, out));
      if (in.padding_idx)
        clear_padding(positions, static_cast<double>(*in.padding_idx), std::as_writable_bytes(out.bits()));
    }
    return {};
  });
}

Expected<void> run(const calls::SinusoidalPlan& in) {
  POSENC_TRY_LET(options, options_of(in));
  POSENC_TRY_LET(made, Sinusoidal::make(options));
  const Dims dims(made.order(), made.dim(), made.frequencies().count());
  auto& plan = in.answer;
  plan.base = options.frequencies.base;
  plan.shift = options.frequencies.shift;
  plan.scale = options.frequencies.scale;
  plan.amplitude = options.amplitude;
  answer(plan.exponent, plan.exponent_size, name_of(options.frequencies.exponent));
  answer(plan.order, plan.order_size, name_of(options.order));
  plan.first_sine = static_cast<double>(dims.first_sine);
  plan.first_cosine = static_cast<double>(dims.first_cosine);
  plan.stride = static_cast<double>(dims.stride);
  plan.sines = static_cast<double>(dims.sines);
  plan.cosines = static_cast<double>(dims.cosines);
  return {};
}

Expected<void> run(const calls::ShiftMatrix& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  return made.shift_matrix(in.by, in.out);
}

Expected<void> run(const calls::Shift& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  return made.shift(in.by, in.table, in.out);
}

Expected<void> run(const calls::Fourier& in) {
  POSENC_TRY_LET(options, fourier_preset(in.preset, in.inputs.value_or(FourierOptions{}.inputs)));
  POSENC_TRY(fill<Handled<"preset", "points", "weights">>(options, in));
  POSENC_TRY_LET(made, FourierFeatures::make(options, in.weights));
  return made.features(in.points, in.out);
}

Expected<void> run(const calls::Nerf& in) {
  auto preset = NerfPreset::paper;
  POSENC_TRY(set(preset, in.preset));
  std::optional<AngleUnit> unit;
  POSENC_TRY(set(unit, in.unit));
  POSENC_TRY_LET(made, FourierFeatures::nerf(in.inputs.value_or(FourierOptions{}.inputs), in.levels, preset, unit));
  return made.features(in.points, in.out);
}

}  // namespace posenc::embind
