#include "posenc/learning/encodings/make_encoding.hpp"

#include "posenc/base/check.hpp"

namespace posenc::learning {
namespace {

constexpr Name type_names[]{
    {"none", EncodingType::none},
    {"sinusoid", EncodingType::sinusoid},
    {"concatenated", EncodingType::concatenated},
    {"learned", EncodingType::learned},
    {"rope", EncodingType::rope},
    {"alibi", EncodingType::alibi},
    {"t5", EncodingType::t5},
    {"fire", EncodingType::fire},
    {"shaw", EncodingType::shaw},
    {"fox", EncodingType::fox},
};

}  // namespace

std::string_view name_of(EncodingType type) { return name_of(type_names, type); }

Expected<std::unique_ptr<Encoding>> make_encoding(const EncodingOptions& options) {
  switch (options.type) {
    case EncodingType::none:
      break;
    case EncodingType::sinusoid:
    case EncodingType::concatenated:
      return make_sinusoid(options);
    case EncodingType::learned:
      return make_learned(options);
    case EncodingType::rope:
      return make_rope(options);
    case EncodingType::alibi:
      return make_alibi(options);
    case EncodingType::t5:
      return make_t5(options);
    case EncodingType::fire:
      return make_fire(options);
    case EncodingType::shaw:
      return make_shaw(options);
    case EncodingType::fox:
      return make_fox(options);
  }
  return std::make_unique<Encoding>();
}

}  // namespace posenc::learning

namespace posenc {

template <>
Expected<learning::EncodingType> from_name(std::string_view name) {
  return from_name<learning::EncodingType>(learning::type_names, "encoding.type", name);
}

}  // namespace posenc
