#include "posenc/key_cache/kernels/key_addresses.hpp"

#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

Expected<void> check_slots(std::span<const double> slots, std::size_t extent) {
  POSENC_TRY_LET(taken, AlignedArray<bool>::make(extent));
  for (const double slot : slots) {
    const bool is_index = slot >= 0 && slot < static_cast<double>(extent) && slot == std::floor(slot);
    if (!is_index)
      return invalid_argument("slots", slot, {"indices of the sequence axis, which has ", decimal(extent)});
    bool& is_taken = taken[static_cast<std::size_t>(slot)];
    if (is_taken) return invalid_argument("slots", slot, {"an index of its own for every token"});
    is_taken = true;
  }
  return {};
}

}  // namespace

Expected<KeyAddresses> KeyAddresses::of(const ConstKeys& keys, std::size_t lists) {
  const SequenceShape& shape = keys.shape;
  const std::size_t block = dims_of_block(keys.type);
  if (lists != 1 && lists != shape.batch())
    return invalid_argument("shape", static_cast<double>(shape.batch()),
                            {"a batch axis of ", decimal(lists), ", one for each list"});
  if (shape.dim() % block != 0)
    return invalid_argument("shape", static_cast<double>(shape.dim()),
                            {"heads of whole blocks of 32 dimensions, for q8_0"});
  if (block > 1 && shape.dim_stride() != 1 && shape.size() > 0)
    return invalid_argument("dimAxis", static_cast<double>(shape.dim_stride()), {"contiguous dimensions, for q8_0"});
  POSENC_TRY(check_size("keys", keys.bytes.size(), bytes_of(keys.type, shape.size())));
  POSENC_TRY(check_slots(keys.slots, shape.sequence()));
  KeyAddresses made;
  made.type_ = keys.type;
  made.dim_ = shape.dim();
  made.dim_stride_ = shape.dim_stride();
  made.token_stride_ = shape.sequence_stride();
  made.capacity_ = keys.capacity();
  made.values_ = shape.size();
  made.slots_ = keys.slots;
  made.runs_.resize(lists);
  for (std::size_t b = 0; b < shape.batch(); ++b)
    shape.for_each_run(b, 0, [&](std::size_t offset, std::size_t heads, std::size_t stride) {
      made.runs_[lists == 1 ? 0 : b].push_back({offset, heads, stride});
    });
  return made;
}

KeyAddresses KeyAddresses::packed(const KeyAddresses& like, KeyType type, std::span<const std::size_t> counts) {
  KeyAddresses made;
  made.type_ = type;
  made.dim_ = like.dim_;
  for (std::size_t list = 0; list < counts.size(); ++list) {
    const std::size_t heads = like.heads(list);
    made.runs_.push_back({{made.values_, heads, like.dim_}});
    made.token_stride_ = heads * like.dim_;
    made.capacity_ = std::max(made.capacity_, counts[list]);
    made.values_ += counts[list] * heads * like.dim_;
  }
  return made;
}

bool KeyAddresses::is_same_as(const KeyAddresses& other) const {
  return dim_ == other.dim_ && dim_stride_ == other.dim_stride_ && token_stride_ == other.token_stride_ &&
         values_ == other.values_ && runs_ == other.runs_ && std::ranges::equal(slots_, other.slots_);
}

std::size_t KeyAddresses::heads(std::size_t list) const {
  std::size_t heads = 0;
  for (const KeyHeads& run : runs_[list]) heads += run.heads;
  return heads;
}

}  // namespace posenc
