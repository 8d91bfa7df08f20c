#include "posenc/rotary/rotary_step.hpp"

#include <new>
#include <utility>

#include "posenc/rotary/rotary_angles.hpp"
#include "posenc/rotary/token_rotation.hpp"

namespace posenc {

class RotaryWorkspace::Kept {
 public:
  Kept(const Rotary& rotary, RotaryAngles angles) : rotary_(&rotary), angles_(std::move(angles)) {}

  Expected<void> apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                       Direction direction) {
    const auto per_batch = rotary_->check_rotation(x.size(), shape, positions);
    if (!per_batch) return std::unexpected(per_batch.error());
    if (x.empty()) return {};  // however many positions there are
    auto rotation = TokenRotation::make(rotary_->layout(), direction, rotary_->rotary_dim(), shape);
    if (!rotation) return std::unexpected(rotation.error());
    rotation->all(x.data(), *per_batch, [&](std::size_t i) { return angles_.at(positions[i], direction); });
    return {};
  }

 private:
  const Rotary* rotary_;
  RotaryAngles angles_;
};

RotaryWorkspace::RotaryWorkspace(std::unique_ptr<Kept> kept) : kept_(std::move(kept)) {}
RotaryWorkspace::RotaryWorkspace(RotaryWorkspace&&) noexcept = default;
RotaryWorkspace& RotaryWorkspace::operator=(RotaryWorkspace&&) noexcept = default;
RotaryWorkspace::~RotaryWorkspace() = default;

Expected<RotaryWorkspace> RotaryWorkspace::make(const Rotary& rotary) {
  auto angles = RotaryAngles::make(rotary);
  if (!angles) return std::unexpected(angles.error());
  std::unique_ptr<Kept> kept(new (std::nothrow) Kept(rotary, std::move(*angles)));
  if (!kept) return std::unexpected(out_of_memory(sizeof(Kept)));
  return RotaryWorkspace(std::move(kept));
}

Expected<void> RotaryWorkspace::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                                      Direction direction) {
  return kept_->apply(x, shape, positions, direction);
}

Expected<void> Rotary::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                             Direction direction) const {
  if (auto checked = check_rotation(x.size(), shape, positions); !checked) return std::unexpected(checked.error());
  auto workspace = RotaryWorkspace::make(*this);
  if (!workspace) return std::unexpected(workspace.error());
  return workspace->apply(x, shape, positions, direction);
}

}  // namespace posenc
