#include "posenc/diagnosis/diagnosis.hpp"

#include <array>
#include <cstddef>

namespace posenc {

std::string_view name_of(Verdict verdict) {
  static constexpr std::array<std::string_view, 5> names{"certain", "likely", "ambiguous", "too-little", "none"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(TableOrder order) {
  static constexpr std::array<std::string_view, 4> names{"interleaved", "split", "interleaved-cosines-first",
                                                         "cosines-first"};
  return names[static_cast<std::size_t>(order)];
}

}  // namespace posenc
