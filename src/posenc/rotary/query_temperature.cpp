#include "posenc/rotary/query_temperature.hpp"

#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"

namespace posenc {

namespace {

/// Whole periods before a position.
double periods(const QueryTemperature& temperature, double position) {
  return std::floor((position + temperature.shift) / temperature.period);
}

}  // namespace

Expected<bool> check_queries(const QueryTemperature& temperature, std::size_t size, const SequenceShape& shape,
                             const Positions& positions) {
  const auto& [slope, shift, period] = temperature;
  if (!std::isfinite(slope)) return wrong("slope", slope, {"a finite number"});
  if (!std::isfinite(shift)) return wrong("shift", shift, {"a finite number"});
  if (!std::isfinite(period) || !(period > 0)) return wrong("period", period, {"a finite number > 0"});
  if (auto checked = check_size("x", size, shape.size()); !checked) return error_of(checked);
  const auto per_batch = shape.check_positions(positions);
  if (!per_batch) return per_batch;
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const double count = periods(temperature, positions[i]);
    if (!(count >= 0 && std::isfinite(count)))
      return wrong("positions", positions[i], {"numbers that with the shift added are finite and >= 0"});
  }
  return per_batch;
}

Expected<void> scale_queries(const QueryTemperature& temperature, std::span<float> x, const SequenceShape& shape,
                             const Positions& positions) {
  const auto per_batch = check_queries(temperature, x.size(), shape, positions);
  if (!per_batch) return error_of(per_batch);
  for (std::size_t b = 0; b < shape.batch(); ++b)
    for (std::size_t s = 0; s < shape.sequence(); ++s) {
      const double count = periods(temperature, positions[*per_batch ? b * shape.sequence() + s : s]);
      const auto factor = static_cast<float>(1 + temperature.slope * logarithm_1p(count));
      shape.for_each_run(b, s, [&](std::size_t first, std::size_t heads, std::size_t stride) {
        for (std::size_t i = 0; i < heads * shape.dim(); ++i)
          x[first + i / shape.dim() * stride + i % shape.dim() * shape.lane_stride()] *= factor;
      });
    }
  return {};
}

}  // namespace posenc
