#include "posenc/rotary/certificate/arithmetic.hpp"

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name preset_names[]{
    {"exact", ArithmeticPreset::exact},
    {"transformers", ArithmeticPreset::transformers},
    {"ggml", ArithmeticPreset::ggml},
};

}  // namespace

template <>
Expected<ArithmeticPreset> from_name(std::string_view name) {
  return from_name<ArithmeticPreset>(preset_names, "arithmetic", name);
}

}  // namespace posenc
