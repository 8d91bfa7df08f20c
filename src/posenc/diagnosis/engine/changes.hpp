#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "posenc/base/function_ref.hpp"
#include "posenc/diagnosis/mistake.hpp"

namespace posenc::diagnosis {

/// One of the things that are known to go wrong with a computation. Those of one part exclude each other; of two the
/// one of the lower part is made first, as it replaces more.
template <class Computation>
struct ListedChange {
  std::uint8_t part;
  Mistake mistake;
  std::function<void(Computation&)> make;
};

template <class Computation>
using ListedChanges = std::vector<ListedChange<Computation>>;

/// Calls use(computation, mistakes) with the right one, with each change of it and, where asked for, with each two of
/// different parts; until `use` returns false. Of those that make equal numbers the first in the list is the name.
template <class Computation>
void for_each_listed(
    const Computation& right, const ListedChanges<Computation>& changes, bool with_pairs,
    std::type_identity_t<FunctionRef<bool(const Computation& made, const std::vector<Mistake>& mistakes)>> use) {
  if (!use(right, {})) return;
  for (const ListedChange<Computation>& change : changes) {
    Computation made = right;
    change.make(made);
    if (!use(made, {change.mistake})) return;
  }
  for (std::size_t i = 0; with_pairs && i < changes.size(); ++i)
    for (std::size_t j = i + 1; j < changes.size(); ++j) {
      if (changes[j].part == changes[i].part) continue;
      const bool is_first = changes[i].part < changes[j].part;
      Computation made = right;
      changes[is_first ? i : j].make(made);
      changes[is_first ? j : i].make(made);
      if (!use(made, {changes[i].mistake, changes[j].mistake})) return;
    }
}

}  // namespace posenc::diagnosis
