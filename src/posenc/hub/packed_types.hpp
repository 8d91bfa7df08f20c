#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "posenc/hub/model_types.hpp"

// Rows of model types as bytes. Most members of a row have their defaults: a record has the others alone, and its texts
// in place of their addresses, so that the table is a sixth of the rows' size.

namespace posenc::packed {

/// A member of a row, and its place in memory.
struct Member {
  const char* name;
  std::size_t offset;
};

/// Visits each member of a row but its name, with a function that finds it in a row. A member that is added has to be
/// here, too: tests/core/hub/model_types.test.cpp binds all by name.
template <class Visit>
constexpr void each_member(Visit&& visit) {
#define POSENC_VISIT(member) \
  visit(Member{#member, offsetof(ModelType, member)}, [](auto& row) -> auto& { return row.member; })
  POSENC_VISIT(encoding);
  POSENC_VISIT(layout);
  POSENC_VISIT(base);
  POSENC_VISIT(local_base);
  POSENC_VISIT(base_key);
  POSENC_VISIT(own_keys);
  POSENC_VISIT(hidden_size);
  POSENC_VISIT(heads);
  POSENC_VISIT(head_dim);
  POSENC_VISIT(unrotated_dim);
  POSENC_VISIT(fraction);
  POSENC_VISIT(rotary_dim);
  POSENC_VISIT(scales_local);
  POSENC_VISIT(is_slice);
  POSENC_VISIT(is_inverse);
  POSENC_VISIT(is_nested);
  POSENC_VISIT(needs_rope);
  POSENC_VISIT(yarn_is_longrope);
  POSENC_VISIT(has_own_ntk);
  POSENC_VISIT(is_compressed);
  POSENC_VISIT(rotates);
  POSENC_VISIT(layers.others);
  POSENC_VISIT(layers.one);
  POSENC_VISIT(layers.every);
  POSENC_VISIT(layers.key);
  POSENC_VISIT(layers.is_first);
  POSENC_VISIT(layers.rotating);
  POSENC_VISIT(layers.needs_window);
  POSENC_VISIT(layers.has_switches);
  POSENC_VISIT(layers.end);
  POSENC_VISIT(list);
  POSENC_VISIT(list_key);
  POSENC_VISIT(windows);
  POSENC_VISIT(sides);
  POSENC_VISIT(mask);
  POSENC_VISIT(window_key);
  POSENC_VISIT(window);
  POSENC_VISIT(first_window);
  POSENC_VISIT(scale);
  POSENC_VISIT(norm);
  POSENC_VISIT(sinks);
  POSENC_VISIT(softcap);
  POSENC_VISIT(temperature);
  POSENC_VISIT(indexer.layout);
  POSENC_VISIT(indexer.has_layout_of_plan);
  POSENC_VISIT(indexer.is_at_end);
  POSENC_VISIT(indexer.layer_type);
  POSENC_VISIT(ids);
  POSENC_VISIT(is_time_last);
  POSENC_VISIT(without_mla);
  POSENC_VISIT(rows);
  POSENC_VISIT(rows_key);
  POSENC_VISIT(first_row);
  POSENC_VISIT(padding);
  POSENC_VISIT(sinusoidal.key);
  POSENC_VISIT(sinusoidal.value);
  POSENC_VISIT(has_relative_keys);
  POSENC_VISIT(verified);
  POSENC_VISIT(source);
  POSENC_VISIT(note);
#undef POSENC_VISIT
}

template <class Member>
constexpr bool is_text = std::is_same_v<Member, const char*> || std::is_same_v<Member, std::string_view>;

constexpr std::string_view text_of(const char* text) { return text == nullptr ? std::string_view() : text; }
constexpr std::string_view text_of(std::string_view text) { return text; }

/// Where a member is, and its bytes, or what kind of text it is.
struct Place {
  std::uint8_t offset;
  std::uint8_t bytes;
};
constexpr std::uint8_t plain_text = 0;
constexpr std::uint8_t text_with_length = 255;

template <class Member>
constexpr bool is_same(const Member& a, const Member& b) {
  if constexpr (is_text<Member>)
    return text_of(a) == text_of(b);
  else
    return a == b;
}

/// The places of all members, in the order of each_member.
constexpr auto places = [] {
  std::array<Place, 64> all{};
  std::size_t count = 0;
  const ModelType row;
  each_member([&](const Member& member, auto find) {
    using Value = std::remove_cvref_t<decltype(find(row))>;
    const std::size_t bytes = std::is_same_v<Value, const char*>        ? plain_text
                              : std::is_same_v<Value, std::string_view> ? text_with_length
                                                                        : sizeof(Value);
    all[count++] = {static_cast<std::uint8_t>(member.offset), static_cast<std::uint8_t>(bytes)};
  });
  return all;
}();
static_assert(sizeof(ModelType) <= 256 && std::is_standard_layout_v<ModelType>);

/// A row as it is packed: of notes only the reasons of refusals, which errors have.
constexpr ModelType kept_of(ModelType row) {
  if (row.encoding != TypeEncoding::unsupported) row.note = nullptr;
  return row;
}

/// Writes records: the name and a 0; for each member that has not its default its place in each_member, from 1, and its
/// value; a 0. Without a target it counts.
class Packer {
 public:
  constexpr explicit Packer(char* to) : to_(to) {}

  constexpr void put(const ModelType& row) {
    put_text(row.type);
    char place = 0;
    const ModelType plain_row;
    each_member([&](const Member&, auto find) {
      const auto& value = find(row);
      using Value = std::remove_cvref_t<decltype(value)>;
      ++place;
      if (is_same(value, find(plain_row))) return;
      put_byte(place);
      if constexpr (is_text<Value>)
        put_text(text_of(value));
      else
        for (const char byte : std::bit_cast<std::array<char, sizeof(Value)>>(value)) put_byte(byte);
    });
    put_byte(0);
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }

 private:
  constexpr void put_byte(char byte) {
    if (to_ != nullptr) to_[size_] = byte;
    ++size_;
  }
  constexpr void put_text(std::string_view text) {
    for (const char letter : text) put_byte(letter);
    put_byte(0);
  }

  char* to_;
  std::size_t size_ = 0;
};

constexpr std::size_t pack(std::span<const ModelType> rows, char* to) {
  Packer packer(to);
  for (const ModelType& row : rows) packer.put(kept_of(row));
  return packer.size();
}

}  // namespace posenc::packed
