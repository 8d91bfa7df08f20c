#include <algorithm>
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
  SinusoidEncoding(double base, bool is_added) : base_(base), is_added_(is_added) {}

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    const std::size_t dims = dims_of(reach.shape), positions = static_cast<std::size_t>(reach.position) + 1;
    POSENC_TRY_LET(sinusoidal,
                   Sinusoidal::make({.frequencies = {.dim = static_cast<std::int64_t>(dims), .base = base_}}));
    POSENC_TRY(allocate({{table_, array_size({positions, dims})}}));
    return sinusoidal.table(Positions::range(positions), table_.span());
  }

  void encode_input(const Pass& pass, float* x) override {
    const std::size_t width = pass.shape.width, dims = dims_of(pass.shape);
    for (std::size_t row = 0; row < pass.shape.rows(); ++row, x += width) {
      const float* const encoding = table_.data() + pass.position_of(row) * dims;
      if (is_added_)
        add_row(encoding, dims, x);
      else
        std::copy_n(encoding, dims, x + width - dims);
    }
  }

  void input_gradient(const Pass& pass, float* d_x, float* /*gradients*/) override {
    if (is_added_) return;
    const std::size_t width = pass.shape.width, dims = dims_of(pass.shape);
    for (std::size_t row = 0; row < pass.shape.rows(); ++row) std::fill_n(d_x + (row + 1) * width - dims, dims, 0.0f);
  }

 private:
  [[nodiscard]] std::size_t dims_of(const PassShape& shape) const { return is_added_ ? shape.width : shape.width / 2; }

  double base_;
  bool is_added_;
  AlignedArray<float> table_;  ///< [positions, dimensions]
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_sinusoid(const EncodingOptions& options) {
  // The base is checked with one dimension; frequencies of the model's width are checked when that is known.
  POSENC_TRY(Frequencies::make({.dim = 1, .base = options.base}));
  return std::make_unique<SinusoidEncoding>(options.base, options.type == EncodingType::sinusoid);
}

}  // namespace posenc::learning
