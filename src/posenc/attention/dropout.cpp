#include "posenc/attention/dropout.hpp"

#include <algorithm>

#include "posenc/base/check.hpp"
#include "posenc/base/philox.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

void DropoutFactors::read_block(std::uint64_t block) {
  block_ = block;
  words_ = philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0}, key_);
}

void DropoutFactors::apply(std::span<const float> x, float* out) {
  using Words = xsimd::batch<std::uint32_t>;
  constexpr std::size_t together = 16;  // words of four blocks, the first a multiple of four
  const auto one = [&](std::size_t i) { out[i] = static_cast<float>(apply(static_cast<double>(x[i]), i)); };
  std::size_t i = 0;
  for (; i < x.size() && (first_ + i) % together != 0; ++i) one(i);
  // With p = 1 no word is large enough, and a threshold is not one.
  const std::size_t end = threshold_ >> 32 == 0 ? x.size() : 0;
  const Words threshold(static_cast<std::uint32_t>(threshold_));
  const Doubles kept{kept_, kept_};
  for (; i + together <= end; i += together) {
    const std::uint64_t block = (first_ + i) / 4;
    std::uint32_t words[together];
    write_philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0}, key_, words);
    for (std::size_t k = 0; k < together; k += piece_size) {
      float values[piece_size];
      (Doubles::load(x.data() + i + k) / kept).store(values);
      const auto stays = xsimd::batch_bool_cast<float>(Words::load_unaligned(words + k) >= threshold);
      xsimd::select(stays, xsimd::batch<float>::load_unaligned(values), xsimd::batch<float>(0))
          .store_unaligned(out + i + k);
    }
  }
  for (; i < x.size(); ++i) one(i);
}

Expected<void> dropout(const Dropout& options, std::span<const float> x, std::span<float> out) {
  POSENC_TRY(check_ranges(options));
  POSENC_TRY(check_size("out", out.size(), x.size()));
  DropoutFactors factors(options);
  if (!factors.active()) {
    std::ranges::copy(x, out.begin());
    return {};
  }
  factors.apply(x, out.data());
  return {};
}

}  // namespace posenc
