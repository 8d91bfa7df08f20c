#include "posenc/frequencies/scaling.hpp"

#include <array>
#include <type_traits>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// The meaning of a name is the rule's place among those of Scaling.
template <class... Rules>
constexpr auto names_of(std::type_identity<std::variant<Rules...>>) {
  int place = 0;
  return std::array{Name{Rules::name, place++}...};
}

constexpr auto names = names_of(std::type_identity<Scaling>());

template <class... Rules>
Scaling rule_at(int place, std::type_identity<std::variant<Rules...>>) {
  Scaling made;
  ((place-- == 0 ? void(made.emplace<Rules>()) : void()), ...);
  return made;
}

}  // namespace

Expected<Scaling> scaling_from_name(std::string_view type) {
  POSENC_TRY_LET(meaning, meaning_of(names, "scaling.type", type));
  return rule_at(meaning, std::type_identity<Scaling>());
}

std::string_view name_of(const Scaling& scaling) { return names[scaling.index()].name; }

}  // namespace posenc
