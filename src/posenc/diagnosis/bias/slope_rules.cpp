#include "posenc/diagnosis/bias/slope_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "posenc/base/scalar_maths.hpp"

namespace posenc::diagnosis {
namespace {

/// Heads are shared out among so many devices at most.
constexpr std::int64_t most_devices = 16;

/// The share of a head by the paper, and by MPT, which sorts another series to the same slopes.
double paper_share(std::size_t h, std::size_t heads) {
  const std::size_t lower = std::bit_floor(heads);
  if (h < lower) return static_cast<double>(h + 1) / static_cast<double>(lower);
  return static_cast<double>(2 * (h - lower) + 1) / static_cast<double>(2 * lower);
}

/// Whether two rules give as many heads the same slopes.
bool same(const SlopeRule& a, const SlopeRule& b, std::size_t count) {
  for (std::size_t h = 0; h < count; ++h)
    if (share_of(a, h) != share_of(b, h)) return false;
  return true;
}

}  // namespace

double share_of(const SlopeRule& rule, std::size_t head) {
  if (rule.period > 0) head %= static_cast<std::size_t>(rule.period);
  const auto heads = static_cast<std::size_t>(rule.heads);
  if (rule.name == "geometric")
    return static_cast<double>(rule.first + static_cast<std::int64_t>(head) + 1) / static_cast<double>(heads);
  const std::size_t h = static_cast<std::size_t>(rule.first) + head;
  return paper_share(h, heads);
}

double power_of(const SlopeRule& rule, std::size_t head) {
  // The paper's series of twice as many heads is the finer one.
  const auto heads = std::bit_floor(static_cast<std::size_t>(rule.heads));
  return share_of(rule, head) *
         static_cast<double>(rule.name == "geometric" ? static_cast<std::size_t>(rule.heads) : 2 * heads);
}

double slope_of(const SlopeRule& rule, double steepness, std::size_t head) {
  const double exponent = steepness * share_of(rule, head);
  const double whole = std::floor(exponent);
  return std::ldexp(exponential((whole - exponent) * ln_2.high), -static_cast<int>(whole));
}

SlopeRule expected_rule(const BiasExpectation& expected, std::size_t heads) {
  if (expected.type != "alibi") return {"paper", static_cast<std::int64_t>(heads), 0};
  return {expected.slopes == "mpt" ? std::string_view("mpt") : std::string_view("paper"),
          expected.heads.value_or(static_cast<std::int64_t>(heads)), expected.first_head};
}

std::vector<SlopeRule> slope_rules(const BiasExpectation& expected, std::size_t heads) {
  std::vector<SlopeRule> rules{expected_rule(expected, heads)};
  const auto add = [&](const SlopeRule& rule) {
    const auto is_known = [&](const SlopeRule& each) { return same(each, rule, heads); };
    if (std::ranges::none_of(rules, is_known)) rules.push_back(rule);
  };
  const auto own = static_cast<std::int64_t>(heads);
  const auto higher = static_cast<std::int64_t>(std::bit_ceil(heads));
  const auto lower = static_cast<std::int64_t>(std::bit_floor(heads));
  for (const std::string_view name : {"paper", "geometric"}) add({name, own, 0});
  for (const std::int64_t near : {higher, 2 * higher, 4 * higher}) add({"paper", near, 0});
  add({"geometric", lower, 0});
  for (const std::int64_t near : {own, higher, lower}) add({"geometric", near, -1});
  for (std::int64_t devices = 2; devices <= most_devices; devices *= 2)
    for (std::int64_t device = 0; device < devices; ++device) add({"paper", devices * own, device * own});
  for (std::int64_t devices = 2; devices <= most_devices && own % devices == 0; devices *= 2)
    for (const std::int64_t of : {own, own / devices}) add({"paper", of, 0, own / devices});
  const std::int64_t all = expected_rule(expected, heads).heads;
  for (std::int64_t first = 0; first + own <= all && first / own < most_devices; first += own)
    add({"paper", all, first});
  return rules;
}

}  // namespace posenc::diagnosis
