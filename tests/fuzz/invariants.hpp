#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"

/// Asserts an invariant for any arguments. Where it fails, the program ends, and the fuzzer keeps the input.
namespace fuzz {

/// Ends the program with a line that says which condition of which file did not hold.
void require(bool holds, const char* what);

/// An Error that explains: which argument, what would have been right.
void check_error(const posenc::Error& error);

/// Whether it succeeded.
template <class T>
bool check(const posenc::Expected<T>& result) {
  if (!result) check_error(result.error());
  return result.has_value();
}

/// An output of exactly that size. After an Error it has to be what it was before.
template <class T>
class Output {
 public:
  explicit Output(std::size_t size) : values_(size, before) {}
  [[nodiscard]] std::span<T> span() { return values_; }

  /// Whether it succeeded.
  bool check(const posenc::Expected<void>& result) const {
    if (fuzz::check(result)) return true;
    require(std::ranges::all_of(values_, [](T value) { return value == before; }), "untouched after an Error");
    return false;
  }

  [[nodiscard]] bool all_of(bool (*holds)(T)) const { return std::ranges::all_of(values_, holds); }

 private:
  static constexpr T before = T(7);
  std::vector<T> values_;
};

}  // namespace fuzz
