#pragma once

#include <string_view>
#include <vector>

#include "posenc/diagnosis/bias/bias_ways.hpp"
#include "posenc/diagnosis/engine/counting.hpp"

namespace posenc::diagnosis {

/// Counts the ways that make every value of a bias.
class BiasSearch {
 public:
  BiasSearch(const PairSample& sample, const BiasExpectation& expected);

  [[nodiscard]] Diagnosis diagnose() &&;

 private:
  /// How ways are compared.
  enum class Terms : std::uint8_t {
    plain,
    by_rows,   ///< up to a constant of each row
    any_mask,  ///< what is masked is not looked at
    products,  ///< of slopes with keys and with queries, rounded apart
  };

  [[nodiscard]] bool expects(std::string_view type) const { return expected_.type == type; }
  [[nodiscard]] bool is_learned() const;
  [[nodiscard]] std::vector<Mistake> named(std::string_view type, std::vector<Mistake> mistakes) const;

  void search();
  /// Each listed way of a type, and pairs of changes.
  void look(std::string_view type, Terms terms = Terms::plain);
  /// The lists of all types that may be, until one explains the values.
  void look_all(Terms terms);
  void add(const BiasNumbers& numbers, std::vector<Mistake> mistakes, const BiasResidual& residual,
           bool by_rows = false);
  [[nodiscard]] bool explains_head(const BiasWay& way, std::size_t head);
  bool add_estimate(const BiasWay& way, std::vector<Mistake> mistakes, double slack);

  // Where nothing listed explains the values: what is estimated, in this order.
  void estimate_numbers();
  void estimate_slopes();
  void estimate_buckets();
  void estimate_kernels();
  void add_any_function();

  void set_tells(Diagnosis& diagnosis) const;
  [[nodiscard]] Departure departure();

  const PairSample& sample_;
  const BiasExpectation& expected_;
  BiasSource source_;
  Counting counting_;
  std::vector<BiasNumbers> left_;     ///< the ways that explain the values
  std::vector<std::size_t> changes_;  ///< the number of mistakes of each
};

}  // namespace posenc::diagnosis
