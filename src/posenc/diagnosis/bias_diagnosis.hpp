#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

/// The bias that was expected. Members that its type does not have are ignored.
struct BiasExpectation {
  std::string type;                                  ///< as FoundBias::type; empty: nothing was expected
  std::string slopes = "paper";                      ///< of ALiBi: "paper" | "mpt"
  double steepness = 8;                              ///< of ALiBi
  std::string distance = "symmetric";                ///< of ALiBi: "symmetric" | "linear"
  std::optional<std::int64_t> heads = std::nullopt;  ///< of the model, where the bias has those of one device
  std::int64_t first_head = 0;                       ///< which of them is the bias's first
  std::int64_t buckets = 32, max_distance = 128;     ///< of T5; clipped ones have max_distance
  bool bidirectional = true;                         ///< of T5
  bool causal = false;                               ///< keys after the query are masked
};

/// Finds which bias of distance a matrix is. Values that are a function of key - query are looked at once a distance,
/// all of them; where only differences within a row are such a function (slope * key position), softmax does not see
/// the rest: FoundBias::up_to_rows. Families: ALiBi, by the rules and numbers of heads that implementations mix up;
/// T5's buckets and clipped distances, whose values are learned, by where they change; both KERPLE kernels, fitted;
/// "linear" has slopes of no rule, "toeplitz" is any other function of the distance, and never certain. Zeros all over
/// are "linear", never certain. Nothing else is explained. Errors: a shape that is no bias's, sizes, a value that is
/// NaN or +infinity, dtype's word, first_query beyond +-max_positions; type, slopes, distance, steepness, heads,
/// buckets and max_distance of what was expected; memory.
[[nodiscard]] Expected<Diagnosis> diagnose_bias(const BiasSamples& samples, const BiasExpectation& expected);

}  // namespace posenc
