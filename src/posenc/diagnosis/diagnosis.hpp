#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/mistake.hpp"
#include "posenc/diagnosis/sampled_tensor.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/mrope_positions.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// The certainty of a diagnosis about its first explanation.
enum class Verdict : std::uint8_t {
  certain,     ///< of all that is listed, alone and in pairs, it alone explains every value
  likely,      ///< it explains every value by numbers that were estimated, which no list has
  ambiguous,   ///< others of the list explain every value as well
  too_little,  ///< the values say nothing, as zeros do: there is no explanation
  none,        ///< nothing that is listed explains every value
};
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// The order of a table's sines and cosines: the orders of Sinusoidal, and interleaved with the cosine in front.
enum class TableOrder : std::uint8_t { interleaved, split, interleaved_cosines_first, cosines_first };
[[nodiscard]] std::string_view name_of(TableOrder order);

/// Describes what should have been done, where that is known.
struct Expectation {
  std::optional<RotaryOptions> plan = std::nullopt;  ///< `dim` counts the dimensions of the head
  std::int64_t first_dim = 0;                        ///< of those that rotate
  bool inverse = false;
  std::vector<RotaryOptions> others;        ///< plans of the model's other layers
  std::vector<std::int64_t> mrope_section;  ///< pairs an axis, where positions have several
  MropeOrder mrope_order = MropeOrder::chunked;
  /// The arithmetic of the angles. Where it is not named, float32 is as right as exact: a model's own code computes in
  /// it.
  std::optional<diagnosis::AngleArithmetic> arithmetic = std::nullopt;
  /// Angles are those of position_scale * p + first_position.
  double first_position = 0, position_scale = 1;
  /// A sinusoidal table has these beside the plan's dim, base, exponent and exponent_dim.
  TableOrder arrangement = TableOrder::interleaved;
  double amplitude = 1;
  bool padding_row = false;
  bool zero_column = false;  ///< the last of an odd number of columns is zeros
};

/// The positions that tokens have, where they are not those given: read back from the rotations of each.
struct FoundPositions {
  std::vector<double> values;  ///< [axes, tokens]; empty: those given
  std::vector<std::int64_t>
      tokens;         ///< where the pattern shows: where documents begin, from which on something is added
  double amount = 0;  ///< the modulus, the bound, what is added, or the position of all
};

/// A rotation that was found.
struct FoundRotation {
  diagnosis::RotationHypothesis
      hypothesis;  ///< of the rotated dimensions; its plan has a layout, dim is the head's and rotary_dim is set
  std::int64_t first_dim = 0;  ///< where these start
  Layout reads = Layout::half,
         writes = Layout::half;  ///< half or interleaved; where they differ dimensions are permuted
  /// Axes of the positions that pairs take, where there are several; order and sections as mrope() takes them.
  std::vector<std::int64_t> mrope_section;
  MropeOrder mrope_order = MropeOrder::chunked;
  std::vector<std::int64_t> axis_of_pair;  ///< empty where there is one axis
  FoundPositions positions = {};
  /// The form of a cache, else empty: CacheForm's "onnx" (a value a pair), "huggingface" (all pairs, and all again),
  /// "huggingface-interleaved" (each pair twice in a row); or of one array "ggml" (cosine, sine, cosine, ...),
  /// "ggml-sines-first", "joined" (cosines, then sines), "joined-sines-first".
  std::string_view form = {};
};

struct FoundSinusoid {
  diagnosis::RotationHypothesis hypothesis;
  TableOrder arrangement = TableOrder::interleaved;
  double amplitude = 1;      ///< beside the hypothesis's factor, which is 1
  bool padding_row = false;  ///< one row is zeros: that of a padding token
  bool zero_column = false;  ///< the last column, of an odd number, is zeros and not a sine
  FoundPositions positions = {};
};

struct FoundFrequencies {
  diagnosis::RotationHypothesis hypothesis;
  std::string_view unit = "radians";  ///< "radians" | "wavelengths" (2 pi / frequency) | "reciprocals"
};

/// A bias of distance, key minus query.
struct FoundBias {
  std::string_view type;         ///< "alibi" | "t5" | "kerple-log" | "kerple-power" | "clipped" | "linear" | "toeplitz"
  bool causal = false;           ///< values beyond the query were masked or are not there
  bool up_to_rows = false;       ///< only up to a constant of each row, which softmax does not see
  std::int64_t first_query = 0;  ///< its position, by the values
  std::vector<double> slopes;    ///< of ALiBi and linear ones, a head each: what -|distance| is multiplied by
  /// ALiBi and linear biases have one of these where there are keys after the query: "symmetric" | "linear" (slope *
  /// distance) | "flat" (these keys have 0).
  std::string_view distance = {};
  /// ALiBi's rule: "paper" | "mpt" | "geometric" (2^(-steepness h / heads) for any number of heads).
  std::string_view slope_rule = {};
  std::int64_t rule_heads = 0, rule_first = 0;  ///< of how many heads the slopes are, and from which on
  std::int64_t rule_period = 0;                 ///< after how many heads they begin again; 0: they do not
  double steepness = 8;                         ///< of ALiBi
  double factor = 1;                            ///< of ALiBi: what the rule's slopes are multiplied by
  std::vector<double> parameters;  ///< KERPLE: [heads, 2]; clipped: [max distance]; T5: [buckets, max distance]
  bool bidirectional = false;      ///< of T5
  bool negative = false;           ///< the other way round: the sign of the values; of T5, of the distance
};

/// Ids of tokens: the preset of mrope_positions that makes them.
struct FoundIds {
  std::string preset;
  MropeTime time = MropeTime::index;                       ///< the preset's, or what was done in its place
  MropeNext next = MropeNext::past_maximum;                ///< likewise
  std::optional<double> tokens_per_second = std::nullopt;  ///< where time is in seconds
  double offset = 0;                                       ///< what was added to all
  /// Which of the preset's axes each axis of the ids has, -1: the index of the token (that of text).
  std::vector<std::int64_t> axes;
  FoundPositions positions = {};  ///< those given, where they follow a pattern
};

/// Options of one of the library's functions by which it makes the numbers, in JavaScript's words, and words of what no
/// option says.
using MadeValue = std::variant<double, bool, std::string_view, std::vector<double>>;
struct MadeOption {
  std::string_view name;
  MadeValue value;
};
struct FoundMade {
  std::string_view function;  ///< "rotaryGrid" | "sinusoidalGrid" | "t5" | "swinBias" | "swinIndex"
  std::vector<MadeOption> options = {};
};

struct Explanation {
  std::variant<FoundRotation, FoundSinusoid, FoundFrequencies, FoundBias, FoundIds, FoundMade> found;
  std::vector<Mistake> mistakes;
  double ulps = 0;   ///< the largest residual, in units in the last place of values as large as the rotated pairs
  double units = 0;  ///< the same, in what the supposed arithmetic could cause
  /// The remedy, where something was expected. Where a permutation of dimensions mends it: dimension i has to be what
  /// is dimension dimensions[i] now. With Mistake::permuted, when the right pairs were rotated and written elsewhere,
  /// these are dimensions of the output: right[i] = wrong[dimensions[i]]. With other pairs (`dims_before`:
  /// Mistake::layout, Mistake::first_dim, weights permuted too often) they are dimensions of what is rotated, each
  /// head's rows of W_q and W_k: with row i taken from row dimensions[i] the code as it is gives the right scores, its
  /// outputs having the dimensions of its own layout.
  std::vector<std::int64_t> dims;
  bool dims_before = false;
  double factor = 1;  ///< what the wrong output is multiplied by
  double shift = 0;   ///< what its positions should have had added
  double scale = 1;   ///< what its positions should have been multiplied by
};

/// Where numbers are not what was expected: indices in order. Empty where nothing was expected, or all departs.
struct Departure {
  std::vector<std::int64_t> tokens, heads, pairs;
  std::int64_t of_tokens = 0;
};

struct Diagnosis {
  Verdict verdict = Verdict::none;
  std::vector<Explanation> explanations;  ///< the best first
  /// Positions (distances, of a bias; a grid's extents) at which the explanations that are left differ by more than the
  /// noise.
  std::vector<double> next;
  /// What else would tell them apart: "axes" (positions whose axes differ), "inputs" (pairs that are not zeros),
  /// "sequence-axis" (its name), "keys" (keys after the query), "grid" (that of `next`), "segments" (text, pictures and
  /// videos, one after the other).
  std::vector<std::string_view> tells;
  std::string_view dtype = "float32";  ///< whose roundings explain the values: as given, or as found
  Departure departure;                 ///< of rotations that nothing explains
  /// Vectors of three axes or more have the axis that was taken for the sequence, then those that could be as well.
  std::vector<std::int64_t> sequence_axes;
  std::vector<std::int64_t> axes;  ///< of rotations: which axis is the sequence's and which the dimensions', as found
  /// Where positions were read back from the values: those up to this one, of either sign, were looked for.
  double read_to = 0;
};

}  // namespace posenc
