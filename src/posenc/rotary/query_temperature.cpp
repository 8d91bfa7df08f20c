#include "posenc/rotary/query_temperature.hpp"

#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

namespace {

/// Whole periods before a position.
double periods(const QueryTemperature& temperature, double position) {
  return std::floor((position + temperature.shift) / temperature.period);
}

/// Dimensions that are contiguous.
void multiply(float* dims, std::size_t count, float factor) {
  using Batch = xsimd::batch<float>;
  std::size_t i = 0;
  for (; i + Batch::size <= count; i += Batch::size)
    (Batch::load_unaligned(dims + i) * Batch(factor)).store_unaligned(dims + i);
  for (; i < count; ++i) dims[i] *= factor;
}

}  // namespace

Expected<bool> check_queries(const QueryTemperature& temperature, std::size_t size, const SequenceShape& shape,
                             const Positions& positions) {
  POSENC_TRY(check_ranges(temperature));
  POSENC_TRY(check_size("x", size, shape.size()));
  POSENC_TRY_LET(per_batch, shape.check_positions(positions));
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const double count = periods(temperature, positions[i]);
    const bool is_count = count >= 0 && std::isfinite(count);
    if (!is_count) return invalid_argument("positions", positions[i], expected::shifted_position);
  }
  return per_batch;
}

Expected<void> scale_queries(const QueryTemperature& temperature, std::span<float> x, const SequenceShape& shape,
                             const Positions& positions) {
  POSENC_TRY_LET(per_batch, check_queries(temperature, x.size(), shape, positions));
  for (std::size_t b = 0; b < shape.batch(); ++b)
    for (std::size_t s = 0; s < shape.sequence(); ++s) {
      const double count = periods(temperature, positions[per_batch ? b * shape.sequence() + s : s]);
      const auto factor = static_cast<float>(1 + temperature.slope * logarithm_1p(count));
      const std::size_t stride = shape.dim_stride();
      shape.for_each_run(b, s, [&](std::size_t first, std::size_t heads, std::size_t distance) {
        if (stride == 1 && distance == shape.dim()) return multiply(x.data() + first, heads * shape.dim(), factor);
        for (std::size_t head = 0; head < heads; ++head) {
          float* const dims = x.data() + first + head * distance;
          if (stride == 1) multiply(dims, shape.dim(), factor);
          for (std::size_t dimension = 0; stride != 1 && dimension < shape.dim(); ++dimension)
            dims[dimension * stride] *= factor;
        }
      });
    }
  return {};
}

}  // namespace posenc
