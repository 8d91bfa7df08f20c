#include <algorithm>

#include "modules.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error_code.hpp"
#include "posenc/learned/learned_table.hpp"
#include "posenc/learned/optimizer.hpp"
#include "posenc/learned/reformer_axial.hpp"
#include "posenc/learned/resize.hpp"
#include "posenc/learned/table_bias.hpp"
#include "posenc/learned/table_init.hpp"

namespace posenc::embind {
namespace {

std::int64_t rows(const Tensor& table) { return static_cast<std::int64_t>(table.shape[0]); }

std::int64_t last_extent(const Tensor& of) { return static_cast<std::int64_t>(of.shape.back()); }

/// The rows of `ids` where they are given, else `count` consecutive ones.
TableRows rows_of(const calls::RowFields& in, std::size_t count) {
  const std::int64_t offset = in.offset.value_or(0);
  return in.ids.is_given() ? TableRows::list(in.ids, offset) : TableRows::range(count, offset);
}

/// The rows of the tokens of `x`: ids for all of them, or a row for each index of the sequence's axis.
Expected<TableRows> rows_of(const calls::TokenRowFields& in, const Tensor& x, const char* argument) {
  if (in.ids.shape.size() > 1) return rows_of(in, 0);
  POSENC_TRY_LET(shape, sequence_shape(x, in.seq_axis, argument));
  return rows_of(in, shape.sequence()).each(shape.inner());
}

/// An Error that no caller sees: the core would take an empty buffer for a table without rows.
Expected<void> check_room(const Array& table, std::int64_t rows, std::size_t columns) {
  const auto size = static_cast<double>(table.size);
  if (size == static_cast<double>(rows) * static_cast<double>(columns)) return {};
  return std::unexpected(Error("out", size, expected::memory));
}

template <class Call>
Expected<void> resize(const Call& in, ResizeOptions options, const GridSize& from, const GridSize& to) {
  POSENC_TRY(fill<Handled<"table", "length", "from", "to", "antialias", "prefix_tokens">>(options, in));
  options.antialias = in.antialias.value_or(options.antialias && !options.align_corners);
  set(options.prefix, in.prefix_tokens);
  return resize_table(in.table, last_extent(in.table), from, to, options, in.out);
}

Expected<ReformerAxial> axial_of(std::span<const std::int64_t> shape, std::span<const std::int64_t> dims,
                                 const std::optional<std::string_view>& combination) {
  auto meaning = AxialCombination::concatenate;
  POSENC_TRY(set(meaning, combination));
  return ReformerAxial::make(shape, dims, meaning);
}

}  // namespace

Expected<void> run(const calls::LearnedTable& in) {
  TableInit init{.dim = in.dim, .seed = in.seed, .padding_row = in.padding_idx};
  if (in.bound) init.distribution = TableDistribution::uniform;
  set(init.scale, in.bound ? in.bound : in.std);
  return init_table(init, in.offset.value_or(0), in.out);
}

Expected<void> run(const calls::LookupRows& in) {
  const auto count = static_cast<std::size_t>(in.length.value_or(0));
  return lookup_rows(in.table, last_extent(in.table), rows_of(in, count), in.out);
}

Expected<void> run(const calls::AddRows& in) {
  POSENC_TRY_LET(rows, rows_of(in, in.x, "x.shape"));
  return add_rows(in.x, last_extent(in.x), in.table, rows, in.out);
}

Expected<void> run(const calls::RowsGradient& in) {
  POSENC_TRY(check_room(in.out, in.rows, in.gradient.extent(1)));
  POSENC_TRY_LET(rows, rows_of(in, in.gradient, "gradient.shape"));
  return rows_gradient(in.gradient, last_extent(in.gradient), rows, in.padding_idx, in.out);
}

Expected<void> run(const calls::PaddedPositions& in) {
  return padded_positions(in.mask, in.mask.extent(1), in.padding_idx, in.past.value_or(0), in.out);
}

Expected<void> run(const calls::ResizeTable& in) {
  return resize(in, sequence_resize, {1, rows(in.table) - in.prefix_tokens.value_or(0)}, {1, in.length});
}

Expected<void> run(const calls::ResizeGrid& in) {
  return resize(in, {}, {in.from[0], in.from[1]}, {in.to[0], in.to[1]});
}

Expected<void> run(const calls::ReformerAxial& in) {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> dims;
  std::size_t size = 0;
  for (const Tensor& table : in.tables) {
    shape.push_back(rows(table));
    dims.push_back(last_extent(table));
    size += table.size;
  }
  POSENC_TRY_LET(axial, axial_of(shape, dims, in.combination));
  // One after the other.
  POSENC_TRY_LET(tables, AlignedArray<float>::make_unfilled(size));
  auto next = tables.span().begin();
  for (const Tensor& table : in.tables) next = std::ranges::copy(table.as<const float>(), next).out;
  const auto count = static_cast<std::size_t>(in.length.value_or(static_cast<std::int64_t>(axial.rows())));
  return axial.lookup(tables.span(), rows_of(in, count), in.out);
}

Expected<void> run(const calls::ReformerAxialGradient& in) {
  POSENC_TRY_LET(axial, axial_of(in.shape, in.dims, in.combination));
  POSENC_TRY_LET(tables, AlignedArray<float>::make_unfilled(axial.parameters()));
  POSENC_TRY_LET(rows, rows_of(in, in.gradient, "gradient.shape"));
  POSENC_TRY(axial.gradient(in.gradient, rows, tables.span()));
  std::size_t at = 0;
  for (const Array& out : in.out) {
    std::ranges::copy(tables.span().subspan(at, out.size), out.as<float>().begin());
    at += out.size;
  }
  return {};
}

Expected<void> run(const calls::TableBias& in) { return table_bias(in.ids, in.table.extent(1), in.table, in.out); }

Expected<void> run(const calls::TableBiasBackward& in) {
  const std::size_t heads = in.gradient.extent(in.ids.shape.size() + 1);
  POSENC_TRY(check_room(in.out, in.rows, heads));
  return table_bias_backward(in.ids, heads, in.gradient, in.out);
}

Expected<void> run(const calls::SgdStep& in) {
  POSENC_TRY_LET(options, filled<SgdOptions, Handled<"parameters", "gradient", "buffer">>(in));
  return sgd_step(options, in.gradient, in.parameters, in.buffer);
}

Expected<void> run(const calls::AdamStep& in) {
  POSENC_TRY_LET(options,
                 filled<AdamOptions, Handled<"parameters", "gradient", "betas", "first_moment", "second_moment">>(in));
  if (const auto betas = in.betas.as<const double>(); !betas.empty()) {
    options.beta1 = betas[0];
    options.beta2 = betas[1];
  }
  return adam_step(options, in.gradient, in.parameters, in.first_moment, in.second_moment);
}

}  // namespace posenc::embind
