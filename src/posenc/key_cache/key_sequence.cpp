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
  double most = list.position(range.from)[0];
  for (std::size_t i = range.from; i < range.to; ++i)
    for (std::size_t axis = 0; axis < list.axes(); ++axis) most = std::max(most, list.position(i)[axis]);
  return most + 1;
}

/// How much room a range takes. It is not empty.
Coordinates extent_of(const KeyList& list, Range range) {
  Coordinates extent(list.axes());
  const double last = range.to == list.size() ? after_last(list, range) : 0;
  for (std::size_t axis = 0; axis < extent.size(); ++axis)
    extent[axis] = (range.to == list.size() ? last : list.position(range.to)[axis]) - list.position(range.from)[axis];
  return extent;
}

/// The position that a token finds in front of token `at`; with no tokens at all, `otherwise`.
Coordinates found_at(const KeyList& list, std::size_t at, const double* otherwise) {
  Coordinates found(otherwise, otherwise + list.axes());
  if (at < list.size())
    found.assign(list.position(at), list.position(at) + list.axes());
  else if (list.size() > 0)
    found.assign(list.axes(), after_last(list, {0, list.size()}));
  return found;
}

void shift(KeyList& list, Range range, const Coordinates& by, double sign) {
  for (std::size_t i = range.from; i < range.to; ++i)
    for (std::size_t axis = 0; axis < by.size(); ++axis) list.position(i)[axis] += sign * by[axis];
}

/// So that the first of them is there.
void shift_to(KeyList& list, Range range, const Coordinates& place) {
  Coordinates by(place.size());
  for (std::size_t axis = 0; axis < by.size(); ++axis) by[axis] = place[axis] - list.position(range.from)[axis];
  shift(list, range, by, 1);
}

}  // namespace

Expected<KeySequence> KeySequence::copy() const {
  KeySequence made{{}, rotation, type, first_dim, like, {}, banks};
  for (const KeyList& list : lists) {
    POSENC_TRY_LET(copied, list.copy());
    made.lists.push_back(std::move(copied));
  }
  return made;
}

Expected<void> KeySequence::apply(const edit::Shift& edit, std::size_t list) {
  POSENC_TRY_LET(range, range_of(edit.tokens, lists[list].size()));
  const std::size_t axes = rotation.axes();
  if (edit.by.size() != 1 && edit.by.size() != axes)
    return invalid_argument("by", static_cast<double>(edit.by.size()),
                            {"one number, or ", decimal(axes), ", one a coordinate"});
  Coordinates by(axes, edit.by.front());
  if (edit.by.size() == axes) by = edit.by;
  for (const double number : by)
    if (!std::isfinite(number)) return invalid_argument("by", number, expected::finite);
  shift(lists[list], range, by, 1);
  return {};
}

Expected<void> KeySequence::apply(const edit::Divide& edit, std::size_t list) {
  POSENC_TRY_LET(range, range_of(edit.tokens, lists[list].size()));
  const bool divides = edit.by > 0 && std::isfinite(edit.by);
  if (!divides) return invalid_argument("by", edit.by, expected::finite_above, {0});
  if (!std::isfinite(edit.plus)) return invalid_argument("plus", edit.plus, expected::finite);
  for (std::size_t i = range.from; i < range.to; ++i)
    for (std::size_t axis = 0; axis < rotation.axes(); ++axis) {
      double& position = lists[list].position(i)[axis];
      position = std::floor(position / edit.by) + edit.plus;
    }
  return {};
}

Expected<void> KeySequence::apply(const edit::Drop& edit, std::size_t list) {
  KeyList& tokens = lists[list];
  POSENC_TRY_LET(range, range_of(edit.tokens, tokens.size()));
  if (range.count() == 0) return {};
  const Coordinates extent = extent_of(tokens, range);
  POSENC_TRY_LET(
      left, KeyList::joined(tokens.axes(), {{&tokens, 0, range.from}, {&tokens, range.to, tokens.size() - range.to}}));
  if (!edit.keep_positions) shift(left, {range.from, left.size()}, extent, -1);
  tokens = std::move(left);
  return {};
}

Expected<void> KeySequence::apply(const edit::Move& edit, std::size_t list) {
  KeyList& tokens = lists[list];
  POSENC_TRY_LET(range, range_of(edit.tokens, tokens.size()));
  const std::size_t count = range.count(), rest = tokens.size() - count;
  POSENC_TRY_LET(at, index_of(edit.at, rest));
  if (count == 0) return {};
  const std::size_t axes = tokens.axes();
  const Coordinates extent = extent_of(tokens, range);
  POSENC_TRY_LET(left,
                 KeyList::joined(axes, {{&tokens, 0, range.from}, {&tokens, range.to, tokens.size() - range.to}}));
  if (!edit.keep_positions) shift(left, {range.from, rest}, extent, -1);
  const Coordinates place = found_at(left, at, tokens.position(range.from));
  POSENC_TRY_LET(moved, KeyList::joined(axes, {{&left, 0, at}, {&tokens, range.from, count}, {&left, at, rest - at}}));
  if (!edit.keep_positions) {
    shift_to(moved, {at, at + count}, place);
    shift(moved, {at + count, moved.size()}, extent, 1);
  }
  tokens = std::move(moved);
  return {};
}

Expected<void> KeySequence::apply(const edit::Rotate& edit) {
  POSENC_TRY(edit.rotation.check_becomes(rotation));
  rotation = edit.rotation;
  return {};
}

/// The tokens that come in, a list for each of `count` or one for the one that is meant, and their bank.
Expected<std::vector<KeyList>> KeySequence::inserted_lists(const edit::Insert& edit, std::size_t count) {
  const std::size_t axes = rotation.axes();
  if (edit.keys.has_value() == edit.count.has_value())
    return invalid_argument("count", edit.count ? decimal(*edit.count) : "none",
                            {"either keys or a count of tokens of zeros"});
  if (edit.count) {
    POSENC_TRY(check_whole("count", *edit.count, 0, std::int64_t{1} << 31));
    if (!edit.positions.empty())
      return invalid_argument("positions", static_cast<double>(edit.positions.size()), {"nothing beside a count"});
  } else if (edit.positions.size() % (axes * std::max<std::size_t>(count, 1)) != 0) {
    return invalid_argument("positions", static_cast<double>(edit.positions.size()),
                            {decimal(axes), " for each token of ", decimal(count), " lists"});
  }
  const std::size_t tokens = edit.count ? static_cast<std::size_t>(*edit.count)
                                        : edit.positions.size() / axes / std::max<std::size_t>(count, 1);
  std::vector<KeyList> made;
  for (std::size_t list = 0; list < count; ++list) {
    POSENC_TRY_LET(tokens_of_list, KeyList::make(tokens, axes));
    for (std::size_t i = 0; i < tokens; ++i) {
      tokens_of_list.token(i) = {edit.count ? KeyToken::none : static_cast<std::uint32_t>(banks + added.size()),
                                 static_cast<std::uint32_t>(i),
                                 KeyToken::none,
                                 {}};
      for (std::size_t axis = 0; axis < axes; ++axis)
        tokens_of_list.position(i)[axis] =
            edit.count ? static_cast<double>(i) : edit.positions[(list * tokens + i) * axes + axis];
    }
    made.push_back(std::move(tokens_of_list));
  }
  return made;
}

Expected<void> KeySequence::insert(const edit::Insert& edit, std::optional<std::size_t> list) {
  const std::size_t count = list ? 1 : lists.size();
  POSENC_TRY_LET(inserted, inserted_lists(edit, count));
  for (std::size_t i = 0; i < count; ++i) {
    KeyList& tokens = lists[list.value_or(i)];
    KeyList& incoming = inserted[i];
    POSENC_TRY_LET(at, index_of(edit.at, tokens.size()));
    if (incoming.size() == 0) continue;
    const Range all{0, incoming.size()};
    const Coordinates extent = extent_of(incoming, all), place = found_at(tokens, at, incoming.position(0));
    POSENC_TRY_LET(joined, KeyList::joined(
                               tokens.axes(),
                               {{&tokens, 0, at}, {&incoming, 0, incoming.size()}, {&tokens, at, tokens.size() - at}}));
    if (!edit.keep_positions) {
      shift_to(joined, {at, at + incoming.size()}, place);
      shift(joined, {at + incoming.size(), joined.size()}, extent, 1);
    }
    tokens = std::move(joined);
  }
  if (!edit.keys) return {};

  const KeyRotation of_keys = edit.rotation.value_or(rotation);
  POSENC_TRY(of_keys.check_becomes(rotation));
  for (const KeyList& of_list : inserted)
    for (std::size_t i = 0; i < of_list.size(); ++i)
      POSENC_TRY(of_keys.check_position("positions", of_list.position(i)));
  POSENC_TRY_LET(addresses, KeyAddresses::of(*edit.keys, count));
  for (std::size_t i = 0; i < count; ++i) {
    if (addresses.dim() != like.dim())
      return invalid_argument("shape", static_cast<double>(addresses.dim()),
                              {decimal(like.dim()), " dimensions a head, as the others"});
    if (addresses.heads(i) != like.heads(i))
      return invalid_argument("shape", static_cast<double>(addresses.heads(i)),
                              {decimal(like.heads(i)), " heads a token, as the others"});
    if (inserted[i].size() > addresses.capacity())
      return invalid_argument("positions", static_cast<double>(inserted[i].size()),
                              {"at most as many as the keys have tokens (", decimal(addresses.capacity()), ")"});
  }
  POSENC_TRY_LET(bank, copy_to_bank({addresses, of_keys, first_dim}, edit.keys->bytes.data(), std::move(inserted)));
  added.push_back(std::move(bank));
  return {};
}

Expected<void> KeySequence::apply(const KeyEdit& edit) {
  std::optional<std::size_t> only;
  if (edit.list) {
    POSENC_TRY(check_whole("list", *edit.list, 0, std::ssize(lists) - 1));
    only = static_cast<std::size_t>(*edit.list);
  }
  if (const auto* const to = std::get_if<edit::Convert>(&edit.what)) {
    if (like.dim() % dims_of_block(to->type) != 0)
      return invalid_argument("dtype", std::string(name_of(to->type)),
                              {"a type whose blocks of 32 dimensions fill heads"});
    type = to->type;
    return {};
  }
  Expected<void> done;
  if (const auto* const rotate = std::get_if<edit::Rotate>(&edit.what)) {
    done = apply(*rotate);
  } else if (const auto* const insert = std::get_if<edit::Insert>(&edit.what)) {
    done = this->insert(*insert, only);
  } else {
    for (std::size_t list = 0; list < lists.size() && done; ++list) {
      if (only && *only != list) continue;
      if (const auto* const shift = std::get_if<edit::Shift>(&edit.what)) done = apply(*shift, list);
      if (const auto* const move = std::get_if<edit::Move>(&edit.what)) done = apply(*move, list);
      if (const auto* const drop = std::get_if<edit::Drop>(&edit.what)) done = apply(*drop, list);
      if (const auto* const divide = std::get_if<edit::Divide>(&edit.what)) done = apply(*divide, list);
    }
  }
  const bool is_by = std::holds_alternative<edit::Shift>(edit.what) || std::holds_alternative<edit::Divide>(edit.what);
  const std::string_view cause =
      is_by ? "by" : (std::holds_alternative<edit::Rotate>(edit.what) ? "rotary" : "positions");
  for (const KeyList& list : lists)
    for (std::size_t i = 0; i < list.size() && done; ++i) done = rotation.check_position(cause, list.position(i));
  return done;
}

}  // namespace posenc
