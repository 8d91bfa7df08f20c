#include "posenc/attention/sum_precision.hpp"

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name sum_names[] = {{"float32", SumPrecision::float32}, {"exact", SumPrecision::exact}};

}  // namespace

template <>
Expected<SumPrecision> from_name(std::string_view name) {
  return from_name<SumPrecision>(sum_names, "precision", name);
}

}  // namespace posenc
