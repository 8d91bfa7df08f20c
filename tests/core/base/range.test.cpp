#include "posenc/base/range.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "posenc/attention/attention_mask.hpp"
#include "posenc/attention/dropout.hpp"
#include "posenc/attention/linear_attention.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/grid/grid_points.hpp"
#include "posenc/grid/mrope_positions.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "posenc/learned/optimizer.hpp"
#include "posenc/learned/resize.hpp"
#include "posenc/learned/table_init.hpp"
#include "posenc/learning/model_options.hpp"
#include "posenc/learning/training.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/fire.hpp"
#include "posenc/relative/sandwich.hpp"
#include "posenc/relative/swin.hpp"
#include "posenc/relative/t5.hpp"
#include "posenc/rotary/certificate.hpp"
#include "posenc/rotary/convert_layout.hpp"
#include "posenc/rotary/query_temperature.hpp"
#include "posenc/rotary/xpos.hpp"
#include "posenc/sinusoidal/fourier.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace {

using namespace posenc;
namespace rule = posenc::scaling;

using Tables =
    std::tuple<AdamOptions, AlibiOptions, AttentionMask, BiasShape, CertificateOptions, ConvertLayoutOptions, Dropout,
               FireOptions, FourierOptions, FrequencyOptions, FrequencyPlan, GridPointOptions, LinearAttentionOptions,
               MixedFrequencyOptions, MropeOptions, MropeRow, QueryTemperature, ResizeOptions, RotaryGridChoice,
               RotaryGridOptions, RotaryMixedOptions, RotaryOptions, SandwichOptions, SgdOptions,
               SinusoidalGridCoordinates, SinusoidalGridOptions, SinusoidalOptions, SwinLogCpb, SwinWindow, T5Options,
               TableInit, TokensAround, XposOptions, learning::ModelOptions, learning::OptimizerOptions,
               learning::TrainingOptions, rule::Dynamic, rule::Given, rule::Linear, rule::Llama3, rule::Longrope,
               rule::Ntk, rule::Proportional, rule::Yarn>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Calls use(options, option) for each option of each table; the options are in their ranges.
template <class Use>
void for_each_option(const Use& use) {
  const auto of_table = [&]<class Options>(std::type_identity<Options>) {
    Options options;
    const auto fill = [&]<class Member>(const RangedOption<Options, Member>& option) {
      Member& member = options.*option.member;
      bool is_fine = true;
      if constexpr (!requires { member.has_value(); }) is_fine = contains(option.range, number_of(member));
      if (!is_fine)
        options.*option.member = static_cast<Member>(option.range.least + (option.range.excludes_least ? 1 : 0));
    };
    std::apply([&](const auto&... option) { (fill(option), ...); }, Options::ranges);
    REQUIRE(check_ranges(options));
    std::apply([&](const auto&... option) { (use(options, option), ...); }, Options::ranges);
  };
  [&]<class... Options>(std::type_identity<std::tuple<Options...>>) {
    (of_table(std::type_identity<Options>()), ...);
  }(std::type_identity<Tables>());
}

template <class Options, class Member>
Expected<void> with(Options options, const RangedOption<Options, Member>& option, double value) {
  options.*option.member = static_cast<Member>(value);
  return check_ranges(options);
}

template <class T>
constexpr bool is_double = std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>;

TEST_CASE("an option may be what its range says, and nothing just outside", "[base][range]") {
  for_each_option([]<class Options, class Member>(const Options& options, const RangedOption<Options, Member>& option) {
    const OptionRange& range = option.range;
    INFO(option.name << ": " << out_of_range(option.name, 0, range).expected());
    const auto refused = [&](double value) {
      const auto checked = with(options, option, value);
      REQUIRE_FALSE(checked);
      CHECK(checked.error().argument == option.name);
    };
    CHECK(with(options, option, range.least).has_value() != range.excludes_least);
    CHECK(with(options, option, range.most).has_value() != range.excludes_most);
    if constexpr (is_double<Member>) {
      refused(std::nextafter(range.least, -infinity));
      refused(std::nextafter(range.most, infinity));
      refused(std::nan(""));
    } else {
      if (range.least > 0 || !std::is_same_v<Member, std::uint64_t>)
        refused(range.least > -0x1p53 ? range.least - 1 : -0x1p54);
      refused(range.most < 0x1p53 ? range.most + 1 : 0x1p54);
    }
  });
}

TEST_CASE("what is said of a range", "[base][range]") {
  const auto said = [](const OptionRange& range) { return out_of_range("x", 7, range).message(); };
  CHECK(said(whole_from(2, 4096)) == "x: 7, expected a whole number from 2 to 4096");
  CHECK(said(whole_from(0, (std::int64_t{1} << 53) - 1)) == "x: 7, expected a whole number from 0 to 2^53 - 1");
  CHECK(said(whole_from(-(std::int64_t{1} << 53), std::int64_t{1} << 53)) ==
        "x: 7, expected a whole number from -2^53 to 2^53");
  CHECK(said(from(1e-6, 1e6)) == "x: 7, expected a number from 0.000001 to 1000000");
  CHECK(said(from(0, 1e30)) == "x: 7, expected a number from 0 to 1e30");
  CHECK(said(from(2)) == "x: 7, expected a finite number >= 2");
  CHECK(said(from_to_below(0, 1)) == "x: 7, expected a number >= 0 and < 1");
  CHECK(said(above(0)) == "x: 7, expected a finite number > 0");
  CHECK(said(above(0, 1000)) == "x: 7, expected a number > 0, at most 1000");
  CHECK(said(within(0x1p127)) == "x: 7, expected a finite number of at most 2^127");
  CHECK(said(any_finite()) == "x: 7, expected a finite number");
}

}  // namespace
