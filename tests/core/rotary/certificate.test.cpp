#include "posenc/rotary/certificate.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rotary/described_rotation.hpp"
#include "testing/testing.hpp"

using posenc::ArithmeticPreset;
using posenc::Certificate;
using posenc::CertificateOptions;
using posenc::DType;
using posenc::RotaryOptions;
using reference::DescribedRotation;
using reference::Library;
using testing::require_error;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

const RotaryOptions paper_plan{.dim = 128};
const RotaryOptions llama_plan{.dim = 128, .base = 500000, .scaling = scaling::Llama3{8, 1, 4, 8192}};

constexpr ArithmeticPreset presets[]{ArithmeticPreset::exact, ArithmeticPreset::transformers, ArithmeticPreset::ggml};

Certificate certified(const RotaryOptions& plan, std::int64_t length, ArithmeticPreset preset,
                      DType dtype = DType::float32) {
  return value_of(posenc::certify(plan, {.length = length, .arithmetic = preset, .dtype = dtype}));
}

void note_error(double& largest, double error) { largest = std::max(largest, std::fabs(error)); }

/// A pair of norm 1.
struct UnitPair {
  double a, b;
};

UnitPair unit_pair(testing::Generator& random) {
  const double angle = M_PI * static_cast<double>(random.fraction());
  return {std::cos(angle), std::sin(angle)};
}

/// Errors of angles at every position, or 20000 of more; of the rest at some, in all pairs but most often in the worst.
class ErrorSearch {
 public:
  ErrorSearch(const RotaryOptions& plan, std::int64_t length, ArithmeticPreset preset, DType dtype)
      : plan_(plan), length_(length), preset_(preset), dtype_(dtype), bounds_(certified(plan, length, preset, dtype)) {}

  void run() {
    for (const Library powers : {Library::nearest, Library::below, Library::above})
      for (const Library sines : {Library::below, Library::above}) {
        if (preset_ == ArithmeticPreset::exact && sines == Library::above) continue;
        const DescribedRotation rotation(plan_, preset_, dtype_, powers, sines);
        const auto [least_at, most_at] = angles(rotation);
        for (int i = 0; i < 80; ++i) {
          rotated(rotation, any_position(), i % 2 == 0 ? bounds_.angle.pair : random_.below(rotation.pairs()));
          scores(rotation, any_position(), any_position());
        }
        rotated(rotation, least_at, bounds_.angle.pair);
        rotated(rotation, most_at, bounds_.angle.pair);
        scores(rotation, least_at, most_at);
      }
    check("angle", bounds_.angle.bound, found_.angle);
    check("cosine", bounds_.cosine.bound, found_.cosine);
    check("dimension", bounds_.dimension.bound, found_.dimension);
    check("score", bounds_.score.bound, found_.score);
  }

 private:
  double any_position() {
    const std::uint64_t drawn = (std::uint64_t{random_.next()} << 24) + random_.next();
    return static_cast<double>(drawn % static_cast<std::uint64_t>(length_));
  }

  /// Where the angle of the pair that moves scores most is furthest below and above the true one.
  std::pair<double, double> angles(const DescribedRotation& rotation) {
    double least = 0, least_at = 0, most = 0, most_at = 0;
    for (std::size_t pair = 0; pair < rotation.pairs(); ++pair) {
      const bool is_worst = pair == bounds_.score.pair || pair == bounds_.angle.pair;
      const std::int64_t stride = 1 + length_ / (is_worst ? 20000 : 2000);
      for (std::int64_t i = length_ - 1; i >= 0; i -= stride) {
        const auto position = static_cast<double>(i);
        double error = 0;
        (void)rotation.angle(position, pair, &error);
        note_error(found_.angle, error);
        if (pair != bounds_.score.pair) continue;
        if (error < least) least = error, least_at = position;
        if (error > most) most = error, most_at = position;
      }
    }
    return {least_at, most_at};
  }

  void rotated(const DescribedRotation& rotation, double position, std::size_t pair) {
    const auto factors = rotation.factors(position, pair);
    note_error(found_.cosine, factors.cosine - factors.true_cosine);
    note_error(found_.cosine, factors.sine - factors.true_sine);
    for (int i = 0; i < 60; ++i) {
      const auto [a, b] = unit_pair(random_);
      const auto made = rotation.rotate(factors, a, b);
      note_error(found_.dimension, made.a - made.true_a);
      note_error(found_.dimension, made.b - made.true_b);
    }
  }

  /// For heads whose norm is in the pair that moves scores most.
  void scores(const DescribedRotation& rotation, double query_at, double key_at) {
    const auto query = rotation.factors(query_at, bounds_.score.pair);
    const auto key = rotation.factors(key_at, bounds_.score.pair);
    const double scale = 1 / std::sqrt(static_cast<double>(plan_.dim));
    for (int i = 0; i < 100; ++i) {
      const UnitPair q = unit_pair(random_), k = unit_pair(random_);
      const auto q_made = rotation.rotate(query, q.a, q.b);
      const auto k_made = rotation.rotate(key, k.a, k.b);
      const double made = q_made.a * k_made.a + q_made.b * k_made.b;
      note_error(found_.score, scale * (made - (q_made.true_a * k_made.true_a + q_made.true_b * k_made.true_b)));
    }
  }

  static void check(const char* what, double bound, double largest) {
    INFO(what << ": bound " << bound << ", found " << largest);
    CHECK(largest <= bound);
    // An exact angle has nothing to be found.
    if (bound > 0) CHECK(bound <= 4 * largest);
  }

  const RotaryOptions& plan_;
  std::int64_t length_;
  ArithmeticPreset preset_;
  DType dtype_;
  Certificate bounds_;
  posenc::Certified<double> found_{};
  testing::Generator random_{16};
};

void search_errors(const RotaryOptions& plan, std::int64_t length, ArithmeticPreset preset, DType dtype) {
  INFO("preset " << static_cast<int>(preset) << ", dtype " << static_cast<int>(dtype) << ", length " << length);
  ErrorSearch(plan, length, preset, dtype).run();
}

}  // namespace

TEST_CASE("certificate: presets hold, and are at most 4 times what is found", "[certificate]") {
  for (const std::int64_t length : {7, 2048, 131072, 1000001})
    for (const ArithmeticPreset preset : presets)
      for (const DType dtype : {DType::float32, DType::float16, DType::bfloat16})
        search_errors(paper_plan, length, preset, dtype);
}

TEST_CASE("certificate: scaling rules", "[certificate]") {
  const RotaryOptions yarn{.dim = 64, .scaling = scaling::Yarn{.factor = 40, .original_length = 4096}};
  const RotaryOptions linear{.dim = 64, .scaling = scaling::Linear{3}};
  const RotaryOptions partial{.dim = 8, .rotary_dim = 4};
  for (const ArithmeticPreset preset : presets)
    for (const DType dtype : {DType::float32, DType::bfloat16}) {
      search_errors(llama_plan, 131072, preset, dtype);
      search_errors(yarn, 163840, preset, dtype);
      search_errors(linear, 12288, preset, dtype);
      search_errors(partial, 3000, preset, dtype);
    }
}

TEST_CASE("certificate: from which position a bound is greater", "[certificate]") {
  const CertificateOptions options{.length = 131072,
                                   .arithmetic = ArithmeticPreset::transformers,
                                   .dtype = DType::bfloat16,
                                   .exceeds = {.angle = 1e-3, .cosine = 5e-3, .dimension = 0.02, .score = 1}};
  const Certificate made = value_of(posenc::certify(llama_plan, options));
  CHECK_FALSE(made.score.from);
  const auto at = [&](std::int64_t length) { return certified(llama_plan, length, options.arithmetic, options.dtype); };
  REQUIRE(made.angle.from);
  CHECK(at(*made.angle.from).angle.bound <= 1e-3);
  CHECK(at(*made.angle.from + 1).angle.bound > 1e-3);
  REQUIRE(made.cosine.from);
  CHECK(at(*made.cosine.from).cosine.bound <= 5e-3);
  CHECK(at(*made.cosine.from + 1).cosine.bound > 5e-3);
  REQUIRE(made.dimension.from);
  CHECK(at(*made.dimension.from).dimension.bound <= 0.02);
  CHECK(at(*made.dimension.from + 1).dimension.bound > 0.02);
  // At every position.
  CHECK(value_of(posenc::certify(llama_plan, {.length = 5, .exceeds = {.dimension = 0}})).dimension.from == 0);
}

TEST_CASE("certificate: the plan's length, and the certificate's where it has none", "[certificate]") {
  RotaryOptions plan{.dim = 64, .scaling = scaling::Dynamic{4, 2048}};
  const auto bound = [&] { return certified(plan, 8192, ArithmeticPreset::ggml).angle.bound; };
  const double none = bound();
  plan.length = 8192;
  CHECK(bound() == none);
  plan.length = 2048;
  CHECK(bound() != none);
}

TEST_CASE("certificate: bounds of a score grow with norms and scale", "[certificate]") {
  constexpr ArithmeticPreset steps = ArithmeticPreset::ggml;
  const double one = certified(llama_plan, 4096, steps).score.bound;
  const CertificateOptions larger{.length = 4096, .arithmetic = steps, .query_norm = 3, .key_norm = 5, .scale = -0.25};
  const double made = value_of(posenc::certify(llama_plan, larger)).score.bound;
  CHECK(std::fabs(made / (one * 15 * 0.25 * std::sqrt(128.0)) - 1) < 1e-14);
}

TEST_CASE("certificate: every rule has finite bounds, which grow with the length", "[certificate]") {
  scaling::Longrope longrope;
  longrope.factor = 4;
  longrope.original_length = 4096;
  scaling::Given given;
  given.attention_factor = 1.5;
  for (int i = 0; i < 16; ++i) {
    longrope.short_factor.push_back(1 + i);
    longrope.long_factor.push_back(1 + 0.7 * i);
    given.frequencies.push_back(i % 3 == 0 ? 0 : -1.0 / (3 + i));
  }
  const posenc::Scaling rules[]{scaling::Ntk{8}, scaling::Dynamic{4, 2048}, longrope, given,
                                scaling::Proportional{0.5, 2}};
  for (const auto& rule : rules)
    for (const ArithmeticPreset preset : presets)
      for (const double base : {0.5, 10000.0, 1e9}) {
        const RotaryOptions plan{.dim = 32, .base = base, .scaling = rule};
        Certificate before;
        for (const std::int64_t length : {1, 5000, 200000}) {
          const Certificate made = certified(plan, length, preset, DType::float16);
          for (const auto& [now, then] :
               {std::pair(made.angle, before.angle), std::pair(made.cosine, before.cosine),
                std::pair(made.dimension, before.dimension), std::pair(made.score, before.score)}) {
            CHECK(std::isfinite(now.bound));
            CHECK(now.bound >= then.bound);
            CHECK(now.pair < 16);
          }
          if (!std::holds_alternative<scaling::Dynamic>(rule) && !std::holds_alternative<scaling::Longrope>(rule))
            before = made;
        }
      }
}

TEST_CASE("certificate: what is wrong with its options is said", "[certificate]") {
  const auto with = [](auto change, const RotaryOptions& plan = paper_plan) {
    CertificateOptions options{.length = 4096, .arithmetic = ArithmeticPreset::transformers};
    change(options);
    return posenc::certify(plan, options);
  };
  const auto nothing = [](CertificateOptions&) {};
  require_error(with([](auto& options) { options.length = 0; }), "length", "0");
  require_error(with([](auto& options) { options.length = 1LL << 53; }, {.dim = 2, .scaling = scaling::Given{{3}}}),
                "length", "9007199254740992");
  require_error(with([](auto& options) { options.query_norm = -1; }), "queryNorm", "-1");
  require_error(with([](auto& options) { options.key_norm = NAN; }), "keyNorm", "nan");
  require_error(with([](auto& options) { options.scale = testing::infinity; }), "scale", "inf");
  require_error(with([](auto& options) { options.exceeds.dimension = -2; }), "exceeds.dimension", "-2");
  require_error(with(nothing, {.dim = 3}), "dim", "3");
  require_error(with(nothing, {.dim = 4, .base = 1e39}), "base", "1e");
  const RotaryOptions given{.dim = 2, .scaling = scaling::Given{{1}, 70001}};
  require_error(with([](auto& options) { options.dtype = DType::float16; }, given), "scaling.attentionFactor", "70001");
  CHECK(with([](auto& options) { options.dtype = DType::bfloat16; }, given));
  require_error(posenc::from_name<ArithmeticPreset>("vllm"), "arithmetic", "vllm");
}
