#include "posenc/rotary/certificate/arithmetic.hpp"

#include <cstddef>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

constexpr Name rounding_names[]{
    {"exact", Rounding::exact},     {"float64", Rounding::float64},   {"float32", Rounding::float32},
    {"float16", Rounding::float16}, {"bfloat16", Rounding::bfloat16},
};

constexpr Name steps_names[]{
    {"rounded", FrequencySteps::rounded},
    {"powers", FrequencySteps::powers},
    {"products", FrequencySteps::products},
};

enum class Preset : std::uint8_t { exact, transformers, ggml };

constexpr Name preset_names[]{
    {"exact", Preset::exact},
    {"transformers", Preset::transformers},
    {"ggml", Preset::ggml},
};

}  // namespace

template <>
Expected<Rounding> from_name(std::string_view name) {
  return from_name<Rounding>(rounding_names, "arithmetic", name);
}

template <>
Expected<FrequencySteps> from_name(std::string_view name) {
  return from_name<FrequencySteps>(steps_names, "arithmetic.steps", name);
}

Expected<Arithmetic> arithmetic_from_name(std::string_view name, DType dtype) {
  POSENC_TRY_LET(preset, from_name<Preset>(preset_names, "arithmetic", name));
  constexpr Rounding types[]{Rounding::float32, Rounding::float16, Rounding::bfloat16};
  Arithmetic made;
  made.inputs = made.outputs = types[static_cast<std::size_t>(dtype)];
  if (preset == Preset::exact) return made;
  made.steps = preset == Preset::ggml ? FrequencySteps::products : FrequencySteps::powers;
  made.power_ulps = made.sine_ulps = 1;
  made.frequencies = made.positions = made.angles = Rounding::float32;
  if (preset == Preset::transformers) made.cache = made.products = made.inputs;
  return made;
}

}  // namespace posenc
