#include "posenc/cache_form.hpp"

#include "cache_lanes.hpp"
#include "check.hpp"
#include "posenc/rotary.hpp"
#include "rotary_angles.hpp"

namespace posenc {
namespace {

constexpr Name form_names[]{
    {"onnx", CacheForm::onnx},
    {"huggingface", CacheForm::huggingface},
    {"huggingface-interleaved", CacheForm::huggingface_interleaved},
    {"ggml", CacheForm::ggml},
};

void write(const CacheLanes& lanes, const float* values, std::size_t pairs, float* row) {
  for (std::size_t i = 0; i < pairs; ++i) {
    row[lanes.lane(i)] = values[i];
    row[lanes.lane(i) + lanes.copy] = values[i];
  }
}

}  // namespace

Expected<CacheForm> cache_form_from_name(std::string_view name) {
  return from_name<CacheForm>(form_names, "form", name);
}

Expected<void> Rotary::cache(const Positions& positions, std::span<float> cosines, std::span<float> sines,
                             CacheForm form) const {
  const std::size_t pairs = frequencies_.count();
  const CacheLanes lanes(form, pairs);
  if (auto checked = check_size("cosines", cosines.size(), positions.count(), lanes.row); !checked) return checked;
  if (auto checked = check_size("sines", sines.size(), lanes.shared ? 0 : positions.count(), lanes.row); !checked)
    return checked;
  if (auto checked = positions.check(frequencies_.largest()); !checked) return checked;
  auto angles = RotaryAngles::make(*this);
  if (!angles) return std::unexpected(angles.error());
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const Turn turn = angles->at(positions[i], Direction::forward);
    float* const row = cosines.data() + i * lanes.row;
    write(lanes, turn.cosines, pairs, row);
    write(lanes, turn.sines, pairs, lanes.shared ? row + 1 : sines.data() + i * lanes.row);
  }
  return {};
}

}  // namespace posenc
