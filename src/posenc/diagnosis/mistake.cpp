#include "posenc/diagnosis/mistake.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <source_location>
#include <utility>

namespace posenc {
namespace {

constexpr std::size_t mistake_count = static_cast<std::size_t>(Mistake::terms_rounded) + 1;

/// The enumerator as the compiler spells it in the name of this function, "... Mistake::first_dim]".
template <Mistake mistake>
consteval std::string_view enumerator() {
  constexpr std::string_view scope = "Mistake::";
  std::string_view name = std::source_location::current().function_name();
  name.remove_prefix(name.rfind(scope) + scope.size());
  return name.substr(0, name.find_first_of(";]"));
}

/// The enumerator with hyphens, "first-dim".
template <Mistake mistake>
constexpr auto hyphenated = [] {
  std::array<char, enumerator<mistake>().size()> made{};
  std::ranges::replace_copy(enumerator<mistake>(), made.begin(), '_', '-');
  return made;
}();

}  // namespace

std::span<const std::string_view> mistake_names() {
  static constexpr auto names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{std::string_view(hyphenated<Mistake{I}>.data(), hyphenated<Mistake{I}>.size())...};
  }(std::make_index_sequence<mistake_count>());
  return names;
}

std::string_view name_of(Mistake mistake) { return mistake_names()[static_cast<std::size_t>(mistake)]; }

}  // namespace posenc
