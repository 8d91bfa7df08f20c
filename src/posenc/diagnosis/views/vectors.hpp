#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "posenc/diagnosis/engine/sample_view.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/views/pairing.hpp"

namespace posenc::diagnosis {

/// The axes of a tensor that rotation sees; all others are heads, rotated alike.
struct RotationAxes {
  std::size_t sequence = 0, dims = 0;
};

/// Tokens and heads of vectors that are looked at.
struct VectorPart {
  std::vector<std::size_t> tokens, heads;
};
[[nodiscard]] VectorPart whole_of(const RotationSamples& samples, const RotationAxes& axes);

/// Vectors before and after, as rows [tokens, heads] of dimensions whatever their axes were.
class VectorRows {
 public:
  VectorRows(const RotationSamples& samples, const RotationAxes& axes, VectorPart part, const Noise& noise);

  [[nodiscard]] std::size_t dims() const { return dims_; }
  [[nodiscard]] const VectorPart& part() const { return part_; }
  [[nodiscard]] const Noise& noise() const { return noise_; }

  /// The rows of the token and the head of these indices in the part, and what quantization may have moved.
  void read(std::size_t token, std::size_t head, std::vector<double>& before, std::vector<double>& after,
            std::vector<double>& slack) const;

 private:
  const RotationSamples* samples_;
  RotationAxes axes_;
  VectorPart part_;
  Noise noise_;
  TensorAxes of_;
  std::size_t dims_;
  double largest_ = 0;  ///< of values that were quantized
};

/// The dimensions that differ by more than a rotation by nothing causes, in some of the rows.
[[nodiscard]] ChangedDims changed_dims(const VectorRows& rows);

/// Vectors as the pairs of one pairing.
class VectorView final : public SampleView {
 public:
  VectorView(const VectorRows& rows, const Pairing& pairing)
      : SampleView(rows.part().tokens.size(), rows.part().heads.size(), pairing.pairs(), rows.noise()),
        rows_(&rows),
        pairing_(pairing) {}

  /// Whether pairs are as long as before, times one factor, as far as the first rows show it.
  [[nodiscard]] bool may_be_pairs() const;
  /// Whether the dimensions beside the pairs are as they were.
  [[nodiscard]] bool leaves_rest(Marks* marks = nullptr) const;

 private:
  void read(std::size_t token, std::size_t vectors, TokenPairs& to) const override;

  const VectorRows* rows_;
  Pairing pairing_;
};

/// Whole tokens or heads that a rotation left out, though they were not zeros before: zeros now, or heads that are as
/// they were at positions that are not 0; and the rest. Nothing where there are none, or no others. (Tokens that are as
/// they were have the position 0: a pattern of positions.)
struct LeftOut {
  Mistake mistake = Mistake::zero_rows;
  VectorPart rest;
};
[[nodiscard]] std::optional<LeftOut> left_out(const VectorRows& rows, std::span<const double> positions);

}  // namespace posenc::diagnosis
