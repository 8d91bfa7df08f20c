#include "posenc/key_cache/key_edit.hpp"

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name edit_names[]{
    {"shift", KeyEditType::shift},     {"move", KeyEditType::move},     {"drop", KeyEditType::drop},
    {"insert", KeyEditType::insert},   {"rotate", KeyEditType::rotate}, {"divide", KeyEditType::divide},
    {"convert", KeyEditType::convert},
};

}  // namespace

template <>
Expected<KeyEditType> from_name(std::string_view name) {
  return from_name<KeyEditType>(edit_names, "type", name);
}

}  // namespace posenc
