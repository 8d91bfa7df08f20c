#include "posenc/diagnosis/bias/pair_sample.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::diagnosis {
namespace {

constexpr double no_value = std::numeric_limits<double>::infinity();

constexpr std::array<ResultType, 4> result_types{
    {{"float64", 24, -126}, {"float32", 24, -126}, {"float16", 11, -14}, {"bfloat16", 8, -126}}};

Expected<void> read_extents(const BiasSamples& samples, PairSample& sample) {
  const auto& shape = samples.bias.shape;
  if (shape.size() < 2)
    return invalid_argument("bias.shape", static_cast<double>(shape.size()),
                            {"[.., heads, queries, keys] or [queries, keys]"});
  const std::array<std::size_t*, 3> parts{&sample.keys, &sample.queries, &sample.heads};
  for (std::size_t behind = 0; behind < shape.size(); ++behind) {
    const std::int64_t extent = shape[shape.size() - 1 - behind];
    POSENC_TRY(check_whole("bias.shape", extent, 1, behind == 2 ? max_heads : max_positions));
    std::size_t& part = behind < 3 ? *parts[behind] : sample.batch;
    part = static_cast<std::size_t>(extent) * (behind < 3 ? 1 : part);
  }
  return check_extents("bias.data", samples.bias.values.size(),
                       {sample.batch, sample.heads, sample.queries, sample.keys});
}

Expected<void> read_values(PairSample& sample) {
  sample.low.assign(sample.heads * sample.distances, no_value);
  sample.high.assign(sample.heads * sample.distances, -no_value);
  std::size_t at = 0;
  for (std::size_t each = 0; each < sample.batch * sample.heads; ++each)
    for (std::size_t query = 0; query < sample.queries; ++query) {
      std::size_t c = each % sample.heads * sample.distances + sample.queries - 1 - query;
      for (std::size_t key = 0; key < sample.keys; ++key, ++at, ++c) {
        const double value = sample.values[at];
        if (std::isnan(value) || value == no_value)
          return invalid_argument("bias.data[" + decimal(at) + "]", value, {"a number, or -infinity as a mask"});
        if (is_masked(value)) continue;
        sample.low[c] = std::min(sample.low[c], value);
        sample.high[c] = std::max(sample.high[c], value);
      }
    }
  return {};
}

/// Finds what is open: keys that none of several queries sees are padding, which says nothing.
void read_mask(PairSample& sample) {
  sample.last_open = sample.first - 1;
  for (std::size_t c = 0; c < sample.distances; ++c)
    for (std::size_t head = 0; head < sample.heads; ++head)
      if (sample.has(head, c)) {
        sample.last_open = sample.distance(c);
        sample.is_exact &= sample.low[head * sample.distances + c] == sample.high[head * sample.distances + c];
      }
  const std::size_t size = sample.queries * sample.keys;
  sample.last = sample.queries == 1 ? sample.distance(sample.distances - 1) : sample.first;
  for (std::size_t start = 0; start < sample.values.size(); start += size)
    for (std::size_t key = 0; key < sample.keys; ++key) {
      bool is_seen = false, is_hidden = false;
      for (std::size_t query = 0; query < sample.queries; ++query) {
        const bool is_hole = is_masked(sample.values[start + query * sample.keys + key]);
        is_seen |= !is_hole;
        is_hidden |= is_hole && sample.distance(sample.queries - 1 - query + key) <= sample.last_open;
      }
      sample.has_holes |= is_hidden && (is_seen || sample.queries == 1);
      if (is_seen) sample.last = std::max(sample.last, sample.distance(sample.queries - 1 + key));
    }
}

/// Errors: another type's name.
Expected<ResultType> result_type_of(const SampledTensor& tensor) {
  const std::string name = tensor.dtype ? *tensor.dtype : std::string(tensor.values.type_name());
  const auto* const found = std::ranges::find(result_types, std::string_view(name), &ResultType::name);
  if (found != result_types.end()) return *found;
  return invalid_argument("bias.dtype", name, {R"("float64", "float32", "float16" or "bfloat16")"});
}

}  // namespace

double ResultType::half_unit(double value) const {
  const int exponent = value == 0 ? least_exponent : std::max(std::ilogb(value), least_exponent);
  return std::ldexp(1.0, exponent - digits);
}

double ResultType::rounded(double value) const {
  if (!std::isfinite(value)) return value;
  const double unit = 2 * half_unit(value);
  return std::nearbyint(value / unit) * unit;
}

double ResultType::noise(double value, double roundings) const {
  return half_unit(value) + roundings * 0x1p-24 * std::fabs(value);
}

std::optional<bool> PairSample::changes_at(std::size_t c) const {
  std::optional<bool> changes;
  for (std::size_t head = 0; head < heads; ++head)
    if (has(head, c) && has(head, c - 1)) changes = changes.value_or(false) || middle(head, c) != middle(head, c - 1);
  return changes;
}

bool PairSample::is_zero() const {
  for (std::size_t at = 0; at < low.size(); ++at)
    if (low[at] <= high[at] && (low[at] != 0 || high[at] != 0)) return false;
  return true;
}

Expected<PairSample> PairSample::make(const BiasSamples& samples) {
  PairSample sample;
  sample.values = samples.bias.values;
  POSENC_TRY(read_extents(samples, sample));
  sample.first_query = samples.first_query.value_or(sample.last_query_at_last_key());
  POSENC_TRY(check_whole("firstQuery", sample.first_query, -max_positions, max_positions));
  POSENC_TRY_LET(type, result_type_of(samples.bias));
  sample.type = type;
  sample.distances = sample.queries + sample.keys - 1;
  sample.first = -(sample.first_query + static_cast<std::int64_t>(sample.queries) - 1);
  POSENC_TRY(read_values(sample));
  read_mask(sample);
  return sample;
}

}  // namespace posenc::diagnosis
