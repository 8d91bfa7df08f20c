#include "posenc/key_cache/kernels/key_addresses.hpp"

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

Expected<KeyAddresses> KeyAddresses::of(const ConstKeys& keys, std::size_t lists, std::string_view argument) {
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
  POSENC_TRY(check_size(argument, keys.bytes.size(), bytes_of(keys.type, shape.size())));
  KeyAddresses made;
  made.type_ = keys.type;
  made.dim_ = shape.dim();
  made.dim_stride_ = shape.dim_stride();
  made.token_stride_ = shape.sequence_stride();
  made.capacity_ = shape.sequence();
  made.values_ = shape.size();
  made.heads_.resize(lists);
  for (std::size_t b = 0; b < shape.batch(); ++b)
    shape.for_each_run(b, 0, [&](std::size_t offset, std::size_t heads, std::size_t stride) {
      for (std::size_t head = 0; head < heads; ++head)
        made.heads_[lists == 1 ? 0 : b].push_back(offset + head * stride);
    });
  return made;
}

Expected<void> KeyAddresses::check_heads_of(const KeyAddresses& other) const {
  if (dim_ != other.dim_)
    return invalid_argument("shape", static_cast<double>(dim_),
                            {decimal(other.dim_), " dimensions a head, as the cache"});
  for (std::size_t list = 0; list < lists(); ++list)
    if (heads(list) != other.heads(list))
      return invalid_argument("shape", static_cast<double>(heads(list)),
                              {decimal(other.heads(list)), " heads a token, as the cache"});
  return {};
}

}  // namespace posenc
