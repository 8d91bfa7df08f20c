#include "posenc/base/dtype.hpp"

#include "posenc/base/check.hpp"
#include "posenc/base/dtype_kernels.hpp"

namespace posenc {
namespace {

constexpr Name storage_names[]{
    {"float32", Storage::float32},
    {"float16", Storage::float16},
    {"bfloat16", Storage::bfloat16},
};

}  // namespace

Expected<Storage> storage_from_name(std::string_view name) { return from_name<Storage>(storage_names, "dtype", name); }

Expected<void> convert(ConstHalfSpan from, std::span<float> to) {
  if (auto checked = check_size("to", to.size(), from.size()); !checked) return checked;
  widen(from, to.data());
  return {};
}

Expected<void> convert(std::span<const float> from, HalfSpan to) {
  if (auto checked = check_size("to", to.size(), from.size()); !checked) return checked;
  narrow(from.data(), to);
  return {};
}

}  // namespace posenc
