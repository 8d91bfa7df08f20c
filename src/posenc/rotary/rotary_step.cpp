#include "posenc/rotary/rotary_step.hpp"

#include <new>
#include <utility>

#include "posenc/base/try.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"

namespace posenc {

class RotaryStep::Kept {
 public:
  Kept(const Rotary& rotary, RotaryAngles angles) : rotary_(&rotary), angles_(std::move(angles)) {}

  Expected<void> apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                       Direction direction) {
    POSENC_TRY_LET(per_batch, rotary_->check_rotation(x.size(), shape, positions));
    return rotate_tokens(angles_, rotary_->layout(), direction, x.data(), shape, positions, per_batch);
  }

  bool repeat(std::span<float> x, const SequenceShape& shape, double offset, Direction direction) {
    const Layout layout = rotary_->layout();
    const bool is_one_run = !x.empty() && x.size() == shape.run() * shape.dim();
    if (!is_one_run || shape.dim_stride() != 1 || layout == Layout::deinterleaved)
      return apply(x, shape, Positions::range(shape.sequence(), offset), direction).has_value();
    if (!has_exact_angles(offset, rotary_->frequencies().largest())) return false;
    const AngleRow<float> row = angles_.at(offset, direction);
    const HeadRotation heads{layout, direction, angles_.rotary_dim() / 2, nullptr};
    rotate_heads(heads, {x.data(), shape.run(), shape.run_stride()}, row);
    return true;
  }

 private:
  const Rotary* rotary_;
  RotaryAngles angles_;
};

RotaryStep::RotaryStep(std::unique_ptr<Kept> kept) : kept_(std::move(kept)) {}
RotaryStep::RotaryStep(RotaryStep&&) noexcept = default;
RotaryStep& RotaryStep::operator=(RotaryStep&&) noexcept = default;
RotaryStep::~RotaryStep() = default;

Expected<RotaryStep> RotaryStep::make(const Rotary& rotary) {
  POSENC_TRY_LET(angles, RotaryAngles::make(rotary.frequencies(), rotary.angle_source()));
  std::unique_ptr<Kept> kept(new (std::nothrow) Kept(rotary, std::move(angles)));
  if (!kept) return std::unexpected(out_of_memory(sizeof(Kept)));
  return RotaryStep(std::move(kept));
}

Expected<void> RotaryStep::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                                 Direction direction) {
  return kept_->apply(x, shape, positions, direction);
}

bool RotaryStep::repeat(std::span<float> x, const SequenceShape& shape, double offset, Direction direction) {
  return kept_->repeat(x, shape, offset, direction);
}

}  // namespace posenc
