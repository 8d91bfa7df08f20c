#include "posenc/attention/softmax.hpp"

#include <algorithm>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

Expected<void> check_rows(std::string_view argument, std::size_t size, std::size_t width) {
  if (width == 0 ? size == 0 : size % width == 0) return {};
  return wrong(argument, static_cast<double>(size), {"a multiple of ", decimal(width), " values"});
}

}  // namespace

Expected<void> softmax(std::size_t width, std::span<const float> x, std::span<float> out) {
  if (auto checked = check_rows("x", x.size(), width); !checked) return checked;
  if (auto checked = check_size("out", out.size(), x.size()); !checked) return checked;
  if (auto checked = check_scores("x", x); !checked) return checked;
  auto row = AlignedArray<double>::make(width);
  if (!row) return std::unexpected(row.error());
  for (std::size_t start = 0; start < x.size(); start += width) {
    std::ranges::copy(x.subspan(start, width), row->data());
    softmax(row->span());
    round_to(row->span(), out.data() + start);
  }
  return {};
}

Expected<void> softmax_backward(std::size_t width, std::span<const float> weights, std::span<const float> d_weights,
                                std::span<float> dx) {
  if (auto checked = check_rows("weights", weights.size(), width); !checked) return checked;
  if (auto checked = check_size("gradient", d_weights.size(), weights.size()); !checked) return checked;
  if (auto checked = check_size("out", dx.size(), weights.size()); !checked) return checked;
  auto row = AlignedArray<double>::make(width);
  if (!row) return std::unexpected(row.error());
  for (std::size_t start = 0; start < weights.size(); start += width) {
    std::ranges::copy(d_weights.subspan(start, width), row->data());
    softmax_gradient(weights.data() + start, row->span());
    round_to(row->span(), dx.data() + start);
  }
  return {};
}

}  // namespace posenc
