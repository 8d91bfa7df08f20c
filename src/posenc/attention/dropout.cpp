#include "posenc/attention/dropout.hpp"

#include <algorithm>

#include "posenc/attention/dropped.hpp"
#include "posenc/base/check.hpp"

namespace posenc {

Expected<void> check_dropout(const Dropout& options) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;
  const bool is_probability = options.p >= 0 && options.p <= 1;
  if (!is_probability) return wrong("p", options.p, {"a probability from 0 to 1"});
  for (const auto& [name, value] : {std::pair("seed", options.seed), std::pair("offset", options.first)})
    if (value > most) return wrong(name, static_cast<double>(value), {"a whole number from 0 to 2^53 - 1"});
  return {};
}

Expected<void> dropout(const Dropout& options, std::span<const float> x, std::span<float> out) {
  if (auto checked = check_dropout(options); !checked) return checked;
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
