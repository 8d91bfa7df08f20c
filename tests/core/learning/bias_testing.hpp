#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "learning/encoding_reference.hpp"

namespace testing {

/// Parameters are random numbers in here.
struct ParameterRange {
  float least = -1, most = 1;
};

/// A pass through an encoding that adds a bias to scores and does nothing else.
struct BiasCase {
  posenc::learning::EncodingOptions options;
  posenc::learning::PassShape shape;    ///< with a width that counts for nothing
  std::vector<std::int32_t> positions;  ///< [sequences, length], or [length] where they are shared
  bool is_causal = true;
  ParameterRange range;
  std::vector<std::pair<std::string_view, float>> given = {};  ///< parameters of one value that are not random
};

/// Applies an encoding to it; 0 where masked.
struct BiasOutputs {
  std::vector<float> bias;  ///< [sequences, heads, length, length], the same in all layers
  std::vector<float> d_parameters;
};

/// The bias, and the gradient of parameters from random gradients of the scores of all layers, both by the encoding,
/// which has buffers for larger passes, but for the last position and no more. `formula` adds the bias to scores.
/// Checks both against it: the bias within `tolerance` of the largest value, the gradient within `gradient_tolerance`
/// of the largest.
BiasOutputs check_bias(const BiasCase& problem, const reference::EncodingFormula& formula, double tolerance,
                       double gradient_tolerance);

/// Values of a slow function, kept for as long as it is given the same besides the key.
template <class Key>
class Remembered {
 public:
  template <class Make>
  reference::Quad of(const reference::Values& given, const Key& key, const Make& make) {
    if (given != given_) {
      values_.clear();
      given_ = given;
    }
    const auto [found, is_new] = values_.try_emplace(key);
    if (is_new) found->second = make();
    return found->second;
  }

 private:
  reference::Values given_;
  std::map<Key, reference::Quad> values_;
};

/// A bias depends on these besides the head, the parameters, the number of heads, and whether a pass is causal.
enum class BiasOf : std::uint8_t { distance, distance_and_query };

/// A formula that adds add(context, distance) to each score, called once for each value of what it depends on. For one
/// set of options.
template <class Add>
[[nodiscard]] reference::EncodingFormula bias_formula(BiasOf of, const Add& add) {
  using Key = std::array<std::int64_t, 3>;
  reference::EncodingFormula formula;
  formula.scores = [of, add, known = std::make_shared<Remembered<Key>>()](const reference::QueryContext& context,
                                                                          std::span<reference::Quad> scores) {
    reference::Values given = context.arguments.parameters;
    given.push_back(context.problem.is_causal ? 1 : 0);
    given.push_back(static_cast<reference::Quad>(context.problem.shape.heads));
    const std::int32_t position = context.position(context.query);
    for (std::size_t key = 0; key < scores.size(); ++key) {
      const std::int32_t distance = context.position(key) - position;
      scores[key] +=
          known->of(given, {static_cast<std::int64_t>(context.head), of == BiasOf::distance ? 0 : position, distance},
                    [&] { return add(context, distance); });
    }
  };
  return formula;
}

/// Calls add(context, |distance|) in its place.
template <class Add>
[[nodiscard]] reference::EncodingFormula size_formula(BiasOf of, const Add& add) {
  return bias_formula(of, [add](const reference::QueryContext& context, std::int32_t distance) {
    return add(context, static_cast<reference::Quad>(distance < 0 ? -distance : distance));
  });
}

}  // namespace testing
