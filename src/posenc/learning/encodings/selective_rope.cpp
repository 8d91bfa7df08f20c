#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "posenc/frequencies/angles.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/angle_table.hpp"
#include "posenc/learning/encodings/parts/layer_name.hpp"
#include "posenc/learning/encodings/parts/unit_rows.hpp"
#include "posenc/learning/product.hpp"
#include "posenc/learning/room.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc::learning {
namespace {

/// Selective RoPE: pair p of a head turns by the frequency base^(-p / pairs) times the sum of the steps of all tokens
/// up to its own. A step is a row of a learned matrix times what the layer reads of the token, whose dimensions are
/// divided by their length in each head. Where tokens stand is not read.
///
/// From modules/rotary.py of timurcarstensen/selective-rope at d12e825, with its `temp_type` "rope", whose base is
/// 500000. Left out: the linear convolution over four neighbouring tokens, through which steps go there, and the bias
/// and the gate, which are off in its configurations. Its matrix has a rank of at most 32, this one any.
class SelectiveRope final : public Encoding {
 public:
  explicit SelectiveRope(double base) : base_(base) {}

  void declare(const PassShape& model, ParameterList& list) override {
    matrices_.clear();
    const std::size_t steps = model.heads * (model.dims() / 2);
    for (std::size_t layer = 0; layer < model.layers; ++layer)
      matrices_.push_back(list.add(layer_name(layer, "steps"), steps, model.width, {.deviation = 0.02}));
  }

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    const auto& [sequences, length, layers, heads, width] = reach.shape;
    const auto dim = rotated_dims(reach.shape, 1);
    if (!dim) return error_of(dim);
    pairs_ = *dim / 2;
    if (auto made = reserve_frequencies(heads); !made) return made;
    const std::size_t steps = heads * pairs_;
    for (const auto& [array, size] : {std::pair(&units_, width), std::pair(&d_units_, width),
                                      std::pair(&inverses_, heads), std::pair(&steps_, steps)})
      if (auto made = make_room({sequences, length, size}, *array); !made) return made;
    if (auto made = make_room({layers, sequences, length, steps, 3}, turns_); !made) return made;
    if (auto made = unit_rows_.reserve(reach.shape.dims()); !made) return made;
    auto product = Product::make({{width, steps}, {steps, width}, {reach.shape.rows(), width}});
    if (!product) return error_of(product);
    product_ = *std::move(product);
    return {};
  }

  void read_rows(const Pass& pass, std::size_t layer, const float* rows) override {
    const std::size_t count = pass.shape.rows(), width = pass.shape.width, steps = pass.shape.heads * pairs_;
    unit_rows_.divide(count * pass.shape.heads, rows, units_.data(), inverses_.data());
    product_.set(count, width, steps, row_major<const float>(units_.data(), width),
                 transposed(row_major(pass.parameters + matrices_[layer], width)), steps_.data(), steps);
    float* turn = turns_of(pass, layer);
    for (std::size_t row = 0; row < count; ++row) {
      if (row % pass.shape.length == 0) std::ranges::fill(sums_.span(), 0.0);
      for (std::size_t at = 0; at < steps; ++at) {
        sums_[at] += static_cast<double>(steps_[row * steps + at]);
        const double cycles = sums_[at] * cycles_a_step_[at % pairs_];
        cycles_[at] = cycles - std::nearbyint(cycles);
      }
      sines_and_cosines(cycles_.data(), cycles_.size(), sines_.data(), cosines_.data());
      for (std::size_t at = 0; at < steps; at += pairs_, turn += 3 * pairs_)
        for (std::size_t pair = 0; pair < pairs_; ++pair) {
          turn[pair] = static_cast<float>(cosines_[at + pair]);
          turn[pairs_ + pair] = static_cast<float>(sines_[at + pair]);
          turn[2 * pairs_ + pair] = -turn[pairs_ + pair];
        }
    }
  }

  void rotate(const Pass& pass, std::size_t layer, const Strided<float>& query, const Strided<float>& key) override {
    for (const auto* rows : {&query, &key}) turn(pass, layer, Direction::forward, *rows);
  }

  void rotate_gradient(const Pass& pass, std::size_t layer, const TurnedRows& rows, const Strided<float>& d_query,
                       const Strided<float>& d_key) override {
    // From the gradients of the angles to those of the steps: one is in the angles of its token and of all after it.
    const std::size_t steps = pass.shape.heads * pairs_;
    for (std::size_t row = pass.shape.rows(); row-- > 0;) {
      if ((row + 1) % pass.shape.length == 0) std::ranges::fill(sums_.span(), 0.0);
      for (std::size_t at = 0; at < steps; ++at) {
        const std::size_t dimension = at / pairs_ * pass.shape.dims() + at % pairs_;
        const double slope = slope_of(rows.query.from(row, dimension), d_query.from(row, dimension)) +
                             slope_of(rows.key.from(row, dimension), d_key.from(row, dimension));
        sums_[at] += slope * radians_a_step_[at % pairs_];
        steps_[row * steps + at] = static_cast<float>(sums_[at]);
      }
    }
    for (const auto* d_rows : {&d_query, &d_key}) turn(pass, layer, Direction::inverse, *d_rows);
  }

  void read_gradient(const Pass& pass, std::size_t layer, const float* rows, float* d_rows, float* gradients) override {
    const std::size_t count = pass.shape.rows(), width = pass.shape.width, steps = pass.shape.heads * pairs_;
    const std::size_t matrix = matrices_[layer];
    const auto d_steps = row_major<const float>(steps_.data(), steps);
    unit_rows_.divide(count * pass.shape.heads, rows, units_.data(), inverses_.data());
    product_.add(steps, count, width, transposed(d_steps), row_major<const float>(units_.data(), width),
                 gradients + matrix, width);
    product_.set(count, steps, width, d_steps, row_major(pass.parameters + matrix, width), d_units_.data(), width);
    unit_rows_.gradient(count * pass.shape.heads, rows, inverses_.data(), d_units_.data(), d_rows);
  }

 private:
  [[nodiscard]] Expected<void> reserve_frequencies(std::size_t heads) {
    const auto frequencies = Frequencies::make({.dim = static_cast<std::int64_t>(2 * pairs_), .base = base_});
    if (!frequencies) return error_of(frequencies);
    for (AlignedArray<double>* array : {&cycles_a_step_, &radians_a_step_})
      if (auto made = make_room({pairs_}, *array); !made) return made;
    frequencies->write_radians(radians_a_step_.span());
    for (std::size_t pair = 0; pair < pairs_; ++pair)
      cycles_a_step_[pair] = frequencies->head()[pair] + (frequencies->mid()[pair] + frequencies->tail()[pair]);
    constexpr std::size_t block = Frequencies::dim_block;
    for (AlignedArray<double>* array : {&sums_, &cycles_, &sines_, &cosines_})
      if (auto made = make_room({(heads * pairs_ + block - 1) / block, block}, *array); !made) return made;
    return {};
  }

  /// What a pair of dimensions, turned already, gains as its angle grows, times the gradient of that.
  [[nodiscard]] double slope_of(const Strided<const float>& dims, const Strided<float>& d_dims) const {
    const auto value = [&](const auto& of, std::size_t dimension) { return static_cast<double>(*of.at(0, dimension)); };
    return value(dims, 0) * value(d_dims, pairs_) - value(dims, pairs_) * value(d_dims, 0);
  }

  /// Queries or keys of a layer, or their gradients.
  void turn(const Pass& pass, std::size_t layer, Direction direction, const Strided<float>& rows) {
    const float* const cosines = turns_of(pass, layer);
    const float* const sines = cosines + (direction == Direction::forward ? 1 : 2) * pairs_;
    const std::size_t heads = pass.shape.heads;
    rotate_heads({Layout::half, direction, pairs_, false, nullptr}, {rows.data, heads, pass.shape.dims()},
                 {.sines = sines, .cosines = cosines}, 3 * pairs_,
                 {pass.shape.rows(), rows.row_stride, heads * 3 * pairs_});
  }

  float* turns_of(const Pass& pass, std::size_t layer) {
    return turns_.data() + layer * pass.shape.rows() * pass.shape.heads * 3 * pairs_;
  }

  double base_;
  std::size_t pairs_ = 0;                                 ///< of a head
  std::vector<std::size_t> matrices_;                     ///< where those of the layers begin
  AlignedArray<double> cycles_a_step_, radians_a_step_;   ///< frequencies, [pairs]
  AlignedArray<double> sums_, cycles_, sines_, cosines_;  ///< of a token, [heads, pairs], padded
  AlignedArray<float> units_, d_units_, inverses_;        ///< [rows, width], and [rows, heads]
  AlignedArray<float> steps_;                             ///< or their gradients, [rows, heads, pairs]
  AlignedArray<float> turns_;  ///< cosines, sines, negative sines: [layers, rows, heads, 3, pairs]
  UnitRows unit_rows_;
  Product product_;
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_selective_rope(const EncodingOptions& options) {
  if (const auto checked = Frequencies::make({.dim = 1, .base = options.base}); !checked) return error_of(checked);
  return std::make_unique<SelectiveRope>(options.base);
}

}  // namespace posenc::learning
