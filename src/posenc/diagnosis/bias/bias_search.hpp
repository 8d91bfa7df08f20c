#pragma once

#include <string_view>
#include <vector>

#include "posenc/diagnosis/bias/bias_ways.hpp"
#include "posenc/diagnosis/engine/counting.hpp"

namespace posenc::diagnosis {

/// Under which conditions ways are compared: plainly, unless one is named.
struct BiasTerms {
  bool by_rows = false;   ///< up to a constant of each row
  bool any_mask = false;  ///< what is masked is not looked at
  RoundedFirst rounded = RoundedFirst::nothing;
};

/// Counts the ways that make every value of a bias.
class BiasSearch {
 public:
  BiasSearch(const PairSample& sample, const BiasExpectation& expected);

  [[nodiscard]] Diagnosis diagnose() &&;

 private:
  [[nodiscard]] bool expects(std::string_view type) const { return expected_.type == type; }
  [[nodiscard]] bool is_expected_type(std::string_view type) const;
  [[nodiscard]] std::vector<Mistake> named(std::string_view type, std::vector<Mistake> mistakes) const;
  [[nodiscard]] std::span<const float> table() const;

  /// Each listed way of a type, and pairs of changes.
  void look(std::string_view type, const BiasTerms& terms = {});
  /// The lists of all types that may be, until one explains the values.
  void look_all(const BiasTerms& terms);
  void add(const BiasNumbers& numbers, std::vector<Mistake> mistakes, const BiasResidual& residual, bool is_estimated,
           bool by_rows);
  void add_estimate(FoundBias found, std::vector<Mistake> mistakes, const BiasWay& way, const BiasResidual& residual);

  // Where nothing listed explains the values: what is estimated, in this order.
  void estimate_slopes();
  void estimate_buckets();
  void estimate_kernels();
  void estimate_factor();
  void add_any_function();

  void set_tells(Diagnosis& diagnosis) const;
  void set_departure(Diagnosis& diagnosis);

  const PairSample& sample_;
  const BiasExpectation& expected_;
  BucketLists lists_;
  Counting counting_;
  std::vector<BiasNumbers> left_;     ///< the ways that explain the values
  std::vector<std::size_t> changes_;  ///< the number of mistakes of each
};

}  // namespace posenc::diagnosis
