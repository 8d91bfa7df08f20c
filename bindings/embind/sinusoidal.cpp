#include "sinusoidal.hpp"

#include "posenc/sinusoidal/lanes.hpp"

namespace posenc::embind {

Expected<SinusoidalOptions> resolved(SinusoidalChoice choice, const std::string& preset, const std::string& exponent,
                                     const std::string& order) {
  POSENC_TRY(set(choice.preset, preset, from_name<SinusoidalPreset>));
  POSENC_TRY(set(choice.exponent, exponent, from_name<Exponent>));
  POSENC_TRY(set(choice.order, order, from_name<Order>));
  return resolve(choice);
}

Expected<Sinusoidal> made(const Expected<SinusoidalOptions>& options) {
  return options ? Sinusoidal::make(*options) : std::unexpected(options.error());
}

namespace {

Expected<void> sinusoidal(const calls::Sinusoidal& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  Precision precision = Precision::exact;
  POSENC_TRY(set(precision, in.precision, from_name<Precision>));
  const auto count = static_cast<std::size_t>(in.length.value_or(0));
  return made.table(positions_of(in.positions, in.offset, count), in.out.as<float>(), precision);
}

/// Where a word of the core's stands.
void answer(double& address, double& size, std::string_view word) {
  address = static_cast<double>(reinterpret_cast<Address>(word.data()));
  size = static_cast<double>(word.size());
}

Expected<void> sinusoidal_plan(const calls::SinusoidalPlan& in) {
  POSENC_TRY_LET(options, sinusoid_options(in));
  POSENC_TRY_LET(made, Sinusoidal::make(options));
  const Lanes lanes(made.order(), made.dim(), made.frequencies().count());
  auto& plan = in.answer;
  plan.base = options.frequencies.base;
  plan.shift = options.frequencies.shift;
  plan.scale = options.frequencies.scale;
  plan.amplitude = options.amplitude;
  answer(plan.exponent, plan.exponent_size, name_of(options.frequencies.exponent));
  answer(plan.order, plan.order_size, name_of(options.order));
  plan.first_sine = static_cast<double>(lanes.first_sine);
  plan.first_cosine = static_cast<double>(lanes.first_cosine);
  plan.stride = static_cast<double>(lanes.stride);
  plan.sines = static_cast<double>(lanes.sines);
  plan.cosines = static_cast<double>(lanes.cosines);
  return {};
}

}  // namespace

EMSCRIPTEN_BINDINGS(sinusoidal) {
  expose<&sinusoidal>();
  expose<&sinusoidal_plan>();
}

}  // namespace posenc::embind
