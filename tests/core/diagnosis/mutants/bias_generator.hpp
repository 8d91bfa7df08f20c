#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "testing/testing.hpp"

/// Biases as implementations make them, by formulas of its own in long double.
namespace bias_generator {

using Real = long double;

/// Nearest value of a type.
inline double rounded(Real value, const std::string& dtype) {
  if (value == 0 || !std::isfinite(value)) return static_cast<double>(value);
  const int digits = dtype == "bfloat16" ? 8 : dtype == "float16" ? 11 : dtype == "float32" ? 24 : 53;
  int exponent = 0;
  const Real mantissa = std::frexp(value, &exponent);
  return static_cast<double>(std::ldexp(std::nearbyint(std::ldexp(mantissa, digits)), exponent - digits));
}

/// The exponents of ALiBi's slopes, by the recursion of the authors, by MPT's sorting, or by one series.
inline std::vector<Real> exponents(const std::string& rule, std::size_t heads, Real steepness) {
  std::size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  std::vector<Real> made;
  if (rule == "geometric") {
    for (std::size_t h = 1; h <= heads; ++h)
      made.push_back(steepness * static_cast<Real>(h) / static_cast<Real>(heads));
  } else if (rule == "mpt" && power != heads) {
    for (const std::size_t start : {2u, 1u})
      for (std::size_t h = start; h <= 2 * power && made.size() < heads; h += 2)
        made.push_back(steepness * static_cast<Real>(h) / static_cast<Real>(2 * power));
  } else {
    for (std::size_t h = 1; h <= power; ++h)
      made.push_back(steepness * static_cast<Real>(h) / static_cast<Real>(power));
    for (std::size_t h = 1; made.size() < heads; h += 2)
      made.push_back(steepness * static_cast<Real>(h) / static_cast<Real>(2 * power));
  }
  return made;
}

/// A matrix, [heads, queries, keys], of value(head, key - query) with queries from `first_query` on.
struct Matrix {
  std::int64_t heads = 1, queries = 24, keys = 40;
  std::string dtype = "float32";
  std::int64_t first_query = 16;  ///< where the queries are
  std::int64_t bias_query = 16;   ///< where the bias has them
  bool masked = false;            ///< keys after the query
  Real mask = -std::numeric_limits<Real>::infinity();

  template <class Value>
  [[nodiscard]] std::vector<double> values(const Value& value) const {
    // Each distance once: key - query from key 0 and the last query on.
    std::vector<double> out, line(static_cast<std::size_t>(queries + keys - 1));
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::size_t c = 0; c < line.size(); ++c)
        line[c] =
            rounded(value(static_cast<std::size_t>(h), static_cast<std::int64_t>(c) + 1 - queries - bias_query), dtype);
      for (std::int64_t i = 0; i < queries; ++i)
        for (std::int64_t j = 0; j < keys; ++j)
          out.push_back(masked && j > first_query + i ? static_cast<double>(mask)
                                                      : line[static_cast<std::size_t>(j - i + queries - 1)]);
    }
    return out;
  }

  [[nodiscard]] posenc::BiasSamples samples(const std::vector<double>& values) const {
    return {{values, {heads, queries, keys}, dtype}, first_query};
  }
};

/// T5's buckets by the formula of transformers, logarithms in long double; equality within 1e-12 counts as reached.
inline std::int64_t t5_bucket(std::int64_t distance, std::int64_t buckets, std::int64_t max_distance,
                              bool bidirectional) {
  std::int64_t first = 0, n = buckets;
  if (bidirectional) {
    n /= 2;
    if (distance > 0) first = n;
    distance = distance < 0 ? -distance : distance;
  } else {
    distance = distance < 0 ? -distance : 0;
  }
  const std::int64_t exact = n / 2;
  if (distance < exact) return first + distance;
  const Real ratio = std::log(static_cast<Real>(distance) / static_cast<Real>(exact)) /
                     std::log(static_cast<Real>(max_distance) / static_cast<Real>(exact));
  const auto large = exact + static_cast<std::int64_t>(std::floor(ratio * static_cast<Real>(n - exact) + 1e-12L));
  return first + (large < n - 1 ? large : n - 1);
}

/// The learned value of a bucket and head, about as large as trained ones are.
inline Real learned(std::uint32_t seed, std::size_t head, std::int64_t bucket) {
  testing::Generator generator(seed + 977 * static_cast<std::uint32_t>(head) +
                               31 * static_cast<std::uint32_t>(bucket + 1000));
  (void)generator.next();
  return 4 * static_cast<Real>(generator.fraction()) + static_cast<Real>(generator.fraction()) / 512;
}

}  // namespace bias_generator
