#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/cache_diagnosis.hpp"
#include "posenc/diagnosis/engine/sample_view.hpp"

namespace posenc::diagnosis {

/// A form of a cache: the indices in a row of both numbers of a pair, and of their copies.
struct CacheForm {
  std::string_view name;  ///< as FoundRotation::form
  bool one_array;
  std::size_t per_pair;  ///< values of a row for a pair
  /// The place of a copy (0 or 1) of the cosine or the sine.
  std::size_t (*place)(std::size_t pairs, std::size_t pair, bool sine, std::size_t copy);
};

/// The axes of a cache; all others are copies.
struct CacheAxes {
  std::size_t sequence = 0, dims = 0;
  bool has_parts = false;  ///< the last axis, of extent 2, belongs to the dimensions, as of complex numbers
};

/// A cache in one of the forms that it may have: rotations of (1, 0). Its vectors are the copies of a number, in the
/// row and on all other axes.
class CacheView final : public SampleView {
 public:
  CacheView(const CacheSamples& samples, const CacheForm& form, const CacheAxes& axes, std::vector<std::size_t> tokens,
            const Noise& noise);

  [[nodiscard]] const CacheForm& form() const { return *form_; }
  [[nodiscard]] const CacheAxes& axes() const { return axes_; }
  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }

  /// Whether copies are alike, as far as some rows show it. (Lengths are not looked at: sines of other rows have none.)
  [[nodiscard]] bool may_be_cache() const;
  /// Whether all numbers of a row, one of those chosen, are zeros.
  [[nodiscard]] bool is_zero(std::size_t row) const;

 private:
  void read(std::size_t token, std::size_t vectors, TokenPairs& to) const override;

  const CacheSamples* samples_;
  const CacheForm* form_;
  CacheAxes axes_;
  TensorAxes of_;
  std::vector<std::size_t> chosen_;
};

/// All forms and axes that shapes and the number of positions allow, the likeliest first. `tokens` is 0 where positions
/// are not given, `pairs` where none are expected. Errors: no axis of so many tokens.
[[nodiscard]] Expected<std::vector<CacheView>> cache_views(const CacheSamples& samples, std::size_t tokens,
                                                           std::size_t pairs, const Noise& noise);

}  // namespace posenc::diagnosis
