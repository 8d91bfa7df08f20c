#include "posenc/diagnosis/samples/sinusoid_views.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/samples/pair_lengths.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {
namespace {

/// So many rows of a large table are compared.
constexpr std::size_t most_rows = 48;

/// An amplitude that is as near as this, in roundings, is the usual one.
constexpr double usual_units = 4;

struct Table {
  const SampledTensor& values;
  StoredType type;
  std::size_t rows = 0, dim = 0;

  [[nodiscard]] double at(std::size_t row, std::size_t dimension) const { return values.values[row * dim + dimension]; }
};

bool is_interleaved(TableOrder arrangement) {
  return arrangement == TableOrder::interleaved || arrangement == TableOrder::interleaved_cosines_first;
}

bool is_cosine_first(TableOrder arrangement) {
  return arrangement == TableOrder::interleaved_cosines_first || arrangement == TableOrder::cosines_first;
}

/// The dimension of the first (0) or second (1) number of a pair.
std::size_t dim_of(const SinusoidView& view, std::size_t dim, std::size_t pair, std::size_t part) {
  if (is_interleaved(view.arrangement)) return 2 * pair + part;
  const std::size_t first_block = dim / 2 + (view.odd == OddDim::sine ? 1 : 0);
  return pair + part * first_block;
}

/// The amplitude of published code that is near, else the measured one.
double amplitude_near(double measured, double expected, double rounding, std::size_t dim) {
  const auto d = static_cast<double>(dim);
  for (const double usual : {expected, 1.0, std::sqrt(2 / d), 1 / std::sqrt(d), std::sqrt(d), std::sqrt(0.5), 0.5, 2.0})
    if (std::fabs(measured - usual) <= usual_units * rounding * usual) return usual;
  return measured;
}

/// Reads the numbers of the chosen rows, as they are.
void read(const Table& table, SinusoidView& view) {
  const std::size_t pairs = table.dim / 2;
  const bool cosine_first = is_cosine_first(view.arrangement);
  view.rotations = {.tokens = view.chosen.size(), .pairs = pairs, .cosines = {}, .sines = {}, .units = {}};
  view.odd_sines.clear();
  for (const std::size_t row : view.chosen) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double first = table.at(row, dim_of(view, table.dim, pair, 0));
      const double second = table.at(row, dim_of(view, table.dim, pair, 1));
      view.rotations.cosines.push_back(cosine_first ? first : second);
      view.rotations.sines.push_back(cosine_first ? second : first);
      view.rotations.units.push_back(row == view.padding ? std::numeric_limits<double>::infinity() : 1);
    }
    if (view.odd == OddDim::sine)
      view.odd_sines.push_back(table.at(row, is_interleaved(view.arrangement) ? table.dim - 1 : table.dim / 2));
  }
}

/// Divides the numbers by the amplitude.
void divide(SinusoidView& view) {
  for (double& unit : view.rotations.units) unit *= view.unit;
  for (std::vector<double>* const values : {&view.rotations.cosines, &view.rotations.sines, &view.odd_sines})
    for (double& value : *values) value /= view.amplitude;
  view.misfit = length_misfit(view.rotations, 1);
}

void look(const Table& table, double expected_amplitude, SinusoidView& view) {
  read(table, view);
  view.amplitude = amplitude_near(common_length(view.rotations), expected_amplitude, table.type.rounding, table.dim);
  if (!(view.amplitude > 0)) view.amplitude = 1;
  view.unit = table.type.unit(view.amplitude) / view.amplitude;
  divide(view);
}

/// Finds the row of zeros, where there is exactly one: that of a padding token.
std::optional<std::size_t> zero_row(const Table& table) {
  std::optional<std::size_t> found;
  for (std::size_t row = 0; row < table.rows; ++row) {
    bool is_zero = true;
    for (std::size_t dimension = 0; dimension < table.dim && is_zero; ++dimension)
      is_zero = table.at(row, dimension) == 0;
    if (!is_zero) continue;
    if (found) return std::nullopt;
    found = row;
  }
  return found;
}

bool has_zero_dim(const Table& table) {
  for (std::size_t row = 0; row < table.rows; ++row)
    if (table.at(row, table.dim - 1) != 0) return false;
  return true;
}

}  // namespace

Expected<std::vector<SinusoidView>> sinusoid_views(const SampledTensor& tensor, double amplitude) {
  POSENC_TRY_LET(type, stored_type_of(tensor, "table"));
  std::vector<std::size_t> extents;
  for (const std::int64_t extent : tensor.shape)
    if (extent != 1) extents.push_back(static_cast<std::size_t>(extent));
  // A single row is [1, dim].
  if (extents.size() == 1 && tensor.shape.size() >= 2 && tensor.shape.back() != 1) extents.insert(extents.begin(), 1);
  if (extents.size() != 2)
    return invalid_argument("table.shape", static_cast<double>(tensor.shape.size()),
                            {"two axes, [positions, dim], dim >= 2"});
  const Table table{.values = tensor, .type = type, .rows = extents[0], .dim = extents[1]};
  const auto padding = zero_row(table);
  const bool zero_dim = table.dim % 2 == 1 && has_zero_dim(table);

  std::vector<SinusoidView> views;
  using enum TableOrder;
  for (const TableOrder arrangement : {interleaved, split, interleaved_cosines_first, cosines_first}) {
    SinusoidView view{.arrangement = arrangement};
    if (table.dim % 2 == 1) view.odd = zero_dim ? OddDim::zero : OddDim::sine;
    view.chosen = spread_tokens(table.rows, most_rows);
    view.padding = padding;
    look(table, amplitude, view);
    views.push_back(std::move(view));
  }
  std::ranges::sort(views, {}, &SinusoidView::misfit);
  return views;
}

SinusoidView view_tokens_like(const SampledTensor& table, const SinusoidView& like, std::vector<std::size_t> rows) {
  SinusoidView made = like;
  made.chosen = std::move(rows);
  const std::size_t dim = 2 * like.rotations.pairs + (like.odd == OddDim::none ? 0 : 1);
  read({.values = table, .type = {}, .rows = table.values.size() / dim, .dim = dim}, made);
  divide(made);
  return made;
}

}  // namespace posenc::diagnosis
