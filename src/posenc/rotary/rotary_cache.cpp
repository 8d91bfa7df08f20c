#include "posenc/rotary/rotary_cache.hpp"

#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/round16.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/exact_angle.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/token_rotation.hpp"

namespace posenc {
namespace {

/// Where a row of a cache holds the numbers of pair i: at dimension(i), and again `copy` further, unless that is 0.
/// Where both functions share a row the sine is next to its cosine.
struct CacheDims {
  std::size_t row;
  std::size_t stride;
  std::size_t copy = 0;
  bool shared = false;

  [[nodiscard]] std::size_t dimension(std::size_t i) const { return i * stride; }

  CacheDims(CacheForm form, std::size_t pairs)
      : row(row_of(form, 2 * pairs)),
        stride(form == CacheForm::ggml || form == CacheForm::huggingface_interleaved ? 2 : 1),
        copy(form == CacheForm::huggingface ? pairs : (form == CacheForm::huggingface_interleaved ? 1 : 0)),
        shared(form == CacheForm::ggml) {}
};

/// Both copies are the same, in every row.
Expected<void> check_copies(std::string_view argument, std::span<const float> values, const CacheDims& dims) {
  for (std::size_t start = 0; dims.copy != 0 && start < values.size(); start += dims.row)
    for (std::size_t i = 0; i < dims.row / 2; ++i) {
      const float copy = values[start + dims.dimension(i) + dims.copy];
      if (copy != values[start + dims.dimension(i)])
        return invalid_argument(argument, static_cast<double>(copy), expected::twice);
    }
  return {};
}

Expected<void> check_rows(const Positions& rows, std::size_t count) {
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const double row = rows[i];
    const bool is_one = row >= 0 && row < static_cast<double>(count) && row == std::floor(row);
    if (!is_one) return invalid_argument("positions", row, expected::cache_row, {count});
  }
  return {};
}

/// How many rows there are.
Expected<std::size_t> check_cache(const RotaryCache& cache, const CacheDims& dims) {
  const std::size_t rows = cache.cosines.size() / dims.row;
  POSENC_TRY(check_size("cosines", cache.cosines.size(), rows, dims.row));
  POSENC_TRY(check_size("sines", cache.sines.size(), dims.shared ? 0 : rows, dims.row));
  POSENC_TRY(check_copies("cosines", cache.cosines, dims));
  POSENC_TRY(check_copies("sines", cache.sines, dims));
  return rows;
}

void write(const CacheDims& dims, const float* values, std::size_t pairs, float* row) {
  for (std::size_t i = 0; i < pairs; ++i) {
    row[dims.dimension(i)] = values[i];
    row[dims.dimension(i) + dims.copy] = values[i];
  }
}

}  // namespace

Expected<void> write_rotary_cache(const Rotary& rotary, CacheForm form, const Positions& positions,
                                  std::span<float> cosines, std::span<float> sines) {
  const std::size_t pairs = rotary.rotary_dim() / 2;
  const CacheDims dims(form, pairs);
  POSENC_TRY(check_size("cosines", cosines.size(), positions.count(), dims.row));
  POSENC_TRY(check_size("sines", sines.size(), dims.shared ? 0 : positions.count(), dims.row));
  POSENC_TRY(positions.check(rotary.frequencies().largest()));
  POSENC_TRY_LET(angles, RotaryAngles::make(rotary.frequencies(), rotary.angle_source()));
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const AngleRow<float> made = angles.at(positions[i], Direction::forward);
    float* const row = cosines.data() + i * dims.row;
    write(dims, made.cosines, pairs, row);
    write(dims, made.sines, pairs, dims.shared ? row + 1 : sines.data() + i * dims.row);
  }
  return {};
}

Expected<void> write_rotary_cache(const Rotary& rotary, CacheForm form, const Positions& positions, Span16 cosines,
                                  Span16 sines) {
  const std::size_t pairs = rotary.rotary_dim() / 2;
  const double factor = rotary.attention_factor();
  const CacheDims dims(form, pairs);
  if (cosines.dtype() != sines.dtype())
    return invalid_argument("sines", std::string("another dtype"), expected::cosines_dtype);
  POSENC_TRY(check_size("cosines", cosines.size(), positions.count(), dims.row));
  POSENC_TRY(check_size("sines", sines.size(), dims.shared ? 0 : positions.count(), dims.row));
  POSENC_TRY(check_holds(cosines.dtype(), "attentionFactor", factor));
  POSENC_TRY(positions.check(rotary.frequencies().largest()));
  POSENC_TRY_LET(angles, RotaryAngles::make(rotary.frequencies(), rotary.angle_source()));
  const Format16 format = format_of(cosines.dtype());
  for (std::size_t i = 0; i < positions.count(); ++i) {
    angles.set(positions[i]);
    std::uint16_t* const row = cosines.bits().data() + i * dims.row;
    std::uint16_t* const sine_row = dims.shared ? row + 1 : sines.bits().data() + i * dims.row;
    // What another source makes is exact by definition.
    const auto exact = [&](std::size_t pair) {
      return rotary.angle_source() == nullptr ? exact_angle(rotary.frequencies(), positions[i], pair)
                                              : ExactAngle{{angles.sines()[pair]}, {angles.cosines()[pair]}};
    };
    for (const std::size_t copy : {std::size_t{0}, dims.copy}) {
      round_to_dtype(format, factor, {angles.cosines(), pairs}, row + copy, dims.stride,
                     [&](std::size_t pair) { return exact(pair).cosine; });
      round_to_dtype(format, factor, {angles.sines(), pairs}, sine_row + copy, dims.stride,
                     [&](std::size_t pair) { return exact(pair).sine; });
    }
  }
  return {};
}

Expected<void> rotate_with_cache(const RotaryCache& cache, Layout layout, std::span<float> x,
                                 const SequenceShape& shape, const Positions& rows, Direction direction) {
  if (layout == Layout::unnamed) return std::unexpected(from_name<Layout>("").error());
  POSENC_TRY(check_rotary_dim(cache.rotary_dim, static_cast<std::int64_t>(shape.dim())));
  POSENC_TRY(check_size("x", x.size(), shape.size()));
  const auto rotary_dim = static_cast<std::size_t>(cache.rotary_dim);
  const std::size_t pairs = rotary_dim / 2;
  const CacheDims dims(cache.form, pairs);
  POSENC_TRY_LET(per_batch, shape.check_positions(rows));
  POSENC_TRY_LET(count, check_cache(cache, dims));
  POSENC_TRY(check_rows(rows, count));
  // Rows that are as the rotation takes them are not copied.
  const bool as_they_are = dims.stride == 1 && direction == Direction::forward;
  POSENC_TRY_LET(scratch, AlignedArray<float>::make(as_they_are ? 0 : rotary_dim));
  POSENC_TRY_LET(rotation, TokenRotation::make(layout, direction, rotary_dim, shape));

  float* const cosines = scratch.data();
  float* const sines = as_they_are ? nullptr : cosines + pairs;
  const float sign = direction == Direction::inverse ? -1.0f : 1.0f;
  rotation.all(x.data(), per_batch, [&](std::size_t i, std::size_t most) -> AngleRun {
    const std::size_t start = static_cast<std::size_t>(rows[i]) * dims.row;
    const float* const row = cache.cosines.data() + start;
    const float* const sine_row = dims.shared ? row + 1 : cache.sines.data() + start;
    if (as_they_are) {
      AngleRun run{.first = {.sines = sine_row, .cosines = row}, .stride = dims.row};
      while (run.tokens < most && rows[i + run.tokens] == rows[i + run.tokens - 1] + 1) ++run.tokens;
      return run;
    }
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      cosines[pair] = row[dims.dimension(pair)];
      sines[pair] = sign * sine_row[dims.dimension(pair)];
    }
    return {{.sines = sines, .cosines = cosines}};
  });
  return {};
}

}  // namespace posenc
