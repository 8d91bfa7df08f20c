#include "posenc/relative/cope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"

namespace posenc {
namespace {

Expected<void> check_inputs(const RelativePositions& positions, const CopeInputs& in, std::size_t bias,
                            std::size_t counts) {
  const std::size_t heads = positions.heads();
  const std::size_t queries = positions.queries();
  const std::size_t keys = positions.keys();
  if (in.dim == 0 || in.embedding.empty() || in.embedding.size() % in.dim != 0)
    return wrong("embedding", static_cast<double>(in.embedding.size()), {"a multiple of dim (", decimal(in.dim), ")"});
  for (auto&& checked :
       {check_extents("query", in.query.size(), {heads, queries, in.dim}),
        check_extents("logits", in.logits.size(), {heads, queries, keys}),
        check_extents("bias", bias, {heads, queries, keys}), check_extents("counts", counts, {heads, queries, keys})})
    if (!checked) return checked;
  const auto nan = std::ranges::find_if(in.logits, [](float logit) { return std::isnan(logit); });
  if (nan != in.logits.end()) return wrong("logits", static_cast<double>(*nan), {"numbers, or infinities"});
  return {};
}

/// Between the scores of the two positions next to `position`.
double interpolated(std::span<const double> scores, double position) {
  const double lower = std::floor(position);
  const auto index = static_cast<std::size_t>(lower);
  const double share = position - lower;
  return share == 0 ? scores[index] : scores[index + 1] * share + scores[index] * (1 - share);
}

}  // namespace

Expected<void> cope_bias(const RelativePositions& positions, const CopeInputs& in, std::span<float> bias,
                         std::span<float> counts) {
  if (auto checked = check_inputs(positions, in, bias.size(), counts.size()); !checked) return checked;
  const std::size_t keys = positions.keys();
  auto scores = AlignedArray<double>::make(in.embedding.size() / in.dim);
  if (!scores) return std::unexpected(scores.error());
  const auto most = static_cast<double>(scores->size() - 1);
  for (std::size_t at = 0; at < positions.heads() * positions.queries(); ++at) {
    for (std::size_t p = 0; p < scores->size(); ++p)
      (*scores)[p] = dot(in.query.data() + at * in.dim, in.embedding.data() + p * in.dim, in.dim);
    const std::size_t seen = in.future == Future::mask ? positions.keys_up_to(at % positions.queries()) : keys;
    double sum = 0;
    for (std::size_t j = keys; j-- > 0;) {
      const std::size_t to = at * keys + j;
      if (j < seen) sum += sigmoid(static_cast<double>(in.logits[to]));
      const double position = std::fmin(sum, most);
      counts[to] = static_cast<float>(position);
      bias[to] = j < seen ? static_cast<float>(interpolated(scores->span(), position))
                          : -std::numeric_limits<float>::infinity();
    }
  }
  return {};
}

}  // namespace posenc
