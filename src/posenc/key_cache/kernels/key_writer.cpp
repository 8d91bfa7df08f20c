#include "posenc/key_cache/kernels/key_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

/// Null of current keys that are not kept.
const KeyBank* KeyWriter::bank(std::size_t i) const {
  if (!keeps_ && i == 0) return nullptr;
  return i < now_.banks ? &banks_[i] : &next_.added[i - now_.banks];
}

/// Where a token's bits were rotated.
const double* KeyWriter::first_position(std::size_t i, std::size_t list, std::size_t index) const {
  const KeyBank* const of = bank(i);
  return of == nullptr ? now_.lists[list].position(index) : of->lists[of->list_of(list)].position(index);
}

/// Whether no current key is overwritten before it is read.
bool KeyWriter::is_in_order() const {
  for (const KeyList& list : next_.lists)
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.token(i).bank == 0 && list.token(i).index < i) return false;
  return true;
}

Expected<void> KeyWriter::check_scales(const KeyState& from, const KeyState& to) const {
  for (std::size_t l = 0; l < next_.lists.size(); ++l)
    for (std::size_t i = 0; i < next_.lists[l].size(); ++i) {
      const KeyToken& token = next_.lists[l].token(i);
      if (token.bank == KeyToken::none) continue;
      const KeyBank* const of = bank(token.bank);
      const KeyRotation& old = of == nullptr ? from.rotation : of->state.rotation;
      const Xpos* const xpos = to.rotation.xpos() != nullptr ? to.rotation.xpos() : old.xpos();
      if (xpos == nullptr) continue;
      const double position = *next_.lists[l].position(i);
      const double steps = to.rotation.steps(position) - old.steps(*first_position(token.bank, l, token.index));
      if (!(std::fabs(steps) <= xpos->most_steps()))
        return invalid_argument("positions", position,
                                {"positions whose scales are at most e^80 times the first ones"});
    }
  return {};
}

Expected<void> KeyWriter::prepare(const KeyState& from, const std::byte* keys, const KeyState& to) {
  to_ = &to;
  POSENC_TRY(check_scales(from, to));
  keeps_state_ = in_place_ && from.addresses.type() == to.addresses.type() &&
                 from.rotation.has_angles_of(to.rotation) && from.rotation.has_dims_of(to.rotation);
  sources_.resize(now_.banks + next_.added.size());
  for (const KeyList& list : next_.lists)
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t at = list.token(i).bank;
      if (at == KeyToken::none || sources_[at]) continue;
      const KeyBank* of = bank(at);
      if (of == nullptr && in_place_ && !is_in_order()) {
        std::vector<KeyList> lists;
        for (const KeyList& current : now_.lists) {
          POSENC_TRY_LET(copy, current.copy());
          lists.push_back(std::move(copy));
        }
        POSENC_TRY_LET(copied, copy_to_bank(from, keys, std::move(lists)));
        of = &copied_.emplace(std::move(copied));
      }
      const KeyState& state = of == nullptr ? from : of->state;
      POSENC_TRY_LET(mover, KeyMover::make(state, to));
      sources_[at].emplace(Source{&state, of == nullptr ? keys : of->bytes.data(), of, std::move(mover)});
    }
  return {};
}

/// Whether the cache holds the token as it is to be, there.
bool KeyWriter::stays(std::size_t l, std::size_t i) const {
  const KeyList& list = next_.lists[l];
  const KeyList& old = now_.lists[l];
  return keeps_state_ && i < old.size() && list.token(i).bank == old.token(i).bank &&
         list.token(i).bank != KeyToken::none && list.token(i).index == old.token(i).index &&
         std::equal(list.position(i), list.position(i) + list.axes(), old.position(i));
}

/// Counts the tokens from this one on that are contiguous there and share one rerotation.
std::size_t KeyWriter::segment(std::size_t l, std::size_t i, Source& source) const {
  const KeyList& list = next_.lists[l];
  const KeyToken& first = list.token(i);
  std::size_t count = 1;
  for (; i + count < list.size(); ++count) {
    const KeyToken& token = list.token(i + count);
    if (token.bank != first.bank || token.index != first.index + count || stays(l, i + count)) break;
    if (!source.mover.rerotations().is_same(first_position(token.bank, l, token.index), list.position(i + count)))
      break;
  }
  return count;
}

void KeyWriter::write_zeros(std::byte* out, std::size_t l, std::size_t i) const {
  const KeyAddresses& addresses = to_->addresses;
  const std::size_t first = addresses.token(i);
  for (const KeyHeads& run : addresses.runs(l))
    for (std::size_t head = 0; head < run.heads; ++head) {
      const std::size_t at = first + run.offset + head * run.stride;
      if (addresses.dim_stride() == 1) {
        std::memset(out + bytes_of(addresses.type(), at), 0, bytes_of(addresses.type(), addresses.dim()));
        continue;
      }
      for (std::size_t dimension = 0; dimension < addresses.dim(); ++dimension)
        std::memset(out + bytes_of(addresses.type(), at + dimension * addresses.dim_stride()), 0,
                    bytes_of(addresses.type(), 1));
    }
}

void KeyWriter::write(std::byte* out) {
  for (std::size_t l = 0; l < next_.lists.size(); ++l) {
    KeyList& list = next_.lists[l];
    // In place, what is behind the last token stays.
    for (std::size_t i = list.size(); i < to_->addresses.capacity() && !in_place_; ++i) write_zeros(out, l, i);
    for (std::size_t i = 0; i < list.size();) {
      KeyToken& token = list.token(i);
      if (stays(l, i)) {
        ++i;
        continue;
      }
      if (token.bank == KeyToken::none) {
        write_zeros(out, l, i++);
        token.error = {};
        continue;
      }
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): every bank that tokens name has a source
      Source& source = *sources_[token.bank];
      const KeyRerotation& rerotation =
          source.mover.rerotations().at(first_position(token.bank, l, token.index), list.position(i));
      const std::size_t count = segment(l, i, source);
      const std::size_t from_list = source.bank == nullptr ? l : source.bank->list_of(l);
      source.mover.move(source.bytes, from_list, token.index, out, l, i, count, rerotation);
      const KeyStep step{.from = source.state->addresses.type(),
                         .to = to_->addresses.type(),
                         .is_rotated = !rerotation.is_none,
                         .moves_dims = !source.state->rotation.has_dims_of(to_->rotation),
                         .is_scaled = rerotation.is_scaled,
                         .spread = rerotation.spread};
      // Neighbours have mostly been through the same.
      KeyError before, made = after(before, step);
      for (const std::size_t end = i + count; i < end; ++i) {
        KeyError& error = list.token(i).error;
        const KeyError now = keeps_ || list.token(i).bank != 0 ? KeyError{} : error;
        if (now != before) made = after(before = now, step);
        error = made;
      }
    }
  }
}

}  // namespace posenc
