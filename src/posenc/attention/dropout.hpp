#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"

namespace posenc {

/// Dropout (Srivastava et al. 2014), inverted: an element is 0 with probability p and otherwise divided by 1 - p, so
/// that its mean stays. With p = 1 all are 0. In evaluation everything stays as it is.
///
/// Element i is dropped where word i % 4 of Philox4x32-10 is below floor(2^32 p), counter i / 4, key `seed`, the low
/// words first: a function of seed and i alone, the same on every machine.
struct Dropout {
  double p = 0;
  std::uint64_t seed = 0;
  std::uint64_t first = 0;  ///< i of the first element: for a slice of a longer array
  bool training = true;     ///< false: evaluation

  static constexpr std::int64_t most = (std::int64_t{1} << 53) - 1;
  static constexpr std::tuple ranges{
      ranged("p", &Dropout::p, from(0, 1)),
      ranged("seed", &Dropout::seed, whole_from(0, most)),
      ranged("offset", &Dropout::first, whole_from(0, most)),
  };
};

/// The factors of elements, in sequence or at any index.
class DropoutFactors {
 public:
  explicit DropoutFactors(const Dropout& options)
      : key_{static_cast<std::uint32_t>(options.seed), static_cast<std::uint32_t>(options.seed >> 32)},
        first_(options.first),
        threshold_(options.training ? static_cast<std::uint64_t>(options.p * 0x1p32) : 0),
        kept_(options.training && options.p < 1 ? 1 - options.p : 1) {}

  /// Whether any element changes.
  [[nodiscard]] bool active() const { return threshold_ != 0 || kept_ != 1; }

  /// x after dropout, from element 0 on. out may be x.
  void apply(std::span<const float> x, float* out);

  /// x after dropout, as element `index`.
  [[nodiscard]] double apply(double x, std::uint64_t index) {
    const std::uint64_t at = first_ + index;
    if (at / 4 != block_) read_block(at / 4);
    return words_[at % 4] < threshold_ ? 0 : x / kept_;
  }

 private:
  void read_block(std::uint64_t block);

  std::array<std::uint32_t, 2> key_;
  std::uint64_t first_;
  std::uint64_t threshold_;
  double kept_;
  std::uint64_t block_ = ~std::uint64_t{0};
  std::array<std::uint32_t, 4> words_{};
};

/// out may be x. The gradient of x is the same dropout of the gradient of out. Errors: p outside 0 ... 1; seed or first
/// (named "offset") above 2^53 - 1; sizes that differ. Largest error: 0.501 ulp.
[[nodiscard]] Expected<void> dropout(const Dropout& options, std::span<const float> x, std::span<float> out);

}  // namespace posenc
