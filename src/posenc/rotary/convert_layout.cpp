#include "posenc/rotary/convert_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"
#include "posenc/base/words16.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

Expected<void> check_layout(std::string_view argument, Layout layout) {
  if (layout == Layout::half || layout == Layout::interleaved) return {};
  std::string shown = "\"";
  shown += name_of(layout);
  shown += '"';
  return invalid_argument(argument, std::move(shown), expected::one_of, {"\"half\", \"interleaved\""});
}

bool overlap(std::span<const float> x, std::span<const float> y) {
  const std::less<const float*> before;
  return !x.empty() && !y.empty() && before(x.data(), y.data() + y.size()) && before(y.data(), x.data() + x.size());
}

Expected<void> check(const ConvertLayoutOptions& options, std::size_t inner, std::span<const float> x,
                     std::span<float> out) {
  POSENC_TRY(check_ranges(options));
  POSENC_TRY(check_rotary_dim(options.rotary_dim.value_or(options.dim), options.dim));
  POSENC_TRY(check_layout("from", options.from));
  POSENC_TRY(check_layout("to", options.to));
  const auto dim = static_cast<std::size_t>(options.dim);
  if (inner == 0) return invalid_argument("in", 0.0, expected::whole_at_least, {1});
  if (x.size() % dim != 0 || x.size() / dim % inner != 0)
    return invalid_argument("x", static_cast<double>(x.size()), expected::heads_of, {dim, inner});
  POSENC_TRY(check_size("out", out.size(), x.size()));
  if (overlap(x, out)) return invalid_argument("out", "memory of x", expected::own_memory);
  return {};
}

/// The dimensions of one head that rotate, from interleaved pairs to halves or back.
void reorder(const float* x, std::size_t pairs, bool to_half, float* out) {
  std::size_t i = 0;
#if !XSIMD_WITH_EMULATED
  for (; i + Floats::size <= pairs; i += Floats::size) {
    if (to_half) {
      const auto [first, second] = load_deinterleaved(x + 2 * i);
      first.store_unaligned(out + i);
      second.store_unaligned(out + pairs + i);
    } else {
      store_rounded_interleaved(Floats::load_unaligned(x + i), Floats::load_unaligned(x + pairs + i), out + 2 * i);
    }
  }
#endif
  for (; i < pairs; ++i) {
    out[to_half ? i : 2 * i] = x[to_half ? 2 * i : i];
    out[to_half ? i + pairs : 2 * i + 1] = x[to_half ? 2 * i + 1 : i + pairs];
  }
}

}  // namespace

Expected<void> convert_layout(const ConvertLayoutOptions& options, std::size_t inner, std::span<const float> x,
                              std::span<float> out) {
  POSENC_TRY(check(options, inner, x, out));
  if (options.from == options.to) {
    std::ranges::copy(x, out.begin());
    return {};
  }
  const auto dim = static_cast<std::size_t>(options.dim);
  const std::size_t pairs = static_cast<std::size_t>(options.rotary_dim.value_or(options.dim)) / 2;
  const bool to_half = options.to == Layout::half;
  const std::size_t rest = (dim - 2 * pairs) * inner;
  for (std::size_t head = 0; head < x.size(); head += dim * inner) {
    const float* const from = x.data() + head;
    float* const to = out.data() + head;
    if (inner == 1) {
      reorder(from, pairs, to_half, to);
    } else {
      for (std::size_t dimension = 0; dimension < 2 * pairs; ++dimension) {
        const std::size_t half = (dimension / 2 + dimension % 2 * pairs) * inner, interleaved = dimension * inner;
        copy_row(from + (to_half ? interleaved : half), inner, to + (to_half ? half : interleaved));
      }
    }
    if (rest != 0) copy_row(from + 2 * pairs * inner, rest, to + 2 * pairs * inner);
  }
  return {};
}

}  // namespace posenc
