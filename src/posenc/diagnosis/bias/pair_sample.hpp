#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"

namespace posenc::diagnosis {

/// A value from this on is a mask: -10000, which models add to what is masked, as bfloat16 has it. Scores of no model
/// come near.
inline constexpr double largest_mask = -9984;
[[nodiscard]] inline bool is_masked(double value) { return value <= largest_mask; }

/// The type that results were rounded to: the one that is stated, else that of their array.
struct ResultType {
  std::string_view name = "float64";
  int digits = 24;            ///< significant bits; doubles hold numbers that were computed in float32
  int least_exponent = -126;  ///< of the normal numbers

  [[nodiscard]] bool is_coarse() const { return digits < 24; }

  /// Half a last bit of a number as large as this.
  [[nodiscard]] double half_unit(double value) const;
  [[nodiscard]] double rounded(double value) const;
  /// How far a number that was computed in float32, by so many roundings, and then rounded to this type may be off.
  [[nodiscard]] double noise(double value, double roundings) const;
};

/// A bias, checked. Queries and keys that are as far apart have one entry: what a function of the distance, key minus
/// query, makes of all of them has to lie in the interval of the smallest and of the largest of their values.
struct PairSample {
  SampleValues values;
  std::size_t batch = 1, heads = 1, queries = 0, keys = 0;
  std::int64_t first_query = 0;
  ResultType type;
  std::size_t distances = 0;
  std::int64_t first = 0;         ///< the smallest distance
  std::vector<double> low, high;  ///< [heads, distances]; +infinity and -infinity where all were masked
  std::int64_t last = 0;          ///< the largest distance of a key that any query sees, masked or not
  std::int64_t last_open = 0;     ///< the largest that is not masked everywhere
  bool is_exact = true;           ///< all values at a distance are the same
  /// Some values are masked though farther keys are not, which may be no mask of padding: no list has such a mask.
  bool has_holes = false;

  [[nodiscard]] bool has(std::size_t head, std::size_t c) const {
    return low[head * distances + c] <= high[head * distances + c];
  }
  [[nodiscard]] double middle(std::size_t head, std::size_t c) const {
    return (low[head * distances + c] + high[head * distances + c]) / 2;
  }
  [[nodiscard]] std::int64_t distance(std::size_t c) const { return first + static_cast<std::int64_t>(c); }
  [[nodiscard]] double at(std::size_t each, std::size_t head, std::size_t query, std::size_t key) const {
    return values[((each * heads + head) * queries + query) * keys + key];
  }
  [[nodiscard]] std::size_t key_of(std::size_t at) const { return at % keys; }
  [[nodiscard]] std::size_t query_of(std::size_t at) const { return at / keys % queries; }
  [[nodiscard]] std::size_t head_of(std::size_t at) const { return at / keys / queries % heads; }
  [[nodiscard]] std::int64_t last_query_at_last_key() const {
    return static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
  }
  /// Whether the value of any head is another one than at the distance in front; nothing where none of both is there.
  [[nodiscard]] std::optional<bool> changes_at(std::size_t c) const;
  /// Whether every value that is not masked is 0.
  [[nodiscard]] bool is_zero() const;

  /// Errors: a shape that is no bias's, dtype's word, first_query, a value that is NaN or +infinity.
  [[nodiscard]] static Expected<PairSample> make(const BiasSamples& samples);
};

}  // namespace posenc::diagnosis
