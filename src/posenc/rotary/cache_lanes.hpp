#pragma once

#include <cstddef>

#include "posenc/rotary/rotary_cache.hpp"

namespace posenc {

/// Where a row of a cache holds the numbers of pair i: at lane(i), and again `copy` further, unless that is 0. Where
/// both functions share a row the sine stands next to its cosine.
struct CacheLanes {
  std::size_t row;
  std::size_t stride;
  std::size_t copy = 0;
  bool shared = false;

  [[nodiscard]] std::size_t lane(std::size_t i) const { return i * stride; }

  CacheLanes(CacheForm form, std::size_t pairs)
      : row(row_of(form, 2 * pairs)),
        stride(form == CacheForm::ggml || form == CacheForm::huggingface_interleaved ? 2 : 1),
        copy(form == CacheForm::huggingface ? pairs : (form == CacheForm::huggingface_interleaved ? 1 : 0)),
        shared(form == CacheForm::ggml) {}
};

}  // namespace posenc
