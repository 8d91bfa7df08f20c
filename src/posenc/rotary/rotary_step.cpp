#include "posenc/rotary/rotary_step.hpp"

#include <new>
#include <utility>

#include "posenc/rotary/kernels/rotary_angles.hpp"

namespace posenc {

class RotaryStep::Kept {
 public:
  Kept(const Rotary& rotary, RotaryAngles angles) : rotary_(&rotary), angles_(std::move(angles)) {}

  Expected<void> apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                       Direction direction) {
    const auto per_batch = rotary_->check_rotation(x.size(), shape, positions);
    if (!per_batch) return error_of(per_batch);
    return rotate_tokens(angles_, rotary_->layout(), direction, x.data(), shape, positions, *per_batch);
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
  auto angles = RotaryAngles::make(rotary.frequencies(), rotary.angle_source());
  if (!angles) return error_of(angles);
  std::unique_ptr<Kept> kept(new (std::nothrow) Kept(rotary, std::move(*angles)));
  if (!kept) return std::unexpected(out_of_memory(sizeof(Kept)));
  return RotaryStep(std::move(kept));
}

Expected<void> RotaryStep::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                                 Direction direction) {
  return kept_->apply(x, shape, positions, direction);
}

}  // namespace posenc
