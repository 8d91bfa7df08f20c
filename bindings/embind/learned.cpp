#include <algorithm>

#include "calls.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/learned/learned_table.hpp"
#include "posenc/learned/optimizer.hpp"
#include "posenc/learned/reformer_axial.hpp"
#include "posenc/learned/resize.hpp"
#include "posenc/learned/table_bias.hpp"
#include "posenc/learned/table_init.hpp"

namespace posenc::embind {
namespace {

std::int64_t rows(const Tensor& table) { return static_cast<std::int64_t>(table.shape[0]); }

std::int64_t lanes(const Tensor& of) { return static_cast<std::int64_t>(of.shape.back()); }

/// Those of `ids` where they are given, else `count` consecutive ones.
template <class Call>
TableRows rows_of(const Call& in, std::size_t count) {
  const std::int64_t offset = in.offset.value_or(0);
  return in.ids.is_given() ? TableRows::list(in.ids.data.template as<const std::int32_t>(), offset)
                           : TableRows::range(count, offset);
}

Expected<void> learned_table(const calls::LearnedTable& in) {
  TableInit init{.dim = in.dim, .seed = in.seed, .padding_row = in.padding_idx};
  if (in.bound) init.distribution = TableDistribution::uniform;
  set(init.scale, in.bound ? in.bound : in.std);
  return init_table(init, in.offset.value_or(0), in.out.as<float>());
}

Expected<void> lookup_rows(const calls::LookupRows& in) {
  const auto count = static_cast<std::size_t>(in.length.value_or(0));
  return posenc::lookup_rows(in.table.values(), lanes(in.table), rows_of(in, count), in.out.as<float>());
}

Expected<void> add_rows(const calls::AddRows& in) {
  return posenc::add_rows(in.x.values(), lanes(in.x), in.table.values(), rows_of(in, in.x.extent(2)),
                          in.out.as<float>());
}

/// An Error that no caller sees: without room for a table the core would take it for one without rows.
Expected<void> check_room(const Array& table, std::int64_t rows, std::size_t columns) {
  const auto size = static_cast<double>(table.size);
  if (size == static_cast<double>(rows) * static_cast<double>(columns)) return {};
  return std::unexpected(Error{"out", size, "room for the table"});
}

Expected<void> rows_gradient(const calls::RowsGradient& in) {
  POSENC_TRY(check_room(in.out, in.rows, in.gradient.extent(1)));
  return posenc::rows_gradient(in.gradient.values(), lanes(in.gradient), rows_of(in, in.gradient.extent(2)),
                               in.padding_idx, in.out.as<float>());
}

Expected<void> padded_positions(const calls::PaddedPositions& in) {
  return posenc::padded_positions(in.mask.data.as<const std::int32_t>(), in.mask.extent(1), in.padding_idx,
                                  in.past.value_or(0), in.out.as<std::int32_t>());
}

template <class Call>
Expected<void> resize(const Call& in, ResizeOptions options, const GridSize& from, const GridSize& to) {
  POSENC_TRY(set(options.interpolation, in.interpolation, from_name<Interpolation>));
  set(options.align_corners, in.align_corners);
  options.antialias = in.antialias.value_or(options.antialias && !options.align_corners);
  set(options.prefix, in.prefix_tokens);
  return posenc::resize_table(in.table.values(), lanes(in.table), from, to, options, in.out.template as<float>());
}

Expected<void> resize_table(const calls::ResizeTable& in) {
  return resize(in, sequence_resize, {1, rows(in.table) - in.prefix_tokens.value_or(0)}, {1, in.length});
}

Expected<void> resize_grid(const calls::ResizeGrid& in) {
  return resize(in, {}, {in.from[0], in.from[1]}, {in.to[0], in.to[1]});
}

Expected<AxialCombination> combination_of(const std::string& word) {
  AxialCombination combination = AxialCombination::concatenate;
  POSENC_TRY(set(combination, word, from_name<AxialCombination>));
  return combination;
}

Expected<void> reformer_axial(const calls::ReformerAxial& in) {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> dims;
  std::size_t size = 0;
  for (const Tensor& table : in.tables) {
    shape.push_back(rows(table));
    dims.push_back(lanes(table));
    size += table.data.size;
  }
  POSENC_TRY_LET(combination, combination_of(in.combination));
  POSENC_TRY_LET(axial, ReformerAxial::make(shape, dims, combination));
  // One after the other.
  POSENC_TRY_LET(tables, AlignedArray<float>::make_unfilled(size));
  auto next = tables.span().begin();
  for (const Tensor& table : in.tables) next = std::ranges::copy(table.values(), next).out;
  const auto count = static_cast<std::size_t>(in.length.value_or(static_cast<std::int64_t>(axial.rows())));
  return axial.lookup(tables.span(), rows_of(in, count), in.out.as<float>());
}

Expected<void> reformer_axial_gradient(const calls::ReformerAxialGradient& in) {
  POSENC_TRY_LET(combination, combination_of(in.combination));
  POSENC_TRY_LET(axial, ReformerAxial::make(in.shape, in.dims, combination));
  POSENC_TRY_LET(tables, AlignedArray<float>::make_unfilled(axial.parameters()));
  POSENC_TRY(axial.gradient(in.gradient.values(), rows_of(in, in.gradient.extent(2)), tables.span()));
  std::size_t at = 0;
  for (const Array& out : in.out) {
    std::ranges::copy(tables.span().subspan(at, out.size), out.as<float>().begin());
    at += out.size;
  }
  return {};
}

Expected<void> table_bias(const calls::TableBias& in) {
  return posenc::table_bias(in.ids.data.as<const std::int32_t>(), in.table.extent(1), in.table.values(),
                            in.out.as<float>());
}

Expected<void> table_bias_backward(const calls::TableBiasBackward& in) {
  const std::size_t heads = in.gradient.extent(in.ids.shape.size() + 1);
  POSENC_TRY(check_room(in.out, in.rows, heads));
  return posenc::table_bias_backward(in.ids.data.as<const std::int32_t>(), heads, in.gradient.values(),
                                     in.out.as<float>());
}

Expected<void> sgd_step(const calls::SgdStep& in) {
  SgdOptions options{.lr = in.lr};
  set(options.momentum, in.momentum);
  set(options.dampening, in.dampening);
  set(options.weight_decay, in.weight_decay);
  set(options.nesterov, in.nesterov);
  set(options.step, in.step);
  return posenc::sgd_step(options, in.gradient.as<const float>(), in.parameters.as<float>(), in.buffer.as<float>());
}

Expected<void> adam_step(const calls::AdamStep& in) {
  AdamOptions options{.lr = in.lr, .step = in.step};
  if (const auto betas = in.betas.as<const double>(); !betas.empty()) {
    options.beta1 = betas[0];
    options.beta2 = betas[1];
  }
  set(options.eps, in.eps);
  set(options.weight_decay, in.weight_decay);
  POSENC_TRY(set(options.decay, in.decay, from_name<WeightDecay>));
  return posenc::adam_step(options, in.gradient.as<const float>(), in.parameters.as<float>(),
                           in.first_moment.as<float>(), in.second_moment.as<float>());
}

}  // namespace

EMSCRIPTEN_BINDINGS(learned) {
  expose<&learned_table>();
  expose<&lookup_rows>();
  expose<&add_rows>();
  expose<&rows_gradient>();
  expose<&padded_positions>();
  expose<&resize_table>();
  expose<&resize_grid>();
  expose<&reformer_axial>();
  expose<&reformer_axial_gradient>();
  expose<&table_bias>();
  expose<&table_bias_backward>();
  expose<&sgd_step>();
  expose<&adam_step>();
}

}  // namespace posenc::embind
