#include "posenc/key_cache/edited_keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/key_cache/key_bound.hpp"
#include "posenc/key_cache/key_sequence.hpp"

namespace posenc {
namespace {

/// Tokens that are moved together, head by head, so that they stay in a processor's own cache.
constexpr std::size_t most_together = 64;

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

/// Whether no key of the cache is overwritten before it is read.
bool is_in_order(const KeyList& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.token(i).source == 0 && list.token(i).index < i) return false;
  return true;
}

/// Counts the tokens from this one on that are moved by one rerotation.
std::size_t count_together(const KeyList& list, std::size_t i, const KeyRerotations& rerotations) {
  const KeyToken& first = list.token(i);
  std::size_t count = 1;
  for (; i + count < list.size() && count < most_together; ++count) {
    const KeyToken& token = list.token(i + count);
    if (token.source != first.source || token.index != first.index + count ||
        !rerotations.is_same(list.then(i + count), list.now(i + count)))
      break;
  }
  return count;
}

void write_zeros(const KeyAddresses& addresses, std::byte* out, std::size_t list, std::size_t token) {
  const bool is_contiguous = addresses.dim_stride() == 1;
  const std::size_t bytes = bytes_of(addresses.type(), is_contiguous ? addresses.dim() : 1);
  for (std::size_t head = 0; head < addresses.heads(list); ++head)
    for (std::size_t dimension = 0; dimension < (is_contiguous ? 1 : addresses.dim()); ++dimension)
      std::memset(
          out + addresses.head(list, head, token) + bytes_of(addresses.type(), dimension * addresses.dim_stride()), 0,
          bytes);
}

}  // namespace

class EditedKeys::Plan {
 public:
  KeySequence to;

  [[nodiscard]] Expected<void> check_scales() const;
  double write(const std::byte* keys, const KeyAddresses& addresses, std::span<KeyMover> movers, std::byte* out,
               bool in_place) const;
};

EditedKeys::EditedKeys(std::unique_ptr<const Plan> plan) : plan_(std::move(plan)) {}
EditedKeys::EditedKeys(EditedKeys&&) noexcept = default;
EditedKeys& EditedKeys::operator=(EditedKeys&&) noexcept = default;
EditedKeys::~EditedKeys() = default;

Expected<EditedKeys> EditedKeys::make(const CachedKeys& cache, const ConstKeys& keys, std::span<const KeyEdit> edits) {
  const KeyRotation& rotation = cache.rotation;
  const SequenceShape& shape = keys.shape;
  const std::size_t lists = cache.lists;
  POSENC_TRY(shape.check_lists(lists));
  if (lists != 1 && lists != shape.batch())
    return invalid_argument("positions", static_cast<double>(lists),
                            {"one list, or one for each index of the batch axis (", decimal(shape.batch()), ")"});
  if (!cache.first_dim && shape.dim() != rotation.dim())
    return invalid_argument("shape", static_cast<double>(shape.dim()),
                            {decimal(rotation.dim()), " (dim) as its last extent, or that of dimAxis"});
  POSENC_TRY(shape.dims(cache.first_dim.value_or(0), rotation.dim()));
  POSENC_TRY_LET(addresses, KeyAddresses::of(keys, lists, "keys"));
  POSENC_TRY(check_heads(rotation, addresses, shape, lists != 1));
  POSENC_TRY(rotation.check_becomes(rotation));
  const auto first_dim = static_cast<std::size_t>(cache.first_dim.value_or(0));
  const KeyState state{std::move(addresses), rotation, first_dim};
  POSENC_TRY_LET(made, KeySequence::lists_of(state, 0, cache.positions));
  KeySequence to{std::move(made), rotation, keys.type, first_dim, {}};
  to.sources.push_back({state, {}});
  for (std::size_t i = 0; i < edits.size(); ++i)
    if (auto applied = to.apply(edits[i]); !applied) {
      if (applied.error().argument != "memory")
        applied.error().argument = "edits[" + decimal(i) + "]." + applied.error().argument;
      return error_of(applied);
    }
  auto plan = std::make_unique<const Plan>(Plan{std::move(to)});
  POSENC_TRY(plan->check_scales());
  return EditedKeys(std::move(plan));
}

Expected<void> EditedKeys::Plan::check_scales() const {
  for (const KeyList& list : to.lists)
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t source = list.token(i).source;
      if (source == KeyToken::zeros) continue;
      const KeyRotation& from = to.sources[source].state.rotation;
      const Xpos* const xpos = to.rotation.xpos() != nullptr ? to.rotation.xpos() : from.xpos();
      if (xpos == nullptr) continue;
      const double position = *list.now(i);
      if (!(std::fabs(to.rotation.steps(position) - from.steps(*list.then(i))) <= xpos->most_steps()))
        return invalid_argument("positions", position,
                                {"positions whose scales are at most e^80 times the first ones"});
    }
  return {};
}

Expected<KeyBound> EditedKeys::write(std::span<const std::byte> keys, const Keys& out) const {
  const KeySequence& to = plan_->to;
  const KeyAddresses& cache = to.sources.front().state.addresses;
  POSENC_TRY(check_size("keys", keys.size(), cache.bytes()));
  if (out.type != to.type) return invalid_argument("dtype", std::string(name_of(out.type)), {name_of(to.type)});
  POSENC_TRY_LET(addresses, KeyAddresses::of(out, to.lists.size(), "out"));
  POSENC_TRY(addresses.check_heads_of(cache));
  if (addresses.capacity() < tokens())
    return invalid_argument("shape", static_cast<double>(addresses.capacity()),
                            {"room for ", decimal(tokens()), " tokens"});
  const bool in_place = keys.data() == out.bytes.data();
  if (in_place ? addresses != cache : overlap(keys, out.bytes))
    return invalid_argument("out", static_cast<double>(out.bytes.size()),
                            {"memory that does not overlap, or the same keys in place"});

  const KeyState target{std::move(addresses), to.rotation, to.first_dim};
  std::vector<KeyMover> movers;
  for (const KeySource& source : to.sources) {
    POSENC_TRY_LET(mover, KeyMover::make(source.state, target));
    movers.push_back(std::move(mover));
  }
  AlignedArray<std::byte> copy;
  if (in_place && !std::ranges::all_of(to.lists, is_in_order)) {
    POSENC_TRY_LET(copied, AlignedArray<std::byte>::make_unfilled(keys.size()));
    std::ranges::copy(keys, copied.data());
    copy = std::move(copied);
  }
  const std::byte* const from = copy.size() > 0 ? copy.data() : keys.data();
  const double bound = plan_->write(from, target.addresses, movers, out.bytes.data(), in_place);
  return KeyBound{bound, bound / last_place_of(to.type)};
}

double EditedKeys::Plan::write(const std::byte* keys, const KeyAddresses& addresses, std::span<KeyMover> movers,
                               std::byte* out, bool in_place) const {
  double bound = 0;
  for (std::size_t l = 0; l < to.lists.size(); ++l) {
    const KeyList& list = to.lists[l];
    for (std::size_t i = list.size(); i < addresses.capacity() && !in_place; ++i) write_zeros(addresses, out, l, i);
    for (std::size_t i = 0; i < list.size();) {
      const auto [source, index] = list.token(i);
      if (source == KeyToken::zeros) {
        write_zeros(addresses, out, l, i++);
        continue;
      }
      const KeySource& of = to.sources[source];
      const KeyRerotation& rerotation = movers[source].rerotations().at(list.then(i), list.now(i));
      const std::size_t count = count_together(list, i, movers[source].rerotations());
      const KeyMover::Run run{.from = source == 0 ? keys : of.bytes.data(),
                              .from_list = of.state.addresses.lists() == 1 ? 0 : l,
                              .source = index,
                              .to = out,
                              .to_list = l,
                              .target = i,
                              .count = count};
      bound = std::max(bound, movers[source].move(run, rerotation));
      i += count;
    }
  }
  return bound;
}

std::size_t EditedKeys::tokens() const {
  std::size_t most = 0;
  for (const KeyList& list : plan_->to.lists) most = std::max(most, list.size());
  return most;
}

KeyType EditedKeys::type() const { return plan_->to.type; }
std::size_t EditedKeys::lists() const { return plan_->to.lists.size(); }
std::size_t EditedKeys::axes() const { return plan_->to.rotation.axes(); }
std::span<const double> EditedKeys::positions(std::size_t list) const { return plan_->to.lists[list].positions(); }

}  // namespace posenc
