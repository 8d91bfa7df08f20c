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

/// Visits each member of a row but its name, with the same member of another row, in one order.
template <class Row, class Visit>
constexpr void each_member(Row& row, const ModelType& other, Visit&& visit) {
  // Bound by name, so that a member that is added has to be visited.
  auto& [type, encoding, layout, base, local_base, base_key, hidden_size, heads, head_dim, fraction, rotary_dim,
         scales_local, is_slice, is_inverse, is_nested, needs_rope, yarn_is_longrope, has_own_ntk, is_compressed,
         rotates, layers, list, list_key, windows, sides, mask, window_key, window, scale, temperature, indexer, ids,
         is_time_last, without_mla, rows, rows_key, first_row, padding, sinusoidal, verified, source, note] = row;
  auto& [layers_others, layers_one, layers_every, layers_key, layers_is_first, layers_one_rotates, layers_needs_window,
         layers_has_switches, layers_end] = layers;
  auto& [indexer_layout, indexer_has_layout_of_plan, indexer_is_at_end, indexer_layer_type] = indexer;
  auto& [sinusoidal_key, sinusoidal_value] = sinusoidal;
  visit(encoding, other.encoding);
  visit(layout, other.layout);
  visit(base, other.base);
  visit(local_base, other.local_base);
  visit(base_key, other.base_key);
  visit(hidden_size, other.hidden_size);
  visit(heads, other.heads);
  visit(head_dim, other.head_dim);
  visit(fraction, other.fraction);
  visit(rotary_dim, other.rotary_dim);
  visit(scales_local, other.scales_local);
  visit(is_slice, other.is_slice);
  visit(is_inverse, other.is_inverse);
  visit(is_nested, other.is_nested);
  visit(needs_rope, other.needs_rope);
  visit(yarn_is_longrope, other.yarn_is_longrope);
  visit(has_own_ntk, other.has_own_ntk);
  visit(is_compressed, other.is_compressed);
  visit(rotates, other.rotates);
  visit(layers_others, other.layers.others);
  visit(layers_one, other.layers.one);
  visit(layers_every, other.layers.every);
  visit(layers_key, other.layers.key);
  visit(layers_is_first, other.layers.is_first);
  visit(layers_one_rotates, other.layers.one_rotates);
  visit(layers_needs_window, other.layers.needs_window);
  visit(layers_has_switches, other.layers.has_switches);
  visit(layers_end, other.layers.end);
  visit(list, other.list);
  visit(list_key, other.list_key);
  visit(windows, other.windows);
  visit(sides, other.sides);
  visit(mask, other.mask);
  visit(window_key, other.window_key);
  visit(window, other.window);
  visit(scale, other.scale);
  visit(temperature, other.temperature);
  visit(indexer_layout, other.indexer.layout);
  visit(indexer_has_layout_of_plan, other.indexer.has_layout_of_plan);
  visit(indexer_is_at_end, other.indexer.is_at_end);
  visit(indexer_layer_type, other.indexer.layer_type);
  visit(ids, other.ids);
  visit(is_time_last, other.is_time_last);
  visit(without_mla, other.without_mla);
  visit(rows, other.rows);
  visit(rows_key, other.rows_key);
  visit(first_row, other.first_row);
  visit(padding, other.padding);
  visit(sinusoidal_key, other.sinusoidal.key);
  visit(sinusoidal_value, other.sinusoidal.value);
  visit(verified, other.verified);
  visit(source, other.source);
  visit(note, other.note);
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

/// Writes records: the name and a 0; for each member that has not its default its place in each_member, from 1, and its
/// value; a 0. Without a target it counts.
class Packer {
 public:
  constexpr explicit Packer(char* to) : to_(to) {}

  constexpr void put(const ModelType& row) {
    put_text(row.type);
    char place = 0;
    each_member(row, ModelType{}, [&]<class Member>(const Member& member, const Member& plain) {
      ++place;
      if (is_same(member, plain)) return;
      put_byte(place);
      if constexpr (is_text<Member>)
        put_text(text_of(member));
      else
        for (const char byte : std::bit_cast<std::array<char, sizeof(Member)>>(member)) put_byte(byte);
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
