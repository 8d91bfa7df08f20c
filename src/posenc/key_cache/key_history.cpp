#include "posenc/key_cache/key_history.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/key_cache/kernels/key_writer.hpp"
#include "posenc/key_cache/key_bank.hpp"
#include "posenc/key_cache/key_sequence.hpp"

namespace posenc {
namespace {

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<> before;
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

Expected<void> check_heads(const KeyRotation& rotation, const KeyAddresses& addresses, const SequenceShape& shape,
                           bool has_batch_axis) {
  const std::size_t heads = rotation.heads();
  if (heads == 1) return {};
  if (has_batch_axis)
    return invalid_argument("batchAxis", static_cast<double>(shape.batch()),
                            {"nothing, where heads have angles of their own"});
  const bool fits = shape.inner() == heads || (shape.inner() == 1 && addresses.heads(0) % heads == 0);
  if (!fits)
    return invalid_argument("shape", static_cast<double>(shape.inner() == 1 ? addresses.heads(0) : shape.inner()),
                            {decimal(heads), " heads, behind the sequence axis or in front of it"});
  return {};
}

}  // namespace

class KeyHistory::Kept {
 public:
  bool keeps;
  KeySequence now;
  KeyRotation first_rotation;
  KeyType first_type;
  std::vector<KeyList> first;  ///< the tokens in the beginning
  std::vector<KeyBank> banks;  ///< with kept bits; else without any
  std::optional<KeySequence> staged;

  [[nodiscard]] Expected<void> undone(KeySequence& sequence) const;
  [[nodiscard]] Expected<KeyAddresses> addresses_of(const ConstKeys& keys, std::string_view argument,
                                                    const KeySequence& sequence) const;
};

KeyHistory::KeyHistory(std::unique_ptr<Kept> kept) : kept_(std::move(kept)) {}
KeyHistory::KeyHistory(KeyHistory&&) noexcept = default;
KeyHistory& KeyHistory::operator=(KeyHistory&&) noexcept = default;
KeyHistory::~KeyHistory() = default;

Expected<KeyHistory> KeyHistory::make(const KeyHistoryOptions& options, const ConstKeys& keys,
                                      std::span<const double> positions, std::size_t lists) {
  const KeyRotation& rotation = options.rotation;
  const SequenceShape& shape = keys.shape;
  POSENC_TRY(shape.check_lists(lists));
  if (lists != 1 && lists != shape.batch())
    return invalid_argument("positions", static_cast<double>(lists),
                            {"one list, or one for each index of the batch axis (", decimal(shape.batch()), ")"});
  if (!options.first_dim && shape.dim() != rotation.dim())
    return invalid_argument("shape", static_cast<double>(shape.dim()),
                            {decimal(rotation.dim()), " (dim) as its last extent, or that of dimAxis"});
  POSENC_TRY(shape.dims(options.first_dim.value_or(0), rotation.dim()));
  POSENC_TRY_LET(addresses, KeyAddresses::of(keys, lists));
  POSENC_TRY(check_heads(rotation, addresses, shape, lists != 1));
  POSENC_TRY(rotation.check_becomes(rotation));
  const std::size_t axes = rotation.axes(), numbers = axes * std::max<std::size_t>(lists, 1);
  if (positions.size() % numbers != 0)
    return invalid_argument("positions", static_cast<double>(positions.size()),
                            {"a multiple of ", decimal(numbers), ": a coordinate for each axis, of each list"});
  const std::size_t tokens = lists == 0 ? 0 : positions.size() / numbers;
  if (tokens > addresses.capacity())
    return invalid_argument("positions", static_cast<double>(tokens),
                            {"at most as many as the keys have tokens (", decimal(addresses.capacity()), ")"});

  const auto first_dim = static_cast<std::size_t>(options.first_dim.value_or(0));
  KeySequence now{{}, rotation, keys.type, first_dim, addresses, {}, 1};
  for (std::size_t list = 0; list < lists; ++list) {
    POSENC_TRY_LET(made, KeyList::make(tokens, axes));
    for (std::size_t i = 0; i < tokens; ++i) {
      made.token(i) = {0, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i), {}};
      std::copy_n(positions.data() + (list * tokens + i) * axes, axes, made.position(i));
      POSENC_TRY(rotation.check_position("positions", made.position(i)));
    }
    now.lists.push_back(std::move(made));
  }
  POSENC_TRY_LET(first, now.copy());
  std::vector<KeyBank> banks;
  if (options.keep) {
    POSENC_TRY_LET(of_bank, now.copy());
    POSENC_TRY_LET(bank, copy_to_bank({addresses, rotation, first_dim}, keys.bytes.data(), std::move(of_bank.lists)));
    banks.push_back(std::move(bank));
  }
  return KeyHistory(std::make_unique<Kept>(
      Kept{options.keep, std::move(now), rotation, keys.type, std::move(first.lists), std::move(banks), std::nullopt}));
}

Expected<void> KeyHistory::stage(std::span<const KeyEdit> edits) {
  POSENC_TRY_LET(next, kept_->now.copy());
  kept_->staged.reset();
  for (std::size_t i = 0; i < edits.size(); ++i)
    if (auto applied = next.apply(edits[i]); !applied) {
      if (applied.error().argument != "memory")
        applied.error().argument = "edits[" + decimal(i) + "]." + applied.error().argument;
      return applied;
    }
  kept_->staged = std::move(next);
  return {};
}

/// Puts the first tokens, wherever they are now, in their places.
Expected<void> KeyHistory::Kept::undone(KeySequence& sequence) const {
  sequence.rotation = first_rotation;
  sequence.type = first_type;
  sequence.lists.clear();
  for (std::size_t l = 0; l < first.size(); ++l) {
    POSENC_TRY_LET(list, first[l].copy());
    for (std::size_t i = 0; i < list.size(); ++i) list.token(i).bank = keeps ? 0 : KeyToken::none;
    const KeyList& tokens = now.lists[l];
    for (std::size_t i = 0; i < tokens.size() && !keeps; ++i)
      if (const KeyToken& token = tokens.token(i); token.first != KeyToken::none) {
        list.token(token.first) = token;
      }
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.token(i).bank == KeyToken::none && !keeps)
        return invalid_argument("edits", static_cast<double>(i), {"no token that was dropped, without keep"});
    sequence.lists.push_back(std::move(list));
  }
  return {};
}

Expected<void> KeyHistory::stage_undo() {
  kept_->staged.reset();
  POSENC_TRY_LET(next, kept_->now.copy());
  POSENC_TRY(kept_->undone(next));
  kept_->staged = std::move(next);
  return {};
}

/// Where keys are that have these tokens.
Expected<KeyAddresses> KeyHistory::Kept::addresses_of(const ConstKeys& keys, std::string_view argument,
                                                      const KeySequence& sequence) const {
  if (keys.type != sequence.type)
    return invalid_argument("dtype", std::string(name_of(keys.type)), {name_of(sequence.type)});
  auto addresses = KeyAddresses::of(keys, sequence.lists.size());
  if (!addresses) {
    if (addresses.error().argument == "keys") addresses.error().argument = argument;
    return addresses;
  }
  if (addresses->dim() != sequence.like.dim())
    return invalid_argument("shape", static_cast<double>(addresses->dim()),
                            {decimal(sequence.like.dim()), " dimensions a head, as before"});
  for (std::size_t list = 0; list < sequence.lists.size(); ++list) {
    const std::size_t heads = sequence.like.heads(list), tokens = sequence.lists[list].size();
    if (addresses->heads(list) != heads)
      return invalid_argument("shape", static_cast<double>(addresses->heads(list)),
                              {decimal(heads), " heads a token, as before"});
    if (addresses->capacity() < tokens)
      return invalid_argument(keys.slots.data() == nullptr ? "shape" : "slots",
                              static_cast<double>(addresses->capacity()), {"room for ", decimal(tokens), " tokens"});
  }
  return addresses;
}

Expected<void> KeyHistory::write(const ConstKeys& keys, const Keys& out) {
  Kept& kept = *kept_;
  if (!kept.staged) return invalid_argument("edits", "none", {"edits, before they are written"});
  KeySequence& next = *kept.staged;
  POSENC_TRY_LET(source, kept.addresses_of(keys, "keys", kept.now));
  POSENC_TRY_LET(target, kept.addresses_of(out, "out", next));
  const bool in_place = keys.bytes.data() == out.bytes.data();
  if (in_place ? keys.type != out.type || !source.is_same_as(target) : overlap(keys.bytes, out.bytes))
    return invalid_argument("out", static_cast<double>(out.bytes.size()),
                            {"memory that does not overlap, or the same keys in place"});

  const KeyState from{std::move(source), kept.now.rotation, next.first_dim};
  const KeyState to{std::move(target), next.rotation, next.first_dim};
  KeyWriter writer{kept.now, next, kept.banks, kept.keeps, in_place};
  POSENC_TRY(writer.prepare(from, keys.bytes.data(), to));
  writer.write(out.bytes.data());

  if (kept.keeps) {
    for (KeyBank& bank : next.added) kept.banks.push_back(std::move(bank));
    next.banks = kept.banks.size();
  } else {
    for (KeyList& list : next.lists)
      for (std::size_t i = 0; i < list.size(); ++i) {
        list.token(i).bank = 0;
        list.token(i).index = static_cast<std::uint32_t>(i);
      }
  }
  next.added.clear();
  kept.now = std::move(next);
  kept.staged.reset();
  return {};
}

Expected<void> KeyHistory::edit(const Keys& keys, std::span<const KeyEdit> edits) {
  POSENC_TRY(stage(edits));
  auto written = write(keys, keys);
  kept_->staged.reset();
  return written;
}

Expected<void> KeyHistory::undo(const Keys& keys) {
  POSENC_TRY(stage_undo());
  auto written = write(keys, keys);
  kept_->staged.reset();
  return written;
}

std::size_t KeyHistory::staged_tokens() const {
  std::size_t most = 0;
  if (kept_->staged)
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): looked at in front
    for (const KeyList& list : kept_->staged->lists) most = std::max(most, list.size());
  return most;
}

// NOLINTNEXTLINE(bugprone-unchecked-optional-access): looked at in front
KeyType KeyHistory::staged_type() const { return kept_->staged ? kept_->staged->type : kept_->now.type; }

std::size_t KeyHistory::lists() const { return kept_->now.lists.size(); }
std::size_t KeyHistory::axes() const { return kept_->now.rotation.axes(); }
KeyType KeyHistory::type() const { return kept_->now.type; }
std::span<const double> KeyHistory::positions(std::size_t list) const { return kept_->now.lists[list].positions(); }

KeyBound KeyHistory::bound() const {
  double dimension = 0;
  for (const KeyList& list : kept_->now.lists)
    for (std::size_t i = 0; i < list.size(); ++i) dimension = std::max(dimension, list.token(i).error.dimension);
  return {dimension, dimension / last_place_of(kept_->now.type)};
}

}  // namespace posenc
