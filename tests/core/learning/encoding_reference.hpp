#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "attention/attention_reference.hpp"
#include "posenc/learning/encoding_options.hpp"
#include "posenc/learning/parameters.hpp"
#include "posenc/learning/pass.hpp"

/// One layer of attention with an encoding, by the formulas, in 113-bit arithmetic.
namespace reference {

struct EncodingProblem {
  posenc::learning::PassShape shape;    ///< of a model of which layer 1 is computed
  std::vector<std::int32_t> positions;  ///< [sequences, length]
  bool is_causal = true;
  posenc::learning::EncodingOptions options;
  posenc::learning::ParameterList list;  ///< what the encoding declares

  [[nodiscard]] std::int32_t position(std::size_t sequence, std::size_t token) const {
    return positions[sequence * shape.length + token];
  }
};

/// All that an encoding can read: x, rows, query, key, value are [sequences, length, width].
struct EncodingArguments {
  Values x, rows, query, key, value, parameters;
};

/// A query of a head, and what the formulas of its scores and values may need.
struct QueryContext {
  const EncodingProblem& problem;
  const EncodingArguments& arguments;  ///< queries and keys of it are rotated already
  std::size_t sequence, head, query;

  [[nodiscard]] std::size_t dims() const { return problem.shape.dims(); }
  /// A dimension of a token's query, key or value of this head, or of any of its `rows`.
  [[nodiscard]] Quad of(const Values& all, std::size_t token, std::size_t dimension) const {
    return all[(sequence * problem.shape.length + token) * problem.shape.width + head * dims() + dimension];
  }
  [[nodiscard]] std::int32_t position(std::size_t token) const { return problem.position(sequence, token); }
  /// The value of a parameter.
  [[nodiscard]] Quad parameter(std::string_view name, std::size_t row, std::size_t column) const;
};

/// Functions of an encoding; empty where it does nothing.
struct EncodingFormula {
  /// Added to a dimension of a token's input.
  std::function<Quad(const EncodingProblem&, const Values& parameters, std::int32_t position, std::size_t dimension)>
      input = {};
  /// The dimensions of a head's query or key, in context.
  std::function<void(const EncodingProblem&, bool is_query, std::int32_t position, std::span<Quad> dims)> rotate = {};
  /// The scores of a query for all keys, in place: they are scale * query key.
  std::function<void(const QueryContext&, std::span<Quad> scores)> scores = {};
  /// Added to a dimension of the output of a query whose weights are given.
  std::function<Quad(const QueryContext&, std::span<const Quad> weights, std::size_t dimension)> values = {};
  /// From this dimension of the input on, `input` is in place of the token's number.
  std::size_t replaced_from = std::numeric_limits<std::size_t>::max();
};

/// The encoding's input and the attention's output, each [sequences, length, width].
struct EncodingOutputs {
  Values x, output;
};

[[nodiscard]] EncodingOutputs attend(const EncodingProblem& problem, const EncodingFormula& formula,
                                     EncodingArguments arguments);

}  // namespace reference

namespace testing {

/// Checks an encoding in a layer between others against its formula, within `tolerance` of the largest value: causal or
/// not, with positions that sequences share and with others, with parameters as random numbers in [least, most], with
/// buffers for larger passes. In half of these every gradient is checked against central differences of the formula,
/// within the same.
void check_encoding(const posenc::learning::EncodingOptions& options, const reference::EncodingFormula& formula,
                    double tolerance, float least = -1, float most = 1);

}  // namespace testing
