#include <cstddef>
#include <cstdint>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/relative/kernels/row_steps.hpp"

namespace posenc::learning {
namespace {

/// With at most as many dimensions, the number of values fits into a size of 32 bits.
constexpr std::int64_t most_learned_rows = 65535;

class LearnedEncoding final : public Encoding {
 public:
  explicit LearnedEncoding(std::int64_t rows) : rows_(rows) {}

  void declare(const PassShape& model, ParameterList& list) override {
    first_ = list.declare("positions", static_cast<std::size_t>(rows_), model.width, {0, 0.5});
  }

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    if (reach.position < rows_) return {};
    return invalid_argument("rows", static_cast<double>(rows_),
                            {"at least ", decimal(std::int64_t{reach.position} + 1), ", one for each position"});
  }

  void encode_input(const Pass& pass, float* x) override {
    const std::size_t width = pass.shape.width;
    for (std::size_t row = 0; row < pass.shape.rows(); ++row, x += width)
      add_row(pass.parameters + first_ + pass.position_of(row) * width, width, x);
  }

  void input_gradient(const Pass& pass, float* d_x, float* gradients) override {
    const std::size_t width = pass.shape.width;
    for (std::size_t row = 0; row < pass.shape.rows(); ++row, d_x += width)
      add_row(d_x, width, gradients + first_ + pass.position_of(row) * width);
  }

 private:
  std::int64_t rows_;
  std::size_t first_ = 0;  ///< index of the table's first value among the parameters
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_learned(const EncodingOptions& options) {
  POSENC_TRY(check_whole("rows", options.rows, 1, most_learned_rows));
  return std::make_unique<LearnedEncoding>(options.rows);
}

}  // namespace posenc::learning
