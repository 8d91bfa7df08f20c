#include "posenc/learned/optimizer.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "learned/learned_testing.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::adam_step;
using posenc::AdamOptions;
using posenc::sgd_step;
using posenc::SgdOptions;
using posenc::WeightDecay;
using reference::magnitude;
using reference::Quad;
using testing::fractions;
using testing::infinity;
using testing::require_error;
using testing::value_of;

namespace {

using Values = std::vector<float>;
using Three = std::array<double, 3>;

/// The gradients of step 1, 2, 3 in what torch printed.
Values printed_gradient(int step) { return {0.5f * static_cast<float>(step), -0.25f, 1.0f / static_cast<float>(step)}; }

void check_parameters(const Values& parameters, const Three& printed) {
  for (std::size_t i = 0; i < 3; ++i) {
    INFO("parameter " << i << ": " << parameters[i] << ", printed " << printed[i]);
    CHECK(std::fabs(static_cast<double>(parameters[i]) - printed[i]) < 4e-7);
  }
}

/// Three steps from (1, -2, 0.5).
void check_sgd(SgdOptions options, const std::array<Three, 3>& printed) {
  Values parameters{1, -2, 0.5}, buffer(options.momentum == 0 ? 0 : 3, testing::untouched);
  for (options.step = 1; options.step <= 3; ++options.step) {
    value_of(sgd_step(options, printed_gradient(static_cast<int>(options.step)), parameters, buffer));
    check_parameters(parameters, printed[static_cast<std::size_t>(options.step - 1)]);
  }
}

void check_adam(AdamOptions options, const std::array<Three, 3>& printed) {
  Values parameters{1, -2, 0.5}, first(3), second(3);
  for (options.step = 1; options.step <= 3; ++options.step) {
    value_of(adam_step(options, printed_gradient(static_cast<int>(options.step)), parameters, first, second));
    check_parameters(parameters, printed[static_cast<std::size_t>(options.step - 1)]);
  }
}

/// base^exponent, factor by factor.
Quad power(Quad base, std::int64_t exponent) {
  Quad result = 1;
  for (std::int64_t k = 0; k < exponent; ++k) result *= base;
  return result;
}

Quad slack(std::initializer_list<Quad> terms) {
  Quad largest = 0;
  for (const Quad term : terms) largest = magnitude(term) > largest ? magnitude(term) : largest;
  return largest * static_cast<Quad>(1e-15);
}

}  // namespace

TEST_CASE("sgd: three steps as torch.optim.SGD prints them", "[optimizer]") {
  check_sgd({.lr = 0.1}, {Three{0.95, -1.975, 0.4}, {0.85, -1.95, 0.35}, {0.7, -1.925, 0.316666667}});
  check_sgd(
      {.lr = 0.1, .momentum = 0.9, .dampening = 0.5, .weight_decay = 0.01},
      {Three{0.949, -1.973, 0.3995}, {0.8526255, -1.9352135, 0.28385025}, {0.690462137, -1.887738043, 0.162956883}});
  check_sgd({.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true},
            {Three{0.9031, -1.9487, 0.30905},
             {0.67007411, -1.87562747, 0.132057805},
             {0.264890458, -1.783052331, -0.045541269}});
}

TEST_CASE("adam: three steps as torch.optim.Adam and AdamW print them", "[optimizer]") {
  check_adam({.lr = 0.1}, {Three{0.900000002, -1.900000004, 0.400000001},
                           {0.803481801, -1.800000008, 0.306782038},
                           {0.707681679, -1.700000012, 0.219466187}});
  AdamOptions decaying{.lr = 0.1, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-3, .weight_decay = 0.1};
  decaying.decay = WeightDecay::coupled;
  check_adam(decaying, {Three{0.900166389, -1.900221729, 0.400095147},
                        {0.801811941, -1.800547883, 0.30768595},
                        {0.703125272, -1.701048328, 0.222063883}});
  decaying.decay = WeightDecay::decoupled;
  check_adam(decaying, {Three{0.890199601, -1.880398406, 0.3950999},
                        {0.783786201, -1.761992829, 0.299200483},
                        {0.678053847, -1.644771307, 0.2113499}});
}

TEST_CASE("sgd: any options, step by step in 113 bits", "[optimizer][accuracy]") {
  testing::Generator generator(650);
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    SgdOptions options{.lr = 0.5 * generator.next() / 16777216.0};
    if (round % 2 == 0) options.weight_decay = generator.next() / 16777216.0;
    if (round % 3 != 0) options.momentum = 1.2 * generator.next() / 16777216.0 + 1e-9;
    options.nesterov = round % 3 == 1;
    if (round % 3 == 2) options.dampening = generator.next() / 16777216.0 - 0.25;
    const std::size_t count = generator.below(20);
    auto parameters = fractions(count, generator.next());
    Values buffer(options.momentum == 0 ? 0 : count, std::numeric_limits<float>::quiet_NaN());
    for (options.step = 1; options.step <= 6; ++options.step) {
      const Values gradient = fractions(count, generator.next());
      const Values old_parameters = parameters, old_buffer = buffer;
      value_of(sgd_step(options, gradient, parameters, buffer));
      for (std::size_t i = 0; i < count; ++i) {
        const Quad p = old_parameters[i];
        const Quad g = gradient[i] + static_cast<Quad>(options.weight_decay) * p;
        Quad change = g;
        if (options.momentum != 0) {
          Quad momentum = g;
          if (options.step > 1)
            momentum =
                static_cast<Quad>(options.momentum) * old_buffer[i] + (1 - static_cast<Quad>(options.dampening)) * g;
          worst = std::fmax(worst, testing::ulp_beyond(buffer[i], momentum, slack({old_buffer[i], g, p, 1})));
          change = options.nesterov ? g + options.momentum * momentum : momentum;
        }
        const Quad exact = p - options.lr * change;
        worst = std::fmax(worst, testing::ulp_beyond(parameters[i], exact, slack({p, change, 1})));
      }
    }
  }
  std::printf("largest error: sgd step: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

TEST_CASE("adam: any options, step by step in 113 bits, early and late", "[optimizer][accuracy]") {
  testing::Generator generator(660);
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    AdamOptions options{.lr = 0.1 * generator.next() / 16777216.0,
                        .beta1 = round % 7 == 0 ? 0 : 0.99 * generator.next() / 16777216.0,
                        .beta2 = round % 5 == 0 ? 0.999 : 0.9999 * generator.next() / 16777216.0,
                        .eps = round % 4 == 0 ? 1e-8 : 1e-3};
    if (round % 3 != 0) options.weight_decay = generator.next() / 16777216.0;
    options.decay = round % 3 == 1 ? WeightDecay::coupled : WeightDecay::decoupled;
    const std::size_t count = generator.below(20);
    auto parameters = fractions(count, generator.next());
    Values first(count), second(count);
    const std::int64_t start = round % 6 == 0 ? 1000 : 1;
    for (options.step = start; options.step < start + 6; ++options.step) {
      const Values gradient = fractions(count, generator.next());
      const Values old_parameters = parameters, old_first = first, old_second = second;
      value_of(adam_step(options, gradient, parameters, first, second));
      const Quad bias1 = 1 - power(options.beta1, options.step), bias2 = 1 - power(options.beta2, options.step);
      for (std::size_t i = 0; i < count; ++i) {
        Quad p = old_parameters[i];
        Quad g = gradient[i];
        if (options.decay == WeightDecay::coupled) g += options.weight_decay * p;
        if (options.decay == WeightDecay::decoupled) p *= 1 - static_cast<Quad>(options.lr) * options.weight_decay;
        const Quad m = static_cast<Quad>(options.beta1) * old_first[i] + (1 - static_cast<Quad>(options.beta1)) * g;
        const Quad v =
            static_cast<Quad>(options.beta2) * old_second[i] + (1 - static_cast<Quad>(options.beta2)) * g * g;
        const Quad change =
            options.lr / bias1 * m / (reference::square_root(v) / reference::square_root(bias2) + options.eps);
        worst = std::fmax(worst, testing::ulp_beyond(first[i], m, slack({old_first[i], g, old_parameters[i]})));
        worst = std::fmax(worst, testing::ulp_beyond(second[i], v, slack({old_second[i], g * g})));
        worst = std::fmax(worst, testing::ulp_beyond(parameters[i], p - change, slack({p, change, 1})));
      }
    }
  }
  std::printf("largest error: adam step: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

TEST_CASE("adam: bias correction ends where its powers have", "[optimizer]") {
  // m = v = 0 before, g = 1: after the correction is gone the step is lr 0.1 / sqrt(0.001).
  for (const std::int64_t step : {std::int64_t{1} << 20, std::int64_t{1} << 53}) {
    Values parameters{0}, first{0}, second{0};
    value_of(adam_step({.lr = 0.01, .eps = 0, .step = step}, Values{1}, parameters, first, second));
    CHECK(std::fabs(parameters[0] + 0.01 * 0.1 / std::sqrt(0.001)) < 1e-8);
  }
}

TEST_CASE("optimizers: NaN spreads to its own parameter alone", "[optimizer]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Values parameters{1, 2, 3}, buffer(3), first(3), second(3);
  value_of(sgd_step({.lr = 0.1, .momentum = 0.5, .step = 1}, Values{1, nan, 1}, parameters, buffer));
  CHECK(parameters[0] < 1);
  CHECK(std::isnan(parameters[1]));
  CHECK(parameters[2] < 3);
  value_of(adam_step({.lr = 0.1, .step = 1}, Values{1, 1, 1}, parameters, first, second));
  CHECK(std::isfinite(parameters[0]));
  CHECK(std::isnan(parameters[1]));
}

TEST_CASE("sgd: wrong options are Errors, and nothing is written", "[optimizer]") {
  Values parameters(4, testing::untouched), buffer(4, testing::untouched);
  const auto gradient = fractions(4, 1);
  const auto step = [&](const SgdOptions& options) { return sgd_step(options, gradient, parameters, buffer); };
  for (const double wrong : {-0.1, std::nan(""), infinity}) {
    require_error(step({.lr = wrong, .momentum = 0.9, .step = 1}), "lr", "");
    require_error(step({.lr = 0.1, .momentum = wrong, .step = 1}), "momentum", "");
    require_error(step({.lr = 0.1, .momentum = 0.9, .weight_decay = wrong, .step = 1}), "weightDecay", "");
  }
  require_error(step({.lr = 0.1, .momentum = 0.9, .dampening = std::nan(""), .step = 1}), "dampening", "nan");
  require_error(step({.lr = 0.1, .momentum = 0.9, .dampening = 0.1, .nesterov = true, .step = 1}), "dampening", "0.1");
  require_error(sgd_step({.lr = 0.1, .nesterov = true}, gradient, parameters, {}), "momentum", "0");
  require_error(step({.lr = 0.1, .momentum = 0.9}), "step", "0");
  require_error(step({.lr = 0.1}), "buffer", "4");
  require_error(sgd_step({.lr = 0.1, .momentum = 0.9, .step = 1}, gradient, parameters, {}), "buffer", "0");
  require_error(sgd_step({.lr = 0.1}, std::span(gradient).first(3), parameters, {}), "gradient", "3");
  CHECK(testing::is_untouched(parameters));
  CHECK(testing::is_untouched(buffer));
}

TEST_CASE("adam: wrong options are Errors, and nothing is written", "[optimizer]") {
  Values parameters(4, testing::untouched), first(4, testing::untouched), second(4, testing::untouched);
  const auto gradient = fractions(4, 1);
  const auto step = [&](const AdamOptions& options) { return adam_step(options, gradient, parameters, first, second); };
  for (const double wrong : {-0.1, std::nan(""), infinity}) {
    require_error(step({.lr = wrong, .step = 1}), "lr", "");
    require_error(step({.beta1 = wrong, .step = 1}), "betas[0]", "");
    require_error(step({.beta2 = wrong, .step = 1}), "betas[1]", "");
    require_error(step({.eps = wrong, .step = 1}), "eps", "");
    require_error(step({.weight_decay = wrong, .decay = WeightDecay::coupled, .step = 1}), "weightDecay", "");
  }
  require_error(step({.beta1 = 1, .step = 1}), "betas[0]", "1");
  require_error(step({.beta2 = 1, .step = 1}), "betas[1]", "1");
  require_error(step({.weight_decay = 0.01, .step = 1}), "decay", "none");
  for (const std::int64_t wrong : {std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 53) + 1})
    require_error(step({.step = wrong}), "step", "");
  const std::span<float> three = std::span(first).first(3);
  require_error(adam_step({.step = 1}, std::span(gradient).first(3), parameters, first, second), "gradient", "3");
  require_error(adam_step({.step = 1}, gradient, parameters, three, second), "firstMoment", "3");
  require_error(adam_step({.step = 1}, gradient, parameters, second, three), "secondMoment", "3");
  for (std::size_t wrong = 0; wrong < 11; ++wrong) {
    Values long_parameters(11, testing::untouched), firsts = long_parameters, squares(11, 0.0F);
    squares[wrong] = -1e-45F;
    const auto made = adam_step({.step = 1}, fractions(11, 1), long_parameters, firsts, squares);
    require_error(made, "secondMoment[" + std::to_string(wrong) + "]", "-1");
    CHECK(testing::is_untouched(long_parameters));
  }
  require_error(posenc::from_name<posenc::WeightDecay>("l2"), "decay", "l2");
  CHECK(testing::is_untouched(parameters));
  CHECK(testing::is_untouched(first));
  CHECK(testing::is_untouched(second));
  CHECK(posenc::from_name<posenc::WeightDecay>("coupled") == WeightDecay::coupled);
  CHECK(posenc::from_name<posenc::WeightDecay>("decoupled") == WeightDecay::decoupled);
}

TEST_CASE("optimizer: parameters after AdamW have the bits that are stored", "[hashes]") {
  // 5 steps on 100 parameters, fractions(100, 14); the gradient of step s is fractions(100, 20 + s). lr 0.01, weight
  // decay 0.1, decoupled.
  posenc::AdamOptions options{.lr = 0.01, .weight_decay = 0.1, .decay = posenc::WeightDecay::decoupled};
  std::vector<float> parameters = testing::fractions(100, 14), first(100), second(100);
  for (options.step = 1; options.step <= 5; ++options.step)
    testing::value_of(posenc::adam_step(options, testing::fractions(100, 20 + static_cast<std::uint32_t>(options.step)),
                                        parameters, first, second));
  testing::check_hash("adamw", "f6840dc02365067f", {parameters});
}
