#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc {

/// A bias [.., heads, queries, keys] or [queries, keys], the same for every leading index; -infinity and numbers up to
/// -9984, which is -10000 in bfloat16, are a mask. `first_query` is the position of the first query, keys start at 0;
/// by default the last query is at the last key.
struct BiasSamples {
  SampledTensor bias;
  std::optional<std::int64_t> first_query = std::nullopt;
};

/// A window of patches, numbered row by row: two extents, height and width, or three, depth in front of them.
struct WindowExpectation {
  std::vector<std::int64_t> extents;
  bool class_token = false;  ///< one token before the patches, with three rows of the table of its own
};

/// The bias that was expected. Members that its type does not have are ignored.
struct BiasExpectation {
  /// "alibi" | "t5" | "clipped" | "kerple-log" | "kerple-power" | "swin"; empty: nothing was expected.
  std::string type;
  std::string slopes = "paper";                      ///< of ALiBi: "paper" | "mpt"
  double steepness = 8;                              ///< of ALiBi
  std::string distance = "symmetric";                ///< of ALiBi: "symmetric" | "linear"
  std::optional<std::int64_t> heads = std::nullopt;  ///< of the model, where the bias has those of one device
  std::int64_t first_head = 0;                       ///< which of them is the bias's first
  std::int64_t buckets = 32, max_distance = 128;     ///< of T5; clipped ones have max_distance
  bool bidirectional = true;                         ///< of T5
  bool causal = false;                               ///< keys after the query are masked
  std::span<const float> table = {};                 ///< of T5 and Swin: [rows, heads]; T5's may be unknown
  std::vector<double> parameters = {};               ///< of KERPLE: [heads, 2], r1 and r2; they may be unknown
  WindowExpectation window = {};                     ///< of Swin
};

/// Finds which bias a matrix is, by counting the computations that make every value of it: the expected one, each known
/// mistake alone and each pair of them, and other values of each option. ALiBi, KERPLE of given parameters, T5's bias
/// of a given table and Swin's are compared number by number; T5's without a table and clipped distances, whose values
/// are learned, by where values change. What adds a constant to each row, which softmax does not see, is
/// FoundBias::up_to_rows. Where nothing listed explains all values, numbers are estimated: a factor, ALiBi's steepness,
/// KERPLE's parameters, T5's largest distance, any slopes ("linear"), any function of the distance ("toeplitz"). Zeros
/// tell too little. Errors: a shape that is no bias's, sizes, a value that is NaN or +infinity, dtype's word,
/// first_query beyond +-max_positions; type, slopes, distance, steepness, heads, buckets, max_distance, parameters,
/// table and window of what was expected; memory.
[[nodiscard]] Expected<Diagnosis> diagnose_bias(const BiasSamples& samples, const BiasExpectation& expected);

/// Finds what the ids of pairs of tokens in a window are, [.., tokens, tokens]. Errors: a shape or a window that they
/// do not fit.
[[nodiscard]] Expected<Diagnosis> diagnose_window_ids(const SampledTensor& ids, const WindowExpectation& expected);

}  // namespace posenc
