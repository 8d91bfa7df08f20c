#include "posenc/diagnosis/sampled_tensor.hpp"

#include <bit>
#include <limits>

namespace posenc {
namespace {

/// The value of a float16: its exponent, in the place of float32's, is 112 less.
double value_of(Float16 value) {
  constexpr std::uint32_t infinity = 0x7c00, sign = 0x8000;
  const std::uint32_t magnitude = value.bits & ~sign;
  if (magnitude > infinity) return std::numeric_limits<double>::quiet_NaN();
  const double size =
      magnitude == infinity ? std::numeric_limits<double>::infinity() : std::bit_cast<float>(magnitude << 13) * 0x1p112;
  return (value.bits & sign) != 0 ? -size : size;
}

double value_of(BFloat16 value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }

double value_of(double value) { return value; }

/// Calls `use` with the values in their own type.
template <class Use>
decltype(auto) with_values(std::optional<DType> dtype, const void* data, const Use& use) {
  if (!dtype) return use(static_cast<const double*>(data));
  if (*dtype == DType::float32) return use(static_cast<const float*>(data));
  if (*dtype == DType::float16) return use(static_cast<const Float16*>(data));
  return use(static_cast<const BFloat16*>(data));
}

}  // namespace

double SampleValues::operator[](std::size_t at) const {
  return with_values(dtype_, data_, [=](const auto* values) { return value_of(values[at]); });
}

SampleValues SampleValues::subspan(std::size_t first, std::size_t count) const {
  SampleValues made = *this;
  made.data_ = with_values(dtype_, data_, [=](const auto* values) -> const void* { return values + first; });
  made.size_ = count;
  return made;
}

void SampleValues::append_to(std::vector<double>& to, std::size_t first, std::size_t count, std::size_t stride) const {
  const std::size_t old = to.size();
  to.resize(old + count);
  with_values(dtype_, data_, [&](const auto* values) {
    for (std::size_t i = 0; i < count; ++i) to[old + i] = value_of(values[first + i * stride]);
  });
}

TensorAxes::TensorAxes(std::span<const std::int64_t> shape) : extents_(shape.size()), strides_(shape.size()) {
  std::size_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; stride *= extents_[axis]) {
    extents_[axis] = static_cast<std::size_t>(shape[axis]);
    strides_[axis] = stride;
  }
}

std::size_t TensorAxes::start_of(std::size_t index, const std::array<std::size_t, 2>& along, std::size_t rank) const {
  std::size_t start = 0;
  for (std::size_t axis = rank; axis-- > 0;) {
    if (axis == along[0] || axis == along[1]) continue;
    start += index % extents_[axis] * strides_[axis];
    index /= extents_[axis];
  }
  return start;
}

}  // namespace posenc
