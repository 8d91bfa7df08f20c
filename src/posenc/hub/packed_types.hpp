#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "posenc/hub/model_types.hpp"

// Rows of model types as bytes. Most members of a row have their defaults: a record has the others alone, and its texts
// in place of their addresses, so that the table is a sixth of the rows' size.

namespace posenc::packed {

#define POSENC_MEMBERS_OF_ROWS                                                                                    \
  encoding, layout, base, local_base, base_key, own_keys, hidden_size, heads, head_dim, unrotated_dim, fraction,  \
      rotary_dim, scales_local, is_slice, is_inverse, is_nested, needs_rope, yarn_is_longrope, has_own_ntk,       \
      is_compressed, rotates, others, one, every, key, is_first, rotating, needs_window, has_switches, end, list, \
      list_key, windows, sides, mask, window_key, window, first_window, scale, norm, sinks, softcap, temperature, \
      indexer_layout, has_layout_of_plan, is_at_end, layer_type, ids, merge, is_time_last, without_mla, rows,     \
      rows_key, first_row, padding, sinusoidal_key, sinusoidal_value, has_relative_keys, verified, source, note

/// The members of a row but its name. One that is added has to be bound here and listed: with fewer names it does not
/// compile.
template <class Row>
constexpr auto members_of(Row& row) {
  auto& [type, encoding, layout, base, local_base, base_key, own_keys, hidden_size, heads, head_dim, unrotated_dim,
         fraction, rotary_dim, scales_local, is_slice, is_inverse, is_nested, needs_rope, yarn_is_longrope, has_own_ntk,
         is_compressed, rotates, layers, list, list_key, windows, sides, mask, window_key, window, first_window, scale,
         norm, sinks, softcap, temperature, indexer, ids, merge, is_time_last, without_mla, rows, rows_key, first_row,
         padding, sinusoidal, has_relative_keys, verified, source, note] = row;
  auto& [others, one, every, key, is_first, rotating, needs_window, has_switches, end] = layers;
  auto& [indexer_layout, has_layout_of_plan, is_at_end, layer_type] = indexer;
  auto& [sinusoidal_key, sinusoidal_value] = sinusoidal;
  return std::tie(POSENC_MEMBERS_OF_ROWS);
}

/// Visits each member of a row, together with those of others.
template <class Visit, class... Rows>
constexpr void each_member(Visit&& visit, Rows&... rows) {
  const auto visit_at = [&]<std::size_t index>(const auto&... members) { visit(std::get<index>(members)...); };
  [&]<std::size_t... index>(std::index_sequence<index...>, const auto&... members) {
    (visit_at.template operator()<index>(members...), ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(members_of(std::declval<ModelType&>()))>>(),
    members_of(rows)...);
}

template <class Member>
constexpr bool is_text = std::is_same_v<Member, const char*> || std::is_same_v<Member, std::string_view>;

constexpr std::string_view text_of(const char* text) { return text == nullptr ? std::string_view() : text; }
constexpr std::string_view text_of(std::string_view text) { return text; }

template <class Member>
constexpr bool is_same(const Member& a, const Member& b) {
  if constexpr (is_text<Member>)
    return text_of(a) == text_of(b);
  else
    return a == b;
}

/// A row as it is packed: of notes only the reasons of refusals, which errors have.
constexpr ModelType kept_of(ModelType row) {
  if (row.encoding != TypeEncoding::unsupported) row.note = nullptr;
  return row;
}

/// Writes records: the name and a 0; in two bytes the size of what follows; for each member that has not its default
/// its place in each_member, from 1, and its value. Without a target it counts.
class Packer {
 public:
  constexpr explicit Packer(char* to) : to_(to) {}

  constexpr void put(const ModelType& row) {
    put_text(row.type);
    const std::size_t start = size_ += 2;
    char place = 0;
    const ModelType plain_row;
    const auto put_member = [&](const auto& member, const auto& plain) {
      using Member = std::remove_cvref_t<decltype(member)>;
      ++place;
      if (is_same(member, plain)) return;
      put_byte(place);
      if constexpr (is_text<Member>)
        put_text(text_of(member));
      else
        for (const char byte : std::bit_cast<std::array<char, sizeof(Member)>>(member)) put_byte(byte);
    };
    each_member(put_member, row, plain_row);
    for (const unsigned digit : {0U, 1U})
      if (to_ != nullptr) to_[start - 2 + digit] = static_cast<char>((size_ - start) >> (8 * digit));
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
