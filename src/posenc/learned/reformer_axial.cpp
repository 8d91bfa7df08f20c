#include "posenc/learned/reformer_axial.hpp"

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc {
namespace {

Expected<void> check_axes(std::span<const std::int64_t> shape, std::span<const std::int64_t> dims, bool sum) {
  if (shape.empty() || shape.size() > ReformerAxial::max_axes)
    return invalid_argument("shape", static_cast<double>(shape.size()), expected::axes_from_to,
                            {1, ReformerAxial::max_axes});
  if (dims.size() != shape.size())
    return invalid_argument("dims", static_cast<double>(dims.size()),
                            {decimal(shape.size()), " numbers, as many as axes"});
  std::int64_t rows_left = max_rows;
  std::int64_t dims_left = max_dim;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (shape[a] < 1 || shape[a] > rows_left)
      return invalid_argument("shape", static_cast<double>(shape[a]),
                              {"extents >= 1 whose product is at most ", decimal(max_rows)});
    if (dims[a] < 1 || dims[a] > dims_left)
      return invalid_argument("dims", static_cast<double>(dims[a]),
                              {"numbers >= 1 whose sum is at most ", decimal(max_dim)});
    if (sum && dims[a] != dims[0])
      return invalid_argument("dims", static_cast<double>(dims[a]),
                              {decimal(dims[0]), ", that of the first axis, in a sum"});
    rows_left /= shape[a];
    dims_left -= dims[a];
  }
  return {};
}

}  // namespace

Expected<ReformerAxial> ReformerAxial::make(std::span<const std::int64_t> shape, std::span<const std::int64_t> dims,
                                            AxialCombination combination) {
  const bool sum = combination == AxialCombination::sum;
  POSENC_TRY(check_axes(shape, dims, sum));
  ReformerAxial made;
  made.combination_ = combination;
  made.axis_count_ = shape.size();
  made.rows_ = 1;
  for (std::size_t a = shape.size(); a-- > 0;) {
    made.axes_[a].extent = static_cast<std::size_t>(shape[a]);
    made.axes_[a].dim = static_cast<std::size_t>(dims[a]);
    made.axes_[a].stride = made.rows_;
    made.rows_ *= made.axes_[a].extent;
  }
  // Extents below 2^29 and dims below 2^24: only their products may not fit, where sizes have 32 bits.
  std::uint64_t parameters = 0;
  for (Axis& axis : std::span(made.axes_).first(shape.size())) {
    axis.table = static_cast<std::size_t>(parameters);
    axis.dimension = sum ? 0 : made.dim_;
    made.dim_ = axis.dimension + axis.dim;
    parameters += std::uint64_t{axis.extent} * axis.dim;
  }
  if (parameters > static_cast<std::uint64_t>(PTRDIFF_MAX) / sizeof(float))
    return std::unexpected(out_of_memory(static_cast<std::size_t>(parameters)));
  made.parameters_ = static_cast<std::size_t>(parameters);
  return made;
}

Expected<void> ReformerAxial::lookup(std::span<const float> tables, const TableRows& rows, std::span<float> out) const {
  POSENC_TRY(check_size("tables", tables.size(), parameters_));
  POSENC_TRY(rows.check(rows_));
  POSENC_TRY(check_size("out", out.size(), rows.count(), dim_));
  for (std::size_t i = 0; i < rows.count(); ++i) {
    float* const row = out.data() + i * dim_;
    if (combination_ == AxialCombination::concatenate) {
      for (const Axis& axis : axes()) copy_row(tables.data() + index_of(axis, rows[i]), axis.dim, row + axis.dimension);
      continue;
    }
    const float* from[max_axes];
    for (std::size_t a = 0; a < axis_count_; ++a) from[a] = tables.data() + index_of(axes_[a], rows[i]);
    std::size_t dimension = 0;
    for (; dimension + piece_size <= dim_; dimension += piece_size) {
      Doubles sum{0.0, 0.0};
      for (std::size_t a = 0; a < axis_count_; ++a) sum = sum + Doubles::load(from[a] + dimension);
      sum.store(row + dimension);
    }
    for (; dimension < dim_; ++dimension) {
      double sum = 0;
      for (std::size_t a = 0; a < axis_count_; ++a) sum += static_cast<double>(from[a][dimension]);
      row[dimension] = static_cast<float>(sum);
    }
  }
  return {};
}

Expected<void> ReformerAxial::gradient(std::span<const float> gradient, const TableRows& rows,
                                       std::span<float> out) const {
  POSENC_TRY(rows.check_batches("gradient", gradient.size(), dim_));
  POSENC_TRY(rows.check(rows_));
  POSENC_TRY(check_size("out", out.size(), parameters_));
  POSENC_TRY_LET(sums, AlignedArray<double>::make(parameters_));
  for (std::size_t at = 0; at < gradient.size() / dim_; ++at)
    for (const Axis& axis : axes())
      add_to_sums(axis.dim, gradient.data() + at * dim_ + axis.dimension,
                  sums.data() + index_of(axis, rows[at % rows.count()]));
  round_values(parameters_, sums.data(), out.data());
  return {};
}

}  // namespace posenc
