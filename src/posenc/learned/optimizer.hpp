#pragma once

#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"

namespace posenc {

// One step of an optimiser on float32 parameters, in place. Formulas and names are those of torch.optim; its state is
// the caller's. Everything between is in double from the float32 values that are stored, and each stored value is
// rounded once: 0.501 ulp + 1e-15 times the largest term. Values are not checked: NaN and infinities propagate as in
// torch. Spans of one call must not overlap.

inline constexpr std::int64_t max_steps = std::int64_t{1} << 53;

/// p: parameter, g: gradient, b: momentum buffer.
/// g += weight_decay * p; b = g in step 1 and momentum * b + (1 - dampening) * g later; p -= lr * b, or with nesterov
/// lr * (g + momentum * b). Without momentum p -= lr * g.
struct SgdOptions {
  double lr = 0;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;  ///< needs a momentum > 0 and no dampening
  std::int64_t step = 0;  ///< 1, 2, ...; read with momentum only

  static constexpr std::tuple ranges{
      ranged("lr", &SgdOptions::lr, from(0)),
      ranged("momentum", &SgdOptions::momentum, from(0)),
      ranged("weightDecay", &SgdOptions::weight_decay, from(0)),
      ranged("dampening", &SgdOptions::dampening, any_finite()),
  };
};

/// torch.optim.SGD. parameters, gradient and, with momentum, buffer have one size; without momentum the buffer is
/// empty. Errors: an option outside its range; sizes that differ. Nothing has then changed.
[[nodiscard]] Expected<void> sgd_step(const SgdOptions& options, std::span<const float> gradient,
                                      std::span<float> parameters, std::span<float> buffer);

enum class WeightDecay : std::uint8_t {
  unnamed,    ///< refused where there is weight decay: the two train differently
  coupled,    ///< added to the gradient, g += weight_decay * p (torch.optim.Adam)
  decoupled,  ///< p *= 1 - lr * weight_decay (torch.optim.AdamW; Loshchilov and Hutter 2019)
};

template <>
inline constexpr auto names_of<WeightDecay> =
    Names("decay", {{"coupled", WeightDecay::coupled}, {"decoupled", WeightDecay::decoupled}});

/// m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2;
/// p -= lr / (1 - beta1^step) * m / (sqrt(v) / sqrt(1 - beta2^step) + eps).
struct AdamOptions {
  double lr = 0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;  ///< 0 makes NaN where a gradient has always been 0
  double weight_decay = 0;
  WeightDecay decay = WeightDecay::unnamed;  ///< has to be named where weight_decay is not 0
  std::int64_t step = 0;

  static constexpr std::tuple ranges{
      ranged("lr", &AdamOptions::lr, from(0)),
      ranged("betas[0]", &AdamOptions::beta1, from_to_below(0, 1)),
      ranged("betas[1]", &AdamOptions::beta2, from_to_below(0, 1)),
      ranged("eps", &AdamOptions::eps, from(0)),
      ranged("weightDecay", &AdamOptions::weight_decay, from(0)),
      ranged("step", &AdamOptions::step, whole_from(1, max_steps)),
  };
};

/// torch.optim.Adam and AdamW (Kingma and Ba 2015), without amsgrad. All spans have one size; both moments are 0 before
/// step 1. Errors: an option outside its range; sizes that differ; a second moment below 0. Nothing has then changed.
[[nodiscard]] Expected<void> adam_step(const AdamOptions& options, std::span<const float> gradient,
                                       std::span<float> parameters, std::span<float> first_moment,
                                       std::span<float> second_moment);

}  // namespace posenc
