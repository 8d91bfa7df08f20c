#pragma once

#include <array>
#include <cstdint>

#include "posenc/attention/dropout.hpp"
#include "posenc/base/philox.hpp"

namespace posenc {

/// An Error unless p, seed and first are in their ranges.
[[nodiscard]] Expected<void> check_dropout(const Dropout& options);

/// What elements are multiplied by, in sequence or at any index.
class DropoutFactors {
 public:
  explicit DropoutFactors(const Dropout& options)
      : key_{static_cast<std::uint32_t>(options.seed), static_cast<std::uint32_t>(options.seed >> 32)},
        first_(options.first),
        threshold_(options.training ? static_cast<std::uint64_t>(options.p * 0x1p32) : 0),
        kept_(options.training && options.p < 1 ? 1 - options.p : 1) {}

  /// Whether any element changes.
  [[nodiscard]] bool active() const { return threshold_ != 0 || kept_ != 1; }

  /// x after dropout, as element `index`.
  [[nodiscard]] double apply(double x, std::uint64_t index) {
    const std::uint64_t at = first_ + index;
    if (at / 4 != block_) {
      block_ = at / 4;
      words_ = philox({static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32), 0, 0}, key_);
    }
    return words_[at % 4] < threshold_ ? 0 : x / kept_;
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint64_t first_;
  std::uint64_t threshold_;
  double kept_;
  std::uint64_t block_ = ~std::uint64_t{0};
  std::array<std::uint32_t, 4> words_{};
};

}  // namespace posenc
