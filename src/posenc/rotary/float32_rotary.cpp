#include "posenc/rotary/float32_rotary.hpp"

#include <memory>
#include <new>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/frequencies/scaling/rules.hpp"

namespace posenc {
namespace {

/// x less its nearest whole number, for |x| < 2^51: exact.
double fraction(double x) {
  constexpr double shifter = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves no bits for a fraction
  return x - ((x + shifter) - shifter);
}

/// An angle of at most 2^53 radians in cycles, less whole ones. Both products with a half of 1 / (2 pi) are exact.
double cycles(float radians) {
  const DoubleDouble halves = split(cycles_per_radian.high);
  const double angle = radians;
  return fraction(angle * halves.high) + (fraction(angle * halves.low) + angle * cycles_per_radian.low);
}

class Float32Angles final : public AngleSource {
 public:
  Float32Angles(AlignedArray<float> frequencies, std::size_t padded_count)
      : frequencies_(std::move(frequencies)), padded_count_(padded_count) {}

  void write(double position, double* sines, double* cosines) const override {
    for (std::size_t i = 0; i < frequencies_.size(); ++i)
      sines[i] = cycles(frequencies_[i] * static_cast<float>(position));
    sines_and_cosines(sines, padded_count_, sines, cosines);
  }

  [[nodiscard]] std::span<const float> frequencies() const override { return frequencies_.span(); }

 private:
  AlignedArray<float> frequencies_;
  std::size_t padded_count_;
};

}  // namespace

Expected<Rotary> make_float32_rotary(const RotaryOptions& options) {
  if (options.exponent != Exponent::paper)
    return invalid_argument("exponent", "another", expected::exactly, {"\"paper\""},
                            ", with the precision \"float32\"");
  POSENC_TRY_LET(made, Rotary::make(options));
  const FrequencyPlan plan = plan_of(options);
  POSENC_TRY_LET(context, context_of(plan));
  POSENC_TRY_LET(frequencies, AlignedArray<float>::make(context.count));
  const auto write = [&](const scaling::Float32Rule& rule) -> Expected<void> {
    const scaling::Float32Powers powers(rule.progression);
    for (std::size_t i = 0; i < frequencies.size(); ++i) frequencies[i] = rule.frequency(i, powers(i));
    return {};
  };
  POSENC_TRY(scaling::with_float32_rule(plan.scaling, context, write));
  const std::size_t padded_count = made.frequencies().padded_count();
  std::unique_ptr<const AngleSource> angles(new (std::nothrow) Float32Angles(std::move(frequencies), padded_count));
  if (!angles) return std::unexpected(out_of_memory(sizeof(Float32Angles)));
  return std::move(made).with_angles(std::move(angles));
}

}  // namespace posenc
