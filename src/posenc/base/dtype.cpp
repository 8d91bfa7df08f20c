#include "posenc/base/dtype.hpp"

#include "posenc/base/check.hpp"
#include "posenc/base/dtype_kernels.hpp"

namespace posenc {
namespace {

constexpr Name dtype_names[]{
    {"float32", DType::float32},
    {"float16", DType::float16},
    {"bfloat16", DType::bfloat16},
};

}  // namespace

Expected<DType> dtype_from_name(std::string_view name) { return from_name<DType>(dtype_names, "dtype", name); }

Expected<void> convert(ConstSpan16 from, std::span<float> to) {
  if (auto checked = check_size("to", to.size(), from.size()); !checked) return checked;
  widen(from, to.data());
  return {};
}

Expected<void> convert(std::span<const float> from, Span16 to) {
  if (auto checked = check_size("to", to.size(), from.size()); !checked) return checked;
  narrow(from.data(), to);
  return {};
}

}  // namespace posenc
