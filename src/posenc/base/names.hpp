#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

/// One word of an option's vocabulary, and the enumerator it means.
struct Name {
  template <class Enum>
  constexpr Name(std::string_view word, Enum enumerator) : name(word), meaning(static_cast<int>(enumerator)) {}
  std::string_view name;
  int meaning;
};

/// The argument that an enumeration is the option of, and its words. An enumeration has them in one table beside it:
///
///   template <>
///   inline constexpr auto names_of<Layout> = Names("layout", {{"half", Layout::half}, ...});
///
/// from_name and name_of of that enumeration follow from the table.
template <std::size_t count>
struct Names {
  consteval Names(std::string_view of, const Name (&known)[count]) : argument(of), words(std::to_array(known)) {}
  std::string_view argument;
  std::array<Name, count> words;
};

template <class Enum>
inline constexpr bool names_of = false;

template <class Enum>
concept Named = requires { names_of<Enum>.words; };

/// The meaning of `name`, or an Error that lists the valid names.
[[nodiscard]] Expected<int> meaning_of(std::span<const Name> names, std::string_view argument, std::string_view name);

/// The word for an enumerator; empty where there is none.
[[nodiscard]] std::string_view name_of(std::span<const Name> names, int meaning);

/// The enumerator that an option's word names, or an Error that lists the words.
template <class Enum>
[[nodiscard]] Expected<Enum> from_name(std::string_view name) {
  POSENC_TRY_LET(meaning, meaning_of(names_of<Enum>.words, names_of<Enum>.argument, name));
  return static_cast<Enum>(meaning);
}

template <Named Enum>
[[nodiscard]] std::string_view name_of(Enum enumerator) {
  return name_of(names_of<Enum>.words, static_cast<int>(enumerator));
}

}  // namespace posenc
