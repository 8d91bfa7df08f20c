#include "posenc/cache_form.hpp"

#include "cache_lanes.hpp"
#include "check.hpp"
#include "nearest.hpp"
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

template <class T>
void write(const CacheLanes& lanes, const T* values, std::size_t pairs, T* row) {
  for (std::size_t i = 0; i < pairs; ++i) {
    row[lanes.lane(i)] = values[i];
    row[lanes.lane(i) + lanes.copy] = values[i];
  }
}

template <class T>
struct CacheRow {
  const T* cosines;
  const T* sines;
};

}  // namespace

Expected<CacheForm> cache_form_from_name(std::string_view name) {
  return from_name<CacheForm>(form_names, "form", name);
}

/// rows(angles, position) gives a CacheRow.
template <class T, class Rows>
Expected<void> Rotary::write_cache(const Positions& positions, std::span<T> cosines, std::span<T> sines, CacheForm form,
                                   const Rows& rows) const {
  const std::size_t pairs = frequencies_.count();
  const CacheLanes lanes(form, pairs);
  if (auto checked = check_size("cosines", cosines.size(), positions.count(), lanes.row); !checked) return checked;
  if (auto checked = check_size("sines", sines.size(), lanes.shared ? 0 : positions.count(), lanes.row); !checked)
    return checked;
  if (auto checked = positions.check(frequencies_.largest()); !checked) return checked;
  auto angles = RotaryAngles::make(*this);
  if (!angles) return std::unexpected(angles.error());
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const CacheRow<T> made = rows(*angles, positions[i]);
    T* const row = cosines.data() + i * lanes.row;
    write(lanes, made.cosines, pairs, row);
    write(lanes, made.sines, pairs, lanes.shared ? row + 1 : sines.data() + i * lanes.row);
  }
  return {};
}

Expected<void> Rotary::cache(const Positions& positions, std::span<float> cosines, std::span<float> sines,
                             CacheForm form) const {
  return write_cache(positions, cosines, sines, form, [](RotaryAngles& angles, double position) {
    const Turn turn = angles.at(position, Direction::forward);
    return CacheRow<float>{turn.cosines, turn.sines};
  });
}

template <HalfStorage T>
Expected<void> Rotary::cache(const Positions& positions, std::span<T> cosines, std::span<T> sines,
                             CacheForm form) const {
  const std::size_t pairs = frequencies_.count();
  const double factor = attention_factor();
  if (auto checked = check_holds(T::max, "attentionFactor", factor); !checked) return checked;
  auto row = AlignedArray<T>::make(2 * pairs);
  if (!row) return std::unexpected(row.error());
  return write_cache(positions, cosines, sines, form, [&](RotaryAngles& angles, double position) {
    angles.set(position);
    T* const rounded = row->data();
    for (std::size_t i = 0; i < pairs; ++i) rounded[i] = nearest<T>(angles.cosines()[i] * factor);
    for (std::size_t i = 0; i < pairs; ++i) rounded[pairs + i] = nearest<T>(angles.sines()[i] * factor);
    return CacheRow<T>{rounded, rounded + pairs};
  });
}

template Expected<void> Rotary::cache(const Positions&, std::span<Float16>, std::span<Float16>, CacheForm) const;
template Expected<void> Rotary::cache(const Positions&, std::span<BFloat16>, std::span<BFloat16>, CacheForm) const;

}  // namespace posenc
