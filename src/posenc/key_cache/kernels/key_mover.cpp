#include "posenc/key_cache/kernels/key_mover.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "posenc/base/dtype.hpp"
#include "posenc/base/try.hpp"
#include "posenc/key_cache/kernels/q8_0.hpp"
#include "posenc/key_cache/key_bound.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

DType dtype_of(KeyType type) { return type == KeyType::float16 ? DType::float16 : DType::bfloat16; }

/// Where a head has the dimensions of its pairs, all first dimensions and then all second ones.
std::vector<std::size_t> dims_of(const KeyState& state, std::size_t from) {
  const bool is_half = state.rotation.layout() == Layout::half;
  const std::size_t pairs = state.rotation.pairs();
  std::vector<std::size_t> dims(2 * pairs);
  std::size_t pair = 0;
  for (const std::size_t block : state.rotation.blocks()) {
    const std::size_t first = state.first_dim - from + 2 * pair;
    for (std::size_t i = 0; i < block; ++i) {
      dims[pair + i] = first + (is_half ? HalfPairs{block}.first(i) : InterleavedPairs{block}.first(i));
      dims[pairs + pair + i] = first + (is_half ? HalfPairs{block}.second(i) : InterleavedPairs{block}.second(i));
    }
    pair += block;
  }
  return dims;
}

}  // namespace

Expected<KeyMover> KeyMover::make(const KeyState& from, const KeyState& to) {
  POSENC_TRY_LET(rerotations, KeyRerotations::make(from.rotation, to.rotation));
  KeyMover made(from, to, std::move(rerotations));
  const KeyType source = from.addresses.type(), target = to.addresses.type();
  made.blocks_ = to.rotation.blocks();
  made.same_type_ = source == target;
  made.moves_dims_ = !from.rotation.has_dims_of(to.rotation);
  const std::size_t block = std::max(dims_of_block(source), dims_of_block(target));
  made.last_ = to.addresses.dim();
  if (made.same_type_) {
    made.first_ = to.first_dim / block * block;
    made.last_ = (to.first_dim + to.rotation.rotary_dim() + block - 1) / block * block;
  }
  made.from_dims_ = dims_of(from, made.first_);
  made.to_dims_ = dims_of(to, made.first_);
  for (AlignedArray<float>* const array : {&made.floats_, &made.others_}) {
    POSENC_TRY_LET(values, AlignedArray<float>::make(made.last_ - made.first_));
    *array = std::move(values);
  }
  POSENC_TRY_LET(words, AlignedArray<std::uint16_t>::make(made.last_ - made.first_));
  made.words_ = std::move(words);
  return made;
}

double KeyMover::move(const Run& run, const KeyRerotation& rerotation) {
  const KeyAddresses &sources = from_->addresses, &targets = to_->addresses;
  const std::size_t heads = targets.heads(run.to_list), own = to_->rotation.heads(), pairs = to_->rotation.pairs();
  const bool changes = !rerotation.is_none || moves_dims_ || !same_type_;
  const bool is_in_rows = same_type_ && targets.type() == KeyType::float32 && targets.dim_stride() == 1 && !moves_dims_;
  // Head by head: the rows of a head's tokens are often neighbours, and by the same angles.
  for (std::size_t head = 0; head < heads; ++head) {
    AngleRow<float> angles = rerotation.row;
    if (!rerotation.is_none) angles.sines += head % own * pairs, angles.cosines += head % own * pairs;
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::byte* const from = run.from + sources.head(run.from_list, head, run.source + i);
      std::byte* const to = run.to + targets.head(run.to_list, head, run.target + i);
      if (same_type_ && from != to) copy_head(from, to);
      if (changes && !is_in_rows)
        change_head(same_type_ ? targets : sources, same_type_ ? to : from, to, rerotation.is_none ? nullptr : &angles);
    }
    if (is_in_rows && !rerotation.is_none)
      rotate_rows(reinterpret_cast<float*>(run.to + targets.head(run.to_list, head, run.target)) + to_->first_dim,
                  run.count, targets.token_stride(), angles);
  }
  return error_of({.from = sources.type(),
                   .to = targets.type(),
                   .is_rotated = !rerotation.is_none,
                   .moves_dims = moves_dims_,
                   .is_scaled = rerotation.is_scaled});
}

void KeyMover::copy_head(const std::byte* from, std::byte* to) const {
  const KeyAddresses &source = from_->addresses, &target = to_->addresses;
  const KeyType type = target.type();
  if (source.dim_stride() == 1 && target.dim_stride() == 1) {
    std::memcpy(to, from, bytes_of(type, target.dim()));
    return;
  }
  for (std::size_t dimension = 0; dimension < target.dim(); ++dimension)
    std::memcpy(to + bytes_of(type, dimension * target.dim_stride()),
                from + bytes_of(type, dimension * source.dim_stride()), bytes_of(type, 1));
}

void KeyMover::rotate_rows(float* first, std::size_t count, std::size_t stride, AngleRow<float> angles) const {
  for (const std::size_t pairs : blocks_) {
    rotate_heads({to_->rotation.layout(), Direction::forward, pairs, nullptr}, {first, count, stride}, angles);
    first += 2 * pairs;
    angles.sines += pairs;
    angles.cosines += pairs;
  }
}

/// Reads a head there, puts its dimensions in their new order, rotates and writes them.
void KeyMover::change_head(const KeyAddresses& at, const std::byte* from, std::byte* to,
                           const AngleRow<float>* angles) {
  read_head(at, from + bytes_of(at.type(), first_ * at.dim_stride()));
  if (moves_dims_) {
    std::ranges::copy(floats_.span(), others_.data());
    for (std::size_t i = 0; i < to_dims_.size(); ++i) floats_[to_dims_[i]] = others_[from_dims_[i]];
  }
  if (angles != nullptr) rotate_rows(floats_.data() + (to_->first_dim - first_), 1, 0, *angles);
  write_head(to + bytes_of(to_->addresses.type(), first_ * to_->addresses.dim_stride()));
}

/// Dimensions of a head, the first of which is there, to floats.
void KeyMover::read_head(const KeyAddresses& addresses, const std::byte* head) {
  const std::size_t dims = last_ - first_, stride = addresses.dim_stride();
  if (addresses.type() == KeyType::q8_0) return read_q8_0(head, dims, floats_.data());
  if (addresses.type() == KeyType::float32) {
    const auto* const values = reinterpret_cast<const float*>(head);
    for (std::size_t dimension = 0; dimension < dims; ++dimension) floats_[dimension] = values[dimension * stride];
    return;
  }
  const auto* values = reinterpret_cast<const std::uint16_t*>(head);
  if (stride != 1) {
    for (std::size_t dimension = 0; dimension < dims; ++dimension) words_[dimension] = values[dimension * stride];
    values = words_.data();
  }
  // The sizes are the same, so it has no error.
  (void)convert(ConstSpan16(dtype_of(addresses.type()), {values, dims}), floats_.span());
}

/// And back.
void KeyMover::write_head(std::byte* head) {
  const KeyAddresses& addresses = to_->addresses;
  const std::size_t dims = last_ - first_, stride = addresses.dim_stride();
  if (addresses.type() == KeyType::q8_0) return write_q8_0(floats_.data(), dims, head);
  if (addresses.type() == KeyType::float32) {
    auto* const values = reinterpret_cast<float*>(head);
    for (std::size_t dimension = 0; dimension < dims; ++dimension) values[dimension * stride] = floats_[dimension];
    return;
  }
  (void)convert(floats_.span(), Span16(dtype_of(addresses.type()), words_.span()));
  auto* const values = reinterpret_cast<std::uint16_t*>(head);
  for (std::size_t dimension = 0; dimension < dims; ++dimension) values[dimension * stride] = words_[dimension];
}

}  // namespace posenc
