#include "posenc/relative/relative_sinusoidal.hpp"

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name sign_names[]{
    {"key-minus-query", RelativeSign::key_minus_query},
    {"query-minus-key", RelativeSign::query_minus_key},
};

}  // namespace

template <>
Expected<RelativeSign> from_name(std::string_view name) {
  return from_name<RelativeSign>(sign_names, "sign", name);
}

Expected<void> relative_sinusoidal(const Sinusoidal& sinusoidal, RelativeSign sign, const RelativePositions& positions,
                                   std::span<float> out) {
  auto differences = AlignedArray<double>::make(positions.distances());
  if (!differences) return std::unexpected(differences.error());
  for (std::size_t c = 0; c < differences->size(); ++c) {
    const std::int64_t distance = positions.distance(c);
    (*differences)[c] = static_cast<double>(sign == RelativeSign::key_minus_query ? distance : -distance);
  }
  return sinusoidal.table(Positions::list(differences->span()), out);
}

}  // namespace posenc
