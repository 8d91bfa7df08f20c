#include "posenc/learning/encodings/make_encoding.hpp"

namespace posenc::learning {

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
