#include <cstddef>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/relative/kernels/row_steps.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc::learning {
namespace {

class SinusoidEncoding final : public Encoding {
 public:
  explicit SinusoidEncoding(double base) : base_(base) {}

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    const std::size_t width = reach.shape.width, positions = static_cast<std::size_t>(reach.position) + 1;
    POSENC_TRY_LET(sinusoidal,
                   Sinusoidal::make({.frequencies = {.dim = static_cast<std::int64_t>(width), .base = base_}}));
    POSENC_TRY(allocate({{table_, array_size({positions, width})}}));
    return sinusoidal.table(Positions::range(positions), table_.span());
  }

  void add_to_input(const Pass& pass, float* x) override {
    const std::size_t width = pass.shape.width;
    for (std::size_t row = 0; row < pass.shape.rows(); ++row, x += width)
      add_row(table_.data() + pass.position_of(row) * width, width, x);
  }

 private:
  double base_;
  AlignedArray<float> table_;  ///< [positions, width]
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_sinusoid(const EncodingOptions& options) {
  // The base is checked with one dimension; frequencies of the model's width are checked when that is known.
  POSENC_TRY(Frequencies::make({.dim = 1, .base = options.base}));
  return std::make_unique<SinusoidEncoding>(options.base);
}

}  // namespace posenc::learning
