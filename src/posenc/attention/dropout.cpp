#include "posenc/attention/dropout.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/philox.hpp"

namespace posenc {

Expected<void> Dropout::check() const {
  constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;
  const bool is_probability = p >= 0 && p <= 1;
  if (!is_probability) return wrong("p", p, {"a probability from 0 to 1"});
  for (const auto& [name, value] : {std::pair("seed", seed), std::pair("offset", first)})
    if (value > most) return wrong(name, static_cast<double>(value), {"a whole number from 0 to 2^53 - 1"});
  return {};
}

void DropoutFactors::read_block(std::uint64_t block) {
  block_ = block;
  words_ = philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0}, key_);
}

Expected<void> dropout(const Dropout& options, std::span<const float> x, std::span<float> out) {
  if (auto checked = options.check(); !checked) return checked;
  if (auto checked = check_size("out", out.size(), x.size()); !checked) return checked;
  DropoutFactors factors(options);
  if (!factors.active()) {
    std::ranges::copy(x, out.begin());
    return {};
  }
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = static_cast<float>(factors.apply(static_cast<double>(x[i]), i));
  return {};
}

}  // namespace posenc
