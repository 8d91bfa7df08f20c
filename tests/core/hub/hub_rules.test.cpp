/// Random configs of every rope type, against a rendering of transformers' own rules.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "hub/rope_rendering.hpp"
#include "posenc/hub/hub_config.hpp"
#include "testing/testing.hpp"

using posenc::ConfigValue;
using reference::Quad;
using reference::Rendered;
using testing::Generator;

namespace {
/// A JSON object, member by member.
class Writer {
 public:
  void put(const char* name, const std::string& value) {
    if (!text_.empty()) text_ += ", ";
    text_ += '"' + std::string(name) + "\": " + value;
  }
  void put(const char* name, double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    put(name, std::string(digits));
  }
  [[nodiscard]] std::string object() const { return '{' + text_ + '}'; }

 private:
  std::string text_;
};

class RandomConfig {
 public:
  explicit RandomConfig(Generator& generator) : generator_(generator) {}

  std::string flat() {
    const bool is_dictionary_of_4 = one_of(2);
    Writer config = beside();
    Writer rope = dictionary(is_dictionary_of_4);
    if (is_dictionary_of_4 || one_of(5)) put_base(config);
    if (one_of(4)) put_length(config, "original_max_position_embeddings");
    const char* const other = is_dictionary_of_4 ? "rope_parameters" : "rope_scaling";
    // Where both are given, rope_scaling counts, unless it is empty.
    if (one_of(6)) config.put(other, one_of(2) || is_dictionary_of_4 ? "null" : "{}");
    if (is_dictionary_of_4 && one_of(8))
      config.put("rope_parameters", R"({"rope_theta": 777, "rope_type": "default"})");
    config.put(is_dictionary_of_4 ? "rope_scaling" : "rope_parameters", rope.object());
    return config.object();
  }

  std::string nested() {
    Writer config = beside();
    if (one_of(2)) put_base(config);
    Writer layers;
    layers.put("full_attention", dictionary(false).object());
    layers.put("sliding_attention", dictionary(false).object());
    config.put("rope_parameters", layers.object());
    if (one_of(2)) config.put("layer_types", R"(["full_attention", "sliding_attention", "full_attention"])");
    return config.object();
  }

 private:
  [[nodiscard]] bool one_of(std::size_t count) { return generator_.below(count) == 0; }
  template <class T, std::size_t count>
  T pick(const T (&values)[count]) {
    return values[generator_.below(count)];
  }

  /// The dimensions of a head, rarely wrong ones, and the lengths.
  Writer beside() {
    Writer config;
    const double heads = pick({4.0, 8.0, 14.0}), dims = pick({16.0, 20.0, 32.0, 64.0, 80.0, 96.0, 128.0});
    const bool divides = !one_of(30);
    config.put("hidden_size", heads * dims + (divides ? 0 : 1));
    config.put("num_attention_heads", heads);
    dims_ = dims;
    if (one_of(3))
      config.put("head_dim", dims_ = one_of(20) ? 33 : 48);
    else if (one_of(4))
      config.put("head_dim", "null");
    fraction_ = 1;
    is_fraction_beside_ = one_of(2);
    if (one_of(3)) fraction_ = pick({0.25, 0.4, 0.5, 0.75, 0.3, 1.0});
    if (is_fraction_beside_ && fraction_ != 1)
      config.put("partial_rotary_factor", fraction_);
    else if (one_of(6))
      config.put("partial_rotary_factor", "null");
    if (!one_of(20)) put_length(config, "max_position_embeddings");
    return config;
  }

  void put_length(Writer& to, const char* key) { to.put(key, pick({2048.0, 4096.0, 8192.0, 32768.0, 131072.0})); }
  void put_base(Writer& to) {
    to.put("rope_theta",
           one_of(40) ? pick({0.0, -10000.0, 1.0, 0.5}) : pick({500.0, 10000.0, 150000.0, 500000.0, 1e7}));
  }
  void maybe(Writer& to, const char* key, double value) {
    if (one_of(2)) return;
    if (one_of(5))
      to.put(key, "null");
    else
      to.put(key, value);
  }

  Writer dictionary(bool is_dictionary_of_4) {
    Writer rope;
    const std::string type =
        one_of(40)
            ? "bogus"
            : pick({"default", "linear", "dynamic", "yarn", "yarn", "longrope", "longrope", "llama3", "proportional"});
    if (!(type == "default" && one_of(2)))
      rope.put(is_dictionary_of_4 && one_of(2) ? "type" : "rope_type", '"' + type + '"');
    if (!is_dictionary_of_4) put_base(rope);
    if (!is_fraction_beside_ && fraction_ != 1) rope.put("partial_rotary_factor", fraction_);
    const bool may_be_null = type == "yarn" || type == "longrope";
    if (may_be_null && one_of(3))
      rope.put("factor", "null");
    else if (one_of(30))
      rope.put("factor", R"("8")");
    else if (type != "default" ? !one_of(30) || may_be_null : one_of(20))
      rope.put("factor", one_of(20) ? 0.5 : pick({1.0, 2.0, 2.5, 4.0, 8.0, 32.0, 40.0}));
    if (may_be_null || type == "llama3") {
      if (!one_of(3)) put_length(rope, "original_max_position_embeddings");
    }
    if (may_be_null) maybe(rope, "attention_factor", pick({0.0, 0.8, 1.0, 1.19}));
    if (type == "yarn") {
      maybe(rope, "beta_fast", pick({0.0, 16.0, 32.0, 64.0, 0.25}));
      maybe(rope, "beta_slow", pick({0.0, 0.5, 1.0, 2.0}));
      maybe(rope, "mscale", pick({0.0, 0.707, 1.0}));
      maybe(rope, "mscale_all_dim", pick({0.0, 0.5, 1.0}));
      if (one_of(3)) rope.put("truncate", pick({"true", "false", "null"}));
    }
    if (type == "longrope") {
      rope.put("short_factor", list(1, 2));
      rope.put("long_factor", list(1, 40));
    }
    if (type == "llama3") {
      if (!one_of(20)) rope.put("low_freq_factor", pick({1.0, 2.0, 0.5}));
      rope.put("high_freq_factor", pick({4.0, 8.0, 1.0, 3.0}));
    }
    return rope;
  }

  std::string list(double least, double most) {
    const auto pairs = static_cast<std::size_t>(dims_ * fraction_) / 2 + (one_of(30) ? 1 : 0);
    Writer items;
    std::string text = "[";
    for (std::size_t i = 0; i < pairs; ++i) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%s%.6g", i == 0 ? "" : ", ",
                    least + (most - least) * (0.5 + 0.5 * generator_.fraction()));
      text += digits;
    }
    return text + "]";
  }

  Generator& generator_;
  double dims_ = 0, fraction_ = 1;
  bool is_fraction_beside_ = false;
};

/// The largest relative error of the plan's frequencies and attention factor.
double worst_of(posenc::HubPlan plan, const Rendered& rendered, std::int64_t length) {
  plan.rotary.layout = posenc::Layout::half;
  plan.rotary.length = length;
  const auto rotary = testing::value_of(posenc::Rotary::make(plan.rotary));
  REQUIRE(rotary.frequencies().count() == rendered.frequencies.size());
  const auto error = [](double value, Quad exact) {
    if (exact == 0) return value == 0 ? 0 : 1.0;
    return static_cast<double>(reference::magnitude((value - exact) / exact));
  };
  CHECK(rotary.attention_factor() == plan.attention_factor);
  double worst = error(plan.attention_factor, rendered.attention_factor);
  for (std::size_t i = 0; i < rendered.frequencies.size(); ++i)
    worst = std::max(worst, error(rotary.frequencies().radians(i), rendered.frequencies[i]));
  return worst;
}

}  // namespace

TEST_CASE("hub rules: 600 random configs agree with a rendering of transformers 5", "[hub]") {
  Generator generator(2026);
  int agreed = 0, refused = 0;
  double worst = 0;
  for (int round = 0; agreed < 600; ++round) {
    REQUIRE(round < 1200);
    RandomConfig random(generator);
    const bool is_nested = generator.below(5) == 0;
    const std::string json = is_nested ? random.nested() : random.flat();
    INFO(round << ": " << json);
    const ConfigValue config = testing::from_json(json);
    const auto read = posenc::read_hub_config(config);
    const auto types = is_nested ? std::vector{"full_attention", "sliding_attention"} : std::vector{""};
    bool raises = false, is_doubtful = false;
    for (const char* const type : types)
      for (const std::int64_t length : {std::int64_t{100}, std::int64_t{200000}}) {
        const auto rendered = reference::render(config, type, static_cast<double>(length));
        raises |= !rendered;
        is_doubtful |= rendered && rendered->is_doubtful;
        if (!read || !rendered || rendered->frequencies.empty()) continue;
        const auto plan =
            std::ranges::find_if(read->plans, [&](const posenc::HubPlan& made) { return made.layer_type == type; });
        REQUIRE(plan != read->plans.end());
        worst = std::max(worst, worst_of(*plan, *rendered, length));
        REQUIRE(worst <= 1e-14);
      }
    if (!read) {
      INFO(read.error().message());
      REQUIRE((raises || is_doubtful));
      ++refused;
    } else {
      REQUIRE_FALSE(raises);
      ++agreed;
    }
  }
  std::printf("hub rules: %d configs agree to %.1e, %d are refused\n", agreed, worst, refused);
  CHECK(refused < agreed);
}
