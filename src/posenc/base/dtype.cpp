#include "posenc/base/dtype.hpp"

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name dtype_names[]{
    {"float32", DType::float32},
    {"float16", DType::float16},
    {"bfloat16", DType::bfloat16},
};

}  // namespace

template <>
Expected<DType> from_name(std::string_view name) {
  return from_name<DType>(dtype_names, "dtype", name);
}

}  // namespace posenc
