#include "posenc/key_cache/key_sequence.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// Indices of a list's tokens.
struct Range {
  std::size_t from, to;
  [[nodiscard]] std::size_t count() const { return to - from; }
};

Expected<Range> range_of(const TokenRange& tokens, std::size_t count) {
  const auto most = static_cast<std::int64_t>(count);
  const std::int64_t to = tokens.to.value_or(most);
  POSENC_TRY(check_whole("to", to, 0, most));
  const std::int64_t from = tokens.from.value_or(0);
  POSENC_TRY(check_whole("from", from, 0, to));
  return Range{static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
}

Expected<std::size_t> index_of(std::int64_t at, std::size_t count) {
  POSENC_TRY(check_whole("at", at, 0, static_cast<std::int64_t>(count)));
  return static_cast<std::size_t>(at);
}

using Coordinates = std::vector<double>;

/// Where what follows these tokens is, if nothing does: M-RoPE's rule, which for one coordinate is the next number.
double after_last(const KeyList& list, Range range) {
  double most = list.now(range.from)[0];
  for (std::size_t i = range.from; i < range.to; ++i)
    for (std::size_t axis = 0; axis < list.axes(); ++axis) most = std::max(most, list.now(i)[axis]);
  return most + 1;
}

/// The position of token `at`, or, where there is none, the one behind the tokens of a range.
Coordinates place_at(const KeyList& list, std::size_t at, Range range) {
  if (at == list.size()) return Coordinates(list.axes(), after_last(list, range));
  return {list.now(at), list.now(at) + list.axes()};
}

Coordinates difference(Coordinates of, const double* from) {
  for (std::size_t axis = 0; axis < of.size(); ++axis) of[axis] -= from[axis];
  return of;
}

void shift(KeyList& list, Range range, const Coordinates& by, double sign) {
  for (std::size_t i = range.from; i < range.to; ++i)
    for (std::size_t axis = 0; axis < by.size(); ++axis) list.now(i)[axis] += sign * by[axis];
}

/// Tokens, at least one, beside those that they were or will be among, and how much room they take there.
struct Part {
  KeyList tokens;
  Coordinates extent;
};

Coordinates extent_of(const KeyList& list, Range range) {
  return difference(place_at(list, range.to, range), list.now(range.from));
}

/// Takes a range out; later tokens close up unless they keep their positions.
Expected<Part> take(KeyList& list, Range range, bool keep_positions) {
  Part part{{}, extent_of(list, range)};
  POSENC_TRY_LET(tokens, KeyList::joined(list.axes(), {{&list, range.from, range.count()}}));
  POSENC_TRY_LET(left,
                 KeyList::joined(list.axes(), {{&list, 0, range.from}, {&list, range.to, list.size() - range.to}}));
  if (!keep_positions) shift(left, {range.from, left.size()}, part.extent, -1);
  part.tokens = std::move(tokens);
  list = std::move(left);
  return part;
}

/// Puts tokens in front of another, where they find its position, and it and later ones make room; unless all keep
/// theirs.
Expected<void> put(KeyList& list, std::size_t at, const Part& part, bool keep_positions) {
  const std::size_t count = part.tokens.size();
  POSENC_TRY_LET(
      joined, KeyList::joined(list.axes(), {{&list, 0, at}, {&part.tokens, 0, count}, {&list, at, list.size() - at}}));
  if (!keep_positions) {
    const double* const first = part.tokens.now(0);
    if (list.size() > 0) shift(joined, {at, at + count}, difference(place_at(list, at, {0, list.size()}), first), 1);
    shift(joined, {at + count, joined.size()}, part.extent, 1);
  }
  list = std::move(joined);
  return {};
}

}  // namespace

Expected<std::vector<KeyList>> KeySequence::lists_of(const KeyState& state, std::size_t source,
                                                     std::span<const double> positions) {
  const std::size_t axes = state.rotation.axes(), count = state.addresses.lists();
  const std::size_t numbers = axes * std::max<std::size_t>(count, 1);
  if (positions.size() % numbers != 0)
    return invalid_argument("positions", static_cast<double>(positions.size()),
                            {"a multiple of ", decimal(numbers), ": a coordinate for each axis, of each list"});
  const std::size_t tokens = positions.size() / numbers;
  if (tokens > state.addresses.capacity())
    return invalid_argument("positions", static_cast<double>(tokens),
                            {"at most as many as the keys have tokens (", decimal(state.addresses.capacity()), ")"});
  std::vector<KeyList> made;
  for (std::size_t l = 0; l < count; ++l) {
    POSENC_TRY_LET(list, KeyList::make(tokens, axes));
    for (std::size_t i = 0; i < tokens; ++i) {
      const double* const position = positions.data() + (l * tokens + i) * axes;
      POSENC_TRY(state.rotation.check_position("positions", position));
      list.token(i) = {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(i)};
      std::copy_n(position, axes, list.then(i));
      std::copy_n(position, axes, list.now(i));
    }
    made.push_back(std::move(list));
  }
  return made;
}

Expected<void> KeySequence::apply(const edit::Shift& edit, KeyList& list) {
  POSENC_TRY_LET(range, range_of(edit.tokens, list.size()));
  if (edit.by.size() != 1 && edit.by.size() != list.axes())
    return invalid_argument("by", static_cast<double>(edit.by.size()),
                            {"one number, or ", decimal(list.axes()), ", one a coordinate"});
  for (const double number : edit.by)
    if (!std::isfinite(number)) return invalid_argument("by", number, expected::finite);
  shift(list, range, edit.by.size() == 1 ? Coordinates(list.axes(), edit.by.front()) : edit.by, 1);
  return {};
}

Expected<void> KeySequence::apply(const edit::Divide& edit, KeyList& list) {
  POSENC_TRY_LET(range, range_of(edit.tokens, list.size()));
  const bool divides = edit.by > 0 && std::isfinite(edit.by);
  if (!divides) return invalid_argument("by", edit.by, expected::finite_above, {0});
  if (!std::isfinite(edit.plus)) return invalid_argument("plus", edit.plus, expected::finite);
  for (std::size_t i = range.from; i < range.to; ++i)
    for (std::size_t axis = 0; axis < list.axes(); ++axis)
      list.now(i)[axis] = std::floor(list.now(i)[axis] / edit.by) + edit.plus;
  return {};
}

Expected<void> KeySequence::apply(const edit::Drop& edit, KeyList& list) {
  POSENC_TRY_LET(range, range_of(edit.tokens, list.size()));
  if (range.count() > 0) POSENC_TRY(take(list, range, edit.keep_positions));
  return {};
}

Expected<void> KeySequence::apply(const edit::Move& edit, KeyList& list) {
  POSENC_TRY_LET(range, range_of(edit.tokens, list.size()));
  POSENC_TRY_LET(at, index_of(edit.at, list.size() - range.count()));
  if (range.count() == 0) return {};
  POSENC_TRY_LET(part, take(list, range, edit.keep_positions));
  return put(list, at, part, edit.keep_positions);
}

Expected<void> KeySequence::apply(const edit::Rotate& edit) {
  POSENC_TRY(edit.rotation.check_becomes(rotation));
  rotation = edit.rotation;
  return {};
}

Expected<void> KeySequence::apply(const edit::Convert& edit) {
  if (sources.front().state.addresses.dim() % dims_of_block(edit.type) != 0)
    return invalid_argument("dtype", std::string(name_of(edit.type)),
                            {"a type whose blocks of 32 dimensions fill heads"});
  type = edit.type;
  return {};
}

Expected<std::vector<KeyList>> KeySequence::zeros(const edit::Insert& edit, std::size_t count) const {
  const std::int64_t tokens = edit.count.value_or(0);
  POSENC_TRY(check_whole("count", tokens, 0, std::int64_t{1} << 31));
  if (!edit.positions.empty())
    return invalid_argument("positions", static_cast<double>(edit.positions.size()), {"nothing beside a count"});
  std::vector<KeyList> made;
  for (std::size_t l = 0; l < count; ++l) {
    POSENC_TRY_LET(list, KeyList::make(static_cast<std::size_t>(tokens), rotation.axes()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      list.token(i) = {KeyToken::zeros, 0};
      std::fill_n(list.now(i), list.axes(), static_cast<double>(i));
    }
    made.push_back(std::move(list));
  }
  return made;
}

/// The tokens of other keys, a list for each of `count`, and a source for them.
Expected<std::vector<KeyList>> KeySequence::inserted(const edit::Insert& edit, std::size_t count) {
  const KeyRotation of_keys = edit.rotation.value_or(rotation);
  POSENC_TRY(of_keys.check_becomes(rotation));
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): looked at by the caller
  const ConstKeys& keys = *edit.keys;
  POSENC_TRY_LET(addresses, KeyAddresses::of(keys, count, "keys"));
  POSENC_TRY(addresses.check_heads_of(sources.front().state.addresses));
  const KeyState state{std::move(addresses), of_keys, first_dim};
  POSENC_TRY_LET(made, lists_of(state, sources.size(), edit.positions));
  POSENC_TRY_LET(bytes, AlignedArray<std::byte>::make_unfilled(keys.bytes.size()));
  std::ranges::copy(keys.bytes, bytes.data());
  sources.push_back({state, std::move(bytes)});
  return std::move(made);
}

Expected<void> KeySequence::apply(const edit::Insert& edit, std::span<KeyList> into) {
  if (edit.keys.has_value() == edit.count.has_value())
    return invalid_argument("count", edit.count ? decimal(*edit.count) : "none",
                            {"either keys or a count of tokens of zeros"});
  for (const KeyList& list : into) POSENC_TRY(index_of(edit.at, list.size()));
  POSENC_TRY_LET(incoming, edit.count ? zeros(edit, into.size()) : inserted(edit, into.size()));
  for (std::size_t l = 0; l < into.size(); ++l) {
    if (incoming[l].size() == 0) continue;
    Coordinates extent = extent_of(incoming[l], {0, incoming[l].size()});
    const Part part{std::move(incoming[l]), std::move(extent)};
    POSENC_TRY(put(into[l], static_cast<std::size_t>(edit.at), part, edit.keep_positions));
  }
  return {};
}

Expected<void> KeySequence::apply(const KeyEdit& edit) {
  std::span<KeyList> meant = lists;
  if (edit.list) {
    POSENC_TRY(check_whole("list", *edit.list, 0, std::ssize(lists) - 1));
    meant = meant.subspan(static_cast<std::size_t>(*edit.list), 1);
  }
  if (const auto* const convert = std::get_if<edit::Convert>(&edit.what)) return apply(*convert);
  const auto* const rotate = std::get_if<edit::Rotate>(&edit.what);
  const auto* const insert = std::get_if<edit::Insert>(&edit.what);
  const auto* const shift = std::get_if<edit::Shift>(&edit.what);
  const auto* const divide = std::get_if<edit::Divide>(&edit.what);
  const auto* const move = std::get_if<edit::Move>(&edit.what);
  const auto* const drop = std::get_if<edit::Drop>(&edit.what);
  if (rotate != nullptr) POSENC_TRY(apply(*rotate));
  if (insert != nullptr) POSENC_TRY(apply(*insert, meant));
  for (KeyList& list : meant) {
    if (shift != nullptr) POSENC_TRY(apply(*shift, list));
    if (divide != nullptr) POSENC_TRY(apply(*divide, list));
    if (move != nullptr) POSENC_TRY(apply(*move, list));
    if (drop != nullptr) POSENC_TRY(apply(*drop, list));
  }
  std::string_view cause = "positions";
  if (shift != nullptr || divide != nullptr) cause = "by";
  if (rotate != nullptr) cause = "rotary";
  for (const KeyList& list : lists)
    for (std::size_t i = 0; i < list.size(); ++i) POSENC_TRY(rotation.check_position(cause, list.now(i)));
  return {};
}

}  // namespace posenc
