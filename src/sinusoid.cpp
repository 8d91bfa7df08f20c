#include "posenc/sinusoid.hpp"

#include <utility>

#include "check.hpp"
#include "phase.hpp"

namespace posenc {
namespace {

constexpr Name order_names[]{
    {"interleaved", Order::interleaved},
    {"split", Order::split},
};

/// One row from its sines and cosines, each rounded here, once.
void write_row(Order order, const double* sines, const double* cosines, std::span<float> row) {
  const std::size_t cosine_count = row.size() / 2;
  const std::size_t sine_count = row.size() - cosine_count;
  const bool interleaved = order == Order::interleaved;
  const std::size_t stride = interleaved ? 2 : 1;
  float* const first_cosine = row.data() + (interleaved ? 1 : sine_count);
  for (std::size_t i = 0; i < sine_count; ++i) row[i * stride] = static_cast<float>(sines[i]);
  for (std::size_t i = 0; i < cosine_count; ++i) first_cosine[i * stride] = static_cast<float>(cosines[i]);
}

}  // namespace

Expected<Order> order_from_name(std::string_view name) { return from_name<Order>(order_names, "order", name); }

Expected<Sinusoid> Sinusoid::make(const SinusoidOptions& options) {
  auto frequencies = Frequencies::make(options.frequencies);
  if (!frequencies) return std::unexpected(frequencies.error());
  Sinusoid made;
  made.frequencies_ = std::move(*frequencies);
  made.dim_ = static_cast<std::size_t>(options.frequencies.dim);
  made.order_ = options.order;
  return made;
}

Expected<void> Sinusoid::table(const Positions& positions, std::span<float> out) const {
  if (auto checked = check_size("out", out.size(), positions.count(), dim_); !checked) return checked;
  if (auto checked = positions.check(frequencies_.largest()); !checked) return checked;
  const std::size_t padded = frequencies_.padded_count();
  auto scratch = AlignedArray<double>::make(2 * padded);
  if (!scratch) return std::unexpected(scratch.error());
  double* const sines = scratch->data();
  double* const cosines = sines + padded;
  for (std::size_t i = 0; i < positions.count(); ++i) {
    sines_and_cosines(frequencies_, positions[i], sines, cosines);
    write_row(order_, sines, cosines, out.subspan(i * dim_, dim_));
  }
  return {};
}

}  // namespace posenc
