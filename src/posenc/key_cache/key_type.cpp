#include "posenc/key_cache/key_type.hpp"

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name type_names[]{
    {"float32", KeyType::float32},
    {"float16", KeyType::float16},
    {"bfloat16", KeyType::bfloat16},
    {"q8_0", KeyType::q8_0},
};

}  // namespace

template <>
Expected<KeyType> from_name(std::string_view name) {
  return from_name<KeyType>(type_names, "dtype", name);
}

std::string_view name_of(KeyType type) { return name_of(type_names, type); }

}  // namespace posenc
