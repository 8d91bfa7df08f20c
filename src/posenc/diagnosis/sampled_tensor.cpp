#include "posenc/diagnosis/sampled_tensor.hpp"

#include <bit>
#include <limits>

namespace posenc {
namespace {

/// The value of a float16: its exponent, in the place of float32's, is 112 less.
double float16_value(std::uint32_t bits) {
  constexpr std::uint32_t infinity = 0x7c00, sign = 0x8000;
  const std::uint32_t magnitude = bits & ~sign;
  if (magnitude > infinity) return std::numeric_limits<double>::quiet_NaN();
  const double size =
      magnitude == infinity ? std::numeric_limits<double>::infinity() : std::bit_cast<float>(magnitude << 13) * 0x1p112;
  return (bits & sign) != 0 ? -size : size;
}

}  // namespace

double SampleValues::operator[](std::size_t at) const {
  if (!dtype_) return static_cast<const double*>(data_)[at];
  if (*dtype_ == DType::float32) return static_cast<const float*>(data_)[at];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(data_)[at];
  return *dtype_ == DType::float16 ? float16_value(bits) : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::string_view SampleValues::type_name() const {
  if (!dtype_) return "float64";
  return *dtype_ == DType::float32 ? "float32" : *dtype_ == DType::float16 ? "float16" : "bfloat16";
}

SampleValues SampleValues::subspan(std::size_t first, std::size_t count) const {
  const std::size_t bytes = !dtype_ ? sizeof(double) : *dtype_ == DType::float32 ? sizeof(float) : sizeof(Float16);
  SampleValues made = *this;
  made.data_ = static_cast<const std::byte*>(data_) + first * bytes;
  made.size_ = count;
  return made;
}

void SampleValues::append_to(std::vector<double>& to, std::size_t first, std::size_t count, std::size_t stride) const {
  const std::size_t start = to.size();
  to.resize(start + count);
  // The type is asked once: this is where large samples take their time.
  const auto append = [&](const auto& values) {
    for (std::size_t i = 0; i < count; ++i) to[start + i] = values[first + i * stride];
  };
  if (!dtype_)
    append(static_cast<const double*>(data_));
  else if (*dtype_ == DType::float32)
    append(static_cast<const float*>(data_));
  else
    append(*this);
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
