#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/line_bias.hpp"
#include "posenc/learning/room.hpp"

namespace posenc::learning {
namespace {

/// -r1 ln(1 + r2 |d|), or -r1 |d|^r2, with r1 and r2 of each head. Like the authors' code while it trains, this takes
/// 0.01 for what is less, and 2 for an exponent that is more. Theirs writes that back to the parameters; here one that
/// is outside stays there, without a gradient.
class KerpleLines final : public LearnedLineBias {
 public:
  explicit KerpleLines(bool is_power) : is_power_(is_power) {}

  void declare(const PassShape& model, ParameterList& list) override {
    // As in the authors' code: from 0 to 2, and from 0 to 1.
    r1_ = list.add("kerple.r1", model.heads, 1, {1, 1, TableDistribution::uniform});
    r2_ = list.add("kerple.r2", model.heads, 1, {0.5, 0.5, TableDistribution::uniform});
  }

 private:
  /// r1 or r2 of a head.
  struct Rate {
    Rate(float parameter, float most)
        : value(static_cast<double>(std::clamp(parameter, 0.01f, most))),
          is_inside(0.01f <= parameter && parameter <= most) {}

    double value;
    bool is_inside;
  };

  [[nodiscard]] Rate r1(const Pass& pass, std::size_t head) const {
    return {pass.parameters[r1_ + head], std::numeric_limits<float>::max()};
  }
  [[nodiscard]] Rate r2(const Pass& pass, std::size_t head) const {
    return {pass.parameters[r2_ + head], is_power_ ? 2 : std::numeric_limits<float>::max()};
  }

  Expected<void> prepare(const RelativePositions& all, std::span<float> lines) override {
    if (auto prepared = LearnedLineBias::prepare(all, lines); !prepared) return prepared;
    sizes_ = all.keys();
    auto kernels = AlignedArray<double>::make_unfilled(array_size({all.heads(), sizes_}));
    if (!kernels) return error_of(kernels);
    kernels_ = *std::move(kernels);
    if (!is_power_) return {};
    auto logarithms = AlignedArray<double>::make_unfilled(sizes_);
    if (!logarithms) return error_of(logarithms);
    logarithms_ = *std::move(logarithms);
    for (std::size_t size = 0; size < sizes_; ++size)
      logarithms_[size] = static_cast<double>(std::max<std::size_t>(size, 1));
    posenc::logarithms(logarithms_.span());
    return {};
  }

  /// ln(1 + r2 |d|) or |d|^r2 of a head, for |d| from 0 on.
  [[nodiscard]] std::span<double> kernel_of(std::size_t head, const DistanceLines& lines) {
    return kernels_.span().subspan(head * sizes_, static_cast<std::size_t>(1 - lines.least));
  }

  void fill(const Pass& pass, const DistanceLines& lines) override {
    for (std::size_t head = 0; head < pass.shape.heads; ++head) {
      const auto kernel = kernel_of(head, lines);
      const double rate = r2(pass, head).value, factor = -r1(pass, head).value;
      if (is_power_) {
        for (std::size_t size = 0; size < kernel.size(); ++size) kernel[size] = rate * logarithms_[size];
        exponentials(kernel);
        kernel[0] = 0;
      } else {
        for (std::size_t size = 0; size < kernel.size(); ++size) kernel[size] = rate * static_cast<double>(size);
        logarithms_1p(kernel);
      }
      float* const line = lines.of(head);
      for (std::int32_t distance = lines.least; distance <= 0; ++distance) {
        const auto value = static_cast<float>(factor * kernel[static_cast<std::size_t>(-distance)]);
        line[distance] = value;
        if (lines.most > 0) line[-distance] = value;
      }
    }
  }

  void fill_gradient(const Pass& pass, const DistanceLines& d_lines, float* gradients) override {
    for (std::size_t head = 0; head < pass.shape.heads; ++head) {
      const auto kernel = kernel_of(head, d_lines);
      const Rate factor = r1(pass, head), rate = r2(pass, head);
      const float* const line = d_lines.of(head);
      double d_factor = 0, d_rate = 0;
      // Distance 0 has no part in either.
      for (std::int32_t distance = d_lines.least; distance < 0; ++distance) {
        const auto at = static_cast<std::size_t>(-distance);
        const double size = -distance;
        const double d_value =
            static_cast<double>(line[distance]) + (d_lines.most > 0 ? static_cast<double>(line[-distance]) : 0);
        d_factor -= d_value * kernel[at];
        d_rate -= d_value * (is_power_ ? kernel[at] * logarithms_[at] : size / (1 + rate.value * size));
      }
      if (factor.is_inside) gradients[r1_ + head] += static_cast<float>(d_factor);
      if (rate.is_inside) gradients[r2_ + head] += static_cast<float>(factor.value * d_rate);
    }
  }

  bool is_power_;
  std::size_t r1_ = 0, r2_ = 0, sizes_ = 0;
  AlignedArray<double> kernels_;     ///< [heads, sizes]
  AlignedArray<double> logarithms_;  ///< of the power kernel: of each size; 0 for 0
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_kerple(const EncodingOptions& options) {
  return std::make_unique<KerpleLines>(options.type == EncodingType::kerple_power);
}

}  // namespace posenc::learning
