#include "posenc/learning/encodings/make_encoding.hpp"

#include <array>
#include <utility>

#include "posenc/base/check.hpp"

namespace posenc::learning {
namespace {

constexpr Name type_names[]{
    {"none", EncodingType::none},
    {"sinusoid", EncodingType::sinusoid},
    {"learned", EncodingType::learned},
    {"rope", EncodingType::rope},
    {"xpos", EncodingType::xpos},
    {"alibi", EncodingType::alibi},
    {"t5", EncodingType::t5},
    {"kerple", EncodingType::kerple},
    {"kerple-power", EncodingType::kerple_power},
    {"fire", EncodingType::fire},
    {"sandwich", EncodingType::sandwich},
    {"shaw", EncodingType::shaw},
    {"transformer-xl", EncodingType::transformer_xl},
    {"cope", EncodingType::cope},
    {"deberta", EncodingType::deberta},
    {"fox", EncodingType::fox},
    {"fox-rope", EncodingType::fox_rope},
    {"selective-rope", EncodingType::selective_rope},
    {"path", EncodingType::path},
};

using Make = Expected<std::unique_ptr<Encoding>> (*)(const EncodingOptions&);

struct Registered {
  EncodingType type;
  std::array<Make, 2> parts;  ///< the second may be missing
};

/// What each type is made of; `none` of nothing.
constexpr Registered registered[]{
    {EncodingType::sinusoid, {make_sinusoid}}, {EncodingType::learned, {make_learned}},
    {EncodingType::rope, {make_rope}},         {EncodingType::xpos, {make_xpos}},
    {EncodingType::alibi, {make_alibi}},       {EncodingType::t5, {make_t5}},
    {EncodingType::kerple, {make_kerple}},     {EncodingType::kerple_power, {make_kerple}},
    {EncodingType::fire, {make_fire}},         {EncodingType::sandwich, {make_sandwich}},
    {EncodingType::shaw, {make_shaw}},         {EncodingType::transformer_xl, {make_transformer_xl}},
    {EncodingType::cope, {make_cope}},         {EncodingType::deberta, {make_deberta}},
    {EncodingType::fox, {make_fox}},           {EncodingType::fox_rope, {make_rope, make_fox}},
    {EncodingType::path, {make_path}},         {EncodingType::selective_rope, {make_selective_rope}},
};

}  // namespace

std::string_view name_of(EncodingType type) { return name_of(type_names, type); }

Expected<EncodingParts> make_encoding(const EncodingOptions& options) {
  EncodingParts parts;
  for (const auto& [type, makers] : registered)
    for (const Make make : makers) {
      if (type != options.type || make == nullptr) continue;
      auto part = make(options);
      if (!part) return error_of(part);
      parts.push_back(*std::move(part));
    }
  return parts;
}

}  // namespace posenc::learning

namespace posenc {

template <>
Expected<learning::EncodingType> from_name(std::string_view name) {
  return from_name<learning::EncodingType>(learning::type_names, "encoding.type", name);
}

}  // namespace posenc
