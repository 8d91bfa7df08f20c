#include "posenc/key_cache/kernels/key_mover.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "posenc/base/dtype.hpp"
#include "posenc/base/try.hpp"
#include "posenc/key_cache/kernels/q8_0.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

/// Copies rows of so many bytes; those of both may overlap where a row is read before it is written.
void copy_rows(const std::byte* from, std::size_t from_stride, std::byte* to, std::size_t stride, std::size_t bytes,
               std::size_t count) {
  if (from_stride == bytes && stride == bytes) {
    std::memmove(to, from, count * bytes);
    return;
  }
  for (std::size_t row = 0; row < count; ++row) std::memmove(to + row * stride, from + row * from_stride, bytes);
}

DType dtype_of(KeyType type) { return type == KeyType::float16 ? DType::float16 : DType::bfloat16; }
bool is_16(KeyType type) { return type == KeyType::float16 || type == KeyType::bfloat16; }

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
  const KeyAddresses &source = from.addresses, &target = to.addresses;
  const bool same_type = source.type() == target.type();
  made.blocks_ = to.rotation.blocks();
  made.moves_dims_ = !from.rotation.has_dims_of(to.rotation);
  made.in_place_ = same_type && target.type() != KeyType::q8_0 && source.dim_stride() == 1 &&
                   target.dim_stride() == 1 && !made.moves_dims_ && to.rotation.heads() == 1 &&
                   (!is_16(target.type()) || made.blocks_.size() == 1);
  if (made.in_place_ && is_16(target.type())) {
    POSENC_TRY_LET(rotation, TokenRotation16::make(dtype_of(target.type()), to.rotation.layout(), Direction::forward,
                                                   to.rotation.rotary_dim()));
    made.rotation16_ = std::move(rotation);
  }
  const std::size_t block = std::max(dims_of_block(source.type()), dims_of_block(target.type()));
  made.last_ = target.dim();
  if (same_type) {
    made.first_ = to.first_dim / block * block;
    made.last_ = (to.first_dim + to.rotation.rotary_dim() + block - 1) / block * block;
  }
  made.from_dims_ = dims_of(from, made.first_);
  made.to_dims_ = dims_of(to, made.first_);
  for (AlignedArray<float>* const array : {&made.floats_, &made.halves_}) {
    POSENC_TRY_LET(values, AlignedArray<float>::make(made.last_ - made.first_));
    *array = std::move(values);
  }
  POSENC_TRY_LET(words, AlignedArray<std::uint16_t>::make(made.last_ - made.first_));
  made.words_ = std::move(words);
  return made;
}

void KeyMover::move(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to,
                    std::size_t to_list, std::size_t target, std::size_t count, const KeyRerotation& rerotation) {
  const KeyAddresses &sources = from_->addresses, &targets = to_->addresses;
  const bool same_type = sources.type() == targets.type();
  if (rotation16_ && !rerotation.is_none && std::exchange(number16_, rerotation.number) != rerotation.number)
    rotation16_->set(rerotation.row);
  for (std::size_t done = 0; done < count;) {
    const std::size_t at = source + done, goes = target + done;
    const bool stays = from == to && from_list == to_list && sources.token(at) == targets.token(goes);
    std::size_t some = 1;
    // As long as they are in order in both.
    while (in_place_ && done + some < count &&
           sources.token(at + some) == sources.token(at) + some * sources.token_stride() &&
           targets.token(goes + some) == targets.token(goes) + some * targets.token_stride())
      ++some;
    if (in_place_) {
      if (!stays || !rerotation.is_none) move_rows(from, from_list, at, to, to_list, goes, some, rerotation);
    } else {
      if (same_type && !stays) copy_token(from, from_list, at, to, to_list, goes);
      if (!same_type || !rerotation.is_none || moves_dims_)
        rotate_in_float32(from, from_list, at, to, to_list, goes, rerotation);
    }
    done += some;
  }
}

/// Tokens that are in order.
void KeyMover::move_rows(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to,
                         std::size_t to_list, std::size_t target, std::size_t tokens, const KeyRerotation& rerotation) {
  const KeyAddresses &sources = from_->addresses, &targets = to_->addresses;
  const KeyType type = targets.type();
  const std::size_t next = targets.token_stride(), from_next = sources.token_stride();
  for_each_run(
      sources.runs(from_list), targets.runs(to_list),
      [&](std::size_t offset, std::size_t stride, std::size_t to_offset, std::size_t to_stride, std::size_t heads) {
        const std::byte* const in = from + bytes_of(type, sources.token(source) + offset);
        std::byte* const out = to + bytes_of(type, targets.token(target) + to_offset);
        // Head by head where a head's tokens are closer to each other than a token's heads.
        const bool by_heads = tokens > 1 && next < to_stride;
        const std::size_t outer = by_heads ? heads : tokens, inner = by_heads ? tokens : heads;
        const std::size_t step = by_heads ? next : to_stride, from_step = by_heads ? from_next : stride;
        for (std::size_t i = 0; i < outer; ++i)
          rotate_rows({in + bytes_of(type, i * (by_heads ? stride : from_next)), from_step,
                       out + bytes_of(type, i * (by_heads ? to_stride : next)), step, inner},
                      rerotation);
      });
}

/// Rotates rows of dimensions while it copies them.
void KeyMover::rotate_rows(const RowMove& rows, const KeyRerotation& rerotation) {
  const KeyType type = to_->addresses.type();
  const std::size_t first = to_->first_dim, end = first + to_->rotation.rotary_dim(), dim = to_->addresses.dim();
  const Layout layout = to_->rotation.layout();
  const bool stay = rows.from == rows.to;
  const auto copy_dims = [&](std::size_t from, std::size_t to) {
    if (from == to) return;
    copy_rows(rows.from + bytes_of(type, from), bytes_of(type, rows.from_stride), rows.to + bytes_of(type, from),
              bytes_of(type, rows.stride), bytes_of(type, to - from), rows.count);
  };
  if (rerotation.is_none) return copy_dims(0, dim);
  if (!stay) copy_dims(0, first), copy_dims(end, dim);
  if (rotation16_)
    return rotation16_->rotate_together({reinterpret_cast<const std::uint16_t*>(rows.from) + first, rows.from_stride,
                                         reinterpret_cast<std::uint16_t*>(rows.to) + first, rows.stride, rows.count});
  const float* from = reinterpret_cast<const float*>(rows.from) + first;
  float* to = reinterpret_cast<float*>(rows.to) + first;
  AngleRow<float> angles = rerotation.row;
  for (const std::size_t pairs : blocks_) {
    if (!stay)
      move_heads(layout, pairs, {from, rows.from_stride, to, rows.stride, rows.count}, angles);
    else
      rotate_heads({layout, Direction::forward, pairs, nullptr}, {to, rows.count, rows.stride}, angles);
    from += 2 * pairs;
    to += 2 * pairs;
    angles.sines += pairs;
    angles.cosines += pairs;
  }
}

void KeyMover::copy_token(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to,
                          std::size_t to_list, std::size_t target) const {
  const KeyAddresses &sources = from_->addresses, &targets = to_->addresses;
  const KeyType type = targets.type();
  const std::size_t dim = targets.dim();
  const std::byte* const first = from + bytes_of(type, sources.token(source));
  std::byte* const goes = to + bytes_of(type, targets.token(target));
  for_each_run(
      sources.runs(from_list), targets.runs(to_list),
      [&](std::size_t offset, std::size_t stride, std::size_t to_offset, std::size_t to_stride, std::size_t heads) {
        const std::byte* in = first + bytes_of(type, offset);
        std::byte* out = goes + bytes_of(type, to_offset);
        const bool in_rows = sources.dim_stride() == 1 && targets.dim_stride() == 1;
        if (in_rows && stride == dim && to_stride == dim) {
          std::memcpy(out, in, bytes_of(type, heads * dim));
          return;
        }
        for (std::size_t head = 0; head < heads; ++head) {
          if (in_rows)
            std::memcpy(out, in, bytes_of(type, dim));
          else
            for (std::size_t dimension = 0; dimension < dim; ++dimension)
              std::memcpy(out + bytes_of(type, dimension * targets.dim_stride()),
                          in + bytes_of(type, dimension * sources.dim_stride()), bytes_of(type, 1));
          in += bytes_of(type, stride);
          out += bytes_of(type, to_stride);
        }
      });
}

void KeyMover::rotate_in_float32(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to,
                                 std::size_t to_list, std::size_t target, const KeyRerotation& rerotation) {
  const KeyAddresses &sources = from_->addresses, &targets = to_->addresses;
  const std::size_t pairs = to_->rotation.pairs(), own = to_->rotation.heads();
  const std::size_t in = sources.token(source) + first_ * sources.dim_stride();
  const std::size_t out = targets.token(target) + first_ * targets.dim_stride();
  std::size_t head = 0;
  for_each_run(
      sources.runs(from_list), targets.runs(to_list),
      [&](std::size_t offset, std::size_t stride, std::size_t to_offset, std::size_t to_stride, std::size_t heads) {
        for (std::size_t i = 0; i < heads; ++i, ++head) {
          read_head(from + bytes_of(sources.type(), in + offset + i * stride));
          for (std::size_t dimension = 0; dimension < 2 * pairs; ++dimension)
            halves_[dimension] = floats_[from_dims_[dimension]];
          const std::size_t row = head % own * pairs;
          if (!rerotation.is_none)
            rotate_heads({Layout::half, Direction::forward, pairs, nullptr}, {halves_.data(), 1, 0},
                         {rerotation.row.sines + row, rerotation.row.cosines + row});
          for (std::size_t dimension = 0; dimension < 2 * pairs; ++dimension)
            floats_[to_dims_[dimension]] = halves_[dimension];
          write_head(to + bytes_of(targets.type(), out + to_offset + i * to_stride));
        }
      });
}

/// Dimensions of a head, the first of which is there, to floats.
void KeyMover::read_head(const std::byte* head) {
  const KeyAddresses& addresses = from_->addresses;
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
