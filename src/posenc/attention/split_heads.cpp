#include "posenc/attention/split_heads.hpp"

#include "posenc/attention/kernels/linear_steps.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

Expected<void> check_heads(const HeadsShape& shape, std::size_t x, std::size_t out) {
  if (auto checked = check_extents("x", x, {shape.batch, shape.heads, shape.rows, shape.dim}); !checked) return checked;
  return check_size("out", out, x);
}

}  // namespace

Expected<void> split_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out) {
  if (auto checked = check_heads(shape, x.size(), out.size()); !checked) return checked;
  swap_axes(shape.rows, shape.heads, shape.dim, x, out);
  return {};
}

Expected<void> merge_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out) {
  if (auto checked = check_heads(shape, x.size(), out.size()); !checked) return checked;
  swap_axes(shape.heads, shape.rows, shape.dim, x, out);
  return {};
}

}  // namespace posenc
