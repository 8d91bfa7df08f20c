#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "posenc/frequencies/frequencies.hpp"
#include "testing/testing.hpp"

using posenc::Frequencies;
using posenc::FrequencyPlan;
using posenc::Scaling;
using testing::infinity;
using testing::require_error;
namespace scaling = posenc::scaling;

namespace {

/// Refused by both functions that read a plan, for the same reason.
void check_refused(const FrequencyPlan& plan, std::string_view argument, std::string_view value) {
  require_error(Frequencies::make_scaled(plan), argument, value);
  require_error(posenc::attention_factor(plan), argument, value);
}

void check_refused(Scaling rule, std::string_view argument, std::string_view value) {
  check_refused(FrequencyPlan{.frequencies = {.dim = 4}, .scaling = std::move(rule), .length = 10}, argument, value);
}

const double not_a_number = std::nan("");
}  // namespace

TEST_CASE("scaling: a wrong plan is an Error", "[scaling]") {
  check_refused(FrequencyPlan{}, "dim", "0");
  check_refused({.frequencies = {.dim = -2}}, "dim", "-2");
  check_refused({.frequencies = {.dim = 8, .base = 0}}, "base", "0");
  check_refused({.frequencies = {.dim = 8, .base = 1e-300}}, "base", "1e-300");
  check_refused({.frequencies = {.dim = 8}, .exponent_dim = 0}, "exponentDim", "0");
  check_refused({.frequencies = {.dim = 8}, .exponent_dim = posenc::max_dim + 1}, "exponentDim", "16777217");
  check_refused({.frequencies = {.dim = 8}, .length = -1}, "length", "-1");
}

TEST_CASE("scaling: a wrong factor is an Error in every rule that has one", "[scaling]") {
  for (const double factor : {0.0, -2.0, not_a_number, infinity, 1e7, 1e-7}) {
    const std::string_view value = std::isnan(factor) ? "nan" : "";
    check_refused(scaling::Linear{factor}, "scaling.factor", value);
    check_refused(scaling::Ntk{factor}, "scaling.factor", value);
    check_refused(scaling::Dynamic{factor, 2048}, "scaling.factor", value);
    check_refused(scaling::Yarn{.factor = factor, .original_length = 2048}, "scaling.factor", value);
    check_refused(scaling::Longrope{factor, 2048, {1, 1}, {1, 1}}, "scaling.factor", value);
    check_refused(scaling::Llama3{.factor = factor, .original_length = 2048}, "scaling.factor", value);
    check_refused(scaling::Proportional{1, factor}, "scaling.factor", value);
  }
  check_refused(scaling::Linear{}, "scaling.factor", "0");
}

TEST_CASE("scaling: a wrong original length is an Error in every rule that has one", "[scaling]") {
  for (const double length : {0.0, 1.0, -8.0, not_a_number, infinity}) {
    check_refused(scaling::Dynamic{2, length}, "scaling.originalLength", "");
    check_refused(scaling::Yarn{.factor = 2, .original_length = length}, "scaling.originalLength", "");
    check_refused(scaling::Longrope{2, length, {1, 1}, {1, 1}}, "scaling.originalLength", "");
    check_refused(scaling::Llama3{.factor = 2, .original_length = length}, "scaling.originalLength", "");
  }
}

TEST_CASE("scaling: rules that depend on the length have to be given it", "[scaling]") {
  check_refused({.frequencies = {.dim = 4}, .scaling = scaling::Dynamic{2, 2048}}, "length", "none");
  check_refused({.frequencies = {.dim = 4}, .scaling = scaling::Longrope{2, 2048, {1, 1}, {1, 1}}}, "length", "none");
}

TEST_CASE("scaling: NTK needs more than two dimensions", "[scaling]") {
  check_refused({.frequencies = {.dim = 2}, .scaling = scaling::Ntk{2}}, "dim", "2");
  check_refused({.frequencies = {.dim = 2}, .scaling = scaling::Dynamic{2, 8}, .length = 4}, "dim", "2");
  check_refused({.frequencies = {.dim = 8}, .exponent_dim = 1, .scaling = scaling::Ntk{2}}, "dim", "1");
}

TEST_CASE("scaling: frequencies past the largest angle are an Error", "[scaling]") {
  require_error(
      Frequencies::make_scaled({.frequencies = {.dim = 4, .base = 0x1p-104}, .scaling = scaling::Linear{0.01}}), "base",
      "e-3");
  require_error(
      Frequencies::make_scaled({.frequencies = {.dim = 4096}, .exponent_dim = 3, .scaling = scaling::Ntk{1e-6}}),
      "base", "10000");
}

TEST_CASE("scaling: YaRN's wrong options are Errors", "[scaling]") {
  const scaling::Yarn good{.factor = 4, .original_length = 4096};
  const auto with = [&](auto member, auto value) {
    scaling::Yarn rule = good;
    rule.*member = value;
    return rule;
  };
  for (const double wrong : {0.0, -1.0, not_a_number, infinity}) {
    check_refused(with(&scaling::Yarn::beta_fast, wrong), "scaling.betaFast", "");
    check_refused(with(&scaling::Yarn::beta_slow, wrong), "scaling.betaSlow", "");
  }
  for (const double wrong : {-1.0, not_a_number, infinity}) {
    check_refused(with(&scaling::Yarn::attention_factor, wrong), "scaling.attentionFactor", "");
    check_refused(with(&scaling::Yarn::mscale, wrong), "scaling.mscale", "");
    check_refused(with(&scaling::Yarn::mscale_all_dim, wrong), "scaling.mscaleAllDim", "");
  }
  check_refused(with(&scaling::Yarn::beta_slow, 33.0), "scaling.betaFast", "32");
  check_refused({.frequencies = {.dim = 4, .base = 1}, .scaling = good}, "base", "1");
  check_refused({.frequencies = {.dim = 4, .base = 0.5}, .scaling = good}, "base", "0.5");
}

TEST_CASE("scaling: LongRoPE's wrong lists are Errors", "[scaling]") {
  check_refused(scaling::Longrope{2, 8, {1}, {1, 1}}, "scaling.shortFactor", "1 values");
  check_refused(scaling::Longrope{2, 8, {1, 1}, {}}, "scaling.longFactor", "0 values");
  check_refused(scaling::Longrope{2, 8, {1, 0}, {1, 1}}, "scaling.shortFactor[1]", "0");
  check_refused(scaling::Longrope{2, 8, {1, 1}, {not_a_number, 1}}, "scaling.longFactor[0]", "nan");
  check_refused(scaling::Longrope{2, 8, {1, 1}, {1, 1}, -1}, "scaling.attentionFactor", "-1");
}

TEST_CASE("scaling: the other rules' wrong options are Errors", "[scaling]") {
  check_refused(scaling::Llama3{2, 0, 4, 8192}, "scaling.lowFrequencyFactor", "0");
  check_refused(scaling::Llama3{2, 1, not_a_number, 8192}, "scaling.highFrequencyFactor", "nan");
  check_refused(scaling::Llama3{2, 4, 1, 8192}, "scaling.highFrequencyFactor", "1");
  for (const double wrong : {-0.1, 1.1, not_a_number})
    check_refused(scaling::Proportional{wrong, 1}, "scaling.fraction", "");
  check_refused(scaling::Given{{1}, 1}, "scaling.frequencies", "1 values");
  check_refused(scaling::Given{{1, not_a_number}, 1}, "scaling.frequencies[1]", "nan");
  check_refused(scaling::Given{{1e16, 1}, 1}, "scaling.frequencies[0]", "1e+16");
  check_refused(scaling::Given{{1, 1}, -2}, "scaling.attentionFactor", "-2");
}
