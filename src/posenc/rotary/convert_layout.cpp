#include "posenc/rotary/convert_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

Expected<void> check_layout(std::string_view argument, Layout layout) {
  if (layout == Layout::half || layout == Layout::interleaved) return {};
  std::string shown = "\"";
  shown += name_of(layout);
  shown += '"';
  return wrong(argument, std::move(shown), {"\"half\" or \"interleaved\""});
}

bool overlap(std::span<const float> x, std::span<const float> y) {
  const std::less<const float*> before;
  return !x.empty() && !y.empty() && before(x.data(), y.data() + y.size()) && before(y.data(), x.data() + x.size());
}

Expected<void> check(const ConvertLayoutOptions& options, std::size_t inner, std::span<const float> x,
                     std::span<float> out) {
  if (auto checked = check_whole("dim", options.dim, 2, max_dim); !checked) return checked;
  if (auto checked = check_rotary_dim(options.rotary_dim.value_or(options.dim), options.dim); !checked) return checked;
  if (auto checked = check_layout("from", options.from); !checked) return checked;
  if (auto checked = check_layout("to", options.to); !checked) return checked;
  const auto dim = static_cast<std::size_t>(options.dim);
  if (inner == 0) return wrong("in", 0.0, {"a whole number >= 1"});
  if (x.size() % dim != 0 || x.size() / dim % inner != 0)
    return wrong("x", static_cast<double>(x.size()), {"heads of ", decimal(dim), " * ", decimal(inner), " values"});
  if (auto checked = check_size("out", out.size(), x.size()); !checked) return checked;
  if (overlap(x, out)) return wrong("out", "memory of x", {"memory of its own"});
  return {};
}

}  // namespace

Expected<void> convert_layout(const ConvertLayoutOptions& options, std::size_t inner, std::span<const float> x,
                              std::span<float> out) {
  if (auto checked = check(options, inner, x, out); !checked) return checked;
  std::ranges::copy(x, out.begin());
  if (options.from == options.to) return {};
  const auto dim = static_cast<std::size_t>(options.dim);
  const std::size_t pairs = static_cast<std::size_t>(options.rotary_dim.value_or(options.dim)) / 2;
  const bool to_half = options.to == Layout::half;
  const auto move = [&](std::size_t head, std::size_t half, std::size_t interleaved) {
    const std::size_t from = to_half ? interleaved : half;
    const std::size_t to = to_half ? half : interleaved;
    std::copy_n(x.data() + (head + from) * inner, inner, out.data() + (head + to) * inner);
  };
  for (std::size_t head = 0; head < x.size() / inner; head += dim)
    for (std::size_t i = 0; i < pairs; ++i) {
      move(head, HalfPairs{pairs}.first(i), InterleavedPairs{pairs}.first(i));
      move(head, HalfPairs{pairs}.second(i), InterleavedPairs{pairs}.second(i));
    }
  return {};
}

}  // namespace posenc
