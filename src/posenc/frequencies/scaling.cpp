#include "posenc/frequencies/scaling.hpp"

#include <array>
#include <type_traits>

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

/// Calls use with each rule of Scaling, in order, and gives what it returns for all of them.
template <class Use, class... Rules>
constexpr auto for_each_rule(const Use& use, std::type_identity<std::variant<Rules...>>) {
  return std::array{use(Rules{})...};
}

/// The meaning of a name is the rule's place among those of Scaling.
constexpr auto names = [] {
  int place = 0;
  return for_each_rule([&](const auto& rule) { return Name{rule.name, place++}; }, std::type_identity<Scaling>());
}();

}  // namespace

Expected<Scaling> scaling_from_name(std::string_view type) {
  const auto meaning = meaning_of(names, "scaling.type", type);
  if (!meaning) return std::unexpected(meaning.error());
  const auto rules = for_each_rule([](const auto& rule) { return Scaling{rule}; }, std::type_identity<Scaling>());
  return rules[static_cast<std::size_t>(*meaning)];
}

std::string_view name_of(const Scaling& scaling) {
  return std::visit([](const auto& rule) { return rule.name; }, scaling);
}

}  // namespace posenc
