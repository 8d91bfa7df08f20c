#include "posenc/relative/fire.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/relative/diagonal_rows.hpp"

namespace posenc {
namespace {

double divisor(const FireOptions& options, double query_position) {
  return logarithm_1p(std::fabs(options.c * std::fmax(query_position, options.threshold))) + options.epsilon;
}

Expected<void> check_options(const FireOptions& options, std::size_t heads) {
  if (!(std::fabs(options.c) <= 1e100)) return wrong("c", options.c, {"a number of at most 1e100"});
  const bool reachable = options.threshold > 0 && options.threshold <= 1e100;
  if (!reachable) return wrong("threshold", options.threshold, {"a number > 0, at most 1e100"});
  if (!(options.epsilon >= 0) || !std::isfinite(options.epsilon))
    return wrong("epsilon", options.epsilon, {"a finite number >= 0"});
  if (divisor(options, 0) == 0) return wrong("epsilon", options.epsilon, {"a number > 0 where c is 0"});
  return options.perceptron.check(1, heads);
}

/// What both forms need: ln(|c d| + 1) of each distance, and the hidden layer's memory.
class Fire {
 public:
  static Expected<Fire> make(const FireOptions& options, const RelativePositions& positions) {
    if (auto checked = check_options(options, positions.heads()); !checked) return std::unexpected(checked.error());
    auto logarithms = AlignedArray<double>::make(positions.distances());
    if (!logarithms) return std::unexpected(logarithms.error());
    auto hidden = AlignedArray<double>::make(options.perceptron.bias1.size());
    if (!hidden) return std::unexpected(hidden.error());
    for (std::size_t c = 0; c < logarithms->size(); ++c)
      (*logarithms)[c] = logarithm_1p(std::fabs(options.c * static_cast<double>(positions.distance(c))));
    return Fire(options, positions, std::move(*logarithms), std::move(*hidden));
  }

  /// Writes `count` adjacent entries from index c of the compact form on, head by head, `stride` apart.
  void write(std::size_t c, std::size_t count, double divisor, Future future, float* out, std::size_t stride) {
    for (std::size_t j = 0; j < count; ++j) {
      const double x = logarithms_[c + j] / divisor;
      options_->perceptron.activate({&x, 1}, hidden_.span());
      const bool masked = future == Future::mask && positions_->distance(c + j) > 0;
      for (std::size_t h = 0; h < positions_->heads(); ++h)
        out[h * stride + j] = masked ? -std::numeric_limits<float>::infinity()
                                     : static_cast<float>(options_->perceptron.output(hidden_.span(), h));
    }
  }

 private:
  Fire(const FireOptions& options, const RelativePositions& positions, AlignedArray<double> logarithms,
       AlignedArray<double> hidden)
      : options_(&options), positions_(&positions), logarithms_(std::move(logarithms)), hidden_(std::move(hidden)) {}

  const FireOptions* options_;
  const RelativePositions* positions_;
  AlignedArray<double> logarithms_, hidden_;
};

/// How many of the first queries are at the threshold or before it: the divisor of all of them is the same.
std::size_t near_queries(const FireOptions& options, const RelativePositions& positions) {
  std::size_t near = 0;
  while (near < positions.queries() && static_cast<double>(positions.query_position(near)) <= options.threshold) ++near;
  return near;
}

/// The rows of these queries, which are slices of one line a head.
Expected<void> write_near_rows(Fire& fire, const FireOptions& options, const RelativePositions& positions,
                               std::size_t near, Future future, std::span<float> out) {
  if (near == 0) return {};
  const std::size_t keys = positions.keys();
  const std::size_t length = near + keys - 1;
  auto rows = DiagonalRows::make(keys, 1, out.size());
  if (!rows) return std::unexpected(rows.error());
  auto lines = AlignedArray<float>::make(positions.heads() * length);
  if (!lines) return std::unexpected(lines.error());
  fire.write(positions.compact_row(near - 1), length, divisor(options, 0), future, lines->data(), length);
  for (std::size_t h = 0; h < positions.heads(); ++h)
    rows->write(lines->data() + h * length + near - 1, near, out.data() + h * positions.queries() * keys);
  return {};
}

}  // namespace

Expected<void> fire_bias(const FireOptions& options, const RelativePositions& positions, Future future,
                         std::span<float> out) {
  const std::size_t keys = positions.keys();
  if (auto checked = check_extents("out", out.size(), {positions.heads(), positions.queries(), keys}); !checked)
    return checked;
  auto fire = Fire::make(options, positions);
  if (!fire) return std::unexpected(fire.error());
  if (out.empty()) return {};
  const std::size_t near = near_queries(options, positions);
  if (auto written = write_near_rows(*fire, options, positions, near, future, out); !written) return written;
  for (std::size_t i = near; i < positions.queries(); ++i)
    fire->write(positions.compact_row(i), keys, divisor(options, static_cast<double>(positions.query_position(i))),
                future, out.data() + i * keys, positions.queries() * keys);
  return {};
}

Expected<void> fire_bias_compact(const FireOptions& options, const RelativePositions& positions, Future future,
                                 std::span<float> out) {
  const std::size_t distances = positions.distances();
  if (auto checked = check_size("out", out.size(), positions.heads(), distances); !checked) return checked;
  auto fire = Fire::make(options, positions);
  if (!fire) return std::unexpected(fire.error());
  if (distances == 0) return {};
  if (static_cast<double>(positions.query_position(positions.queries() - 1)) > options.threshold)
    return wrong("queryOffset", static_cast<double>(positions.query_position(0)),
                 {"queries up to the threshold; beyond it only the full form serves"});
  fire->write(0, distances, divisor(options, 0), future, out.data(), distances);
  return {};
}

}  // namespace posenc
