#include "modules.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error_code.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/fire.hpp"
#include "posenc/relative/kerple.hpp"
#include "posenc/relative/position_map.hpp"
#include "posenc/relative/relative_position.hpp"
#include "posenc/relative/sandwich.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/swin.hpp"
#include "posenc/relative/t5.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace posenc::embind {
namespace {

Expected<RelativePositions> relative_positions(const calls::PairFields& in, std::int64_t heads = 1) {
  BiasShape shape{.heads = heads};
  POSENC_TRY(fill<Handled<"form">>(shape, in));
  return RelativePositions::make(shape);
}

/// The relative positions of queries [heads, queries, dim] or [queries, dim], which may start at an offset.
Expected<RelativePositions> relative_positions(const Tensor& query, std::size_t keys,
                                               std::optional<std::int64_t> offset) {
  return RelativePositions::make({query.extent(3), query.extent(2), keys, offset.value_or(0)});
}

/// Writes what depends on the relative position alone: `fill` makes the compact form, [heads, distances, inner], which
/// is expanded where the full one is wanted. Without room for that, `fill` says what is wrong with the options.
template <class T, class Fill>
Expected<void> write_pairs(const calls::PairFields& in, const RelativePositions& positions, std::size_t inner,
                           std::span<T> out, const Fill& fill) {
  if (in.form == "compact") return fill(out);
  const std::size_t size = out.empty() ? 0 : positions.heads() * positions.distances() * inner;
  POSENC_TRY_LET(line, AlignedArray<T>::make_unfilled(size));
  POSENC_TRY(fill(line.span()));
  return relative_expand(positions, inner, line.span(), out);
}

/// Ids of relative positions: `fill` writes their compact form.
template <class Fill>
Expected<void> write_ids(const calls::PairFields& in, const Array& out, const Fill& fill) {
  POSENC_TRY_LET(positions, relative_positions(in));
  return write_pairs(in, positions, 1, out.as<std::int32_t>(),
                     [&](std::span<std::int32_t> line) { return fill(positions, line); });
}

/// A bias by the options that all have: `fill` writes its compact form, by positions and `future`.
template <class Fill>
Expected<void> write_bias(const calls::BiasFields& in, std::size_t heads, const Array& out, const Fill& fill) {
  POSENC_TRY_LET(positions, relative_positions(in, static_cast<std::int64_t>(heads)));
  auto future = Future::keep;
  POSENC_TRY(set(future, in.future));
  return write_pairs(in, positions, 1, out.as<float>(),
                     [&](std::span<float> line) { return fill(positions, future, line); });
}

/// Writes a bias that is a function of its options.
template <class Options>
Expected<void> write_bias(const calls::BiasFields& in, std::size_t heads, const Array& out, const Options& options,
                          Expected<void> (*bias)(const Options&, const RelativePositions&, Future, std::span<float>)) {
  return write_bias(in, heads, out, [&](const RelativePositions& positions, Future future, std::span<float> line) {
    return bias(options, positions, future, line);
  });
}

/// Attention that knows relative positions, as wide as its tensors.
template <class Inputs, class... Elsewhere, class Call>
Expected<Inputs> inputs_of(const Call& in) {
  Inputs inputs;
  inputs.dim = in.query.extent(1);
  inputs.value_dim = in.value.extent(1);
  inputs.scale = attention_scale(inputs.dim);
  POSENC_TRY(fill<Handled<"query_offset">, Elsewhere...>(inputs, in));
  return inputs;
}

template <class Call>
Expected<SwinLogCpb> log_cpb_of(const Call& in) {
  SwinLogCpb cpb;
  cpb.window = {.height = in.height, .width = in.width};
  POSENC_TRY(fill<Handled<"height", "width">>(cpb, in));
  return cpb;
}

}  // namespace

Expected<void> run(const calls::RelativeOffsets& in) { return write_ids(in, in.out, relative_offsets); }

Expected<void> run(const calls::PositionMap& in) {
  POSENC_TRY_LET(options, (filled<PositionMapOptions, Handled<"queries", "keys", "query_offset">>(in)));
  POSENC_TRY_LET(map, PositionMap::make(options));
  POSENC_TRY_LET(positions, RelativePositions::make({1, in.queries, in.keys, in.query_offset.value_or(0)}));
  return map.write(positions, {in.out.distances, in.out.region, in.out.query_positions, in.out.key_positions});
}

Expected<void> run(const calls::RelativeSinusoidal& in) {
  POSENC_TRY_LET(sinusoid, sinusoid_of(in));
  auto sign = RelativeSign::key_minus_query;
  POSENC_TRY(set(sign, in.sign));
  POSENC_TRY_LET(positions, relative_positions(in));
  return write_pairs(in, positions, static_cast<std::size_t>(in.dim), in.out.as<float>(),
                     [&](std::span<float> line) { return relative_sinusoidal(sinusoid, sign, positions, line); });
}

Expected<void> run(const calls::RelativeExpand& in) {
  POSENC_TRY_LET(positions, RelativePositions::make({in.compact.extent(2), in.queries, in.keys}));
  return relative_expand(positions, 1, in.compact.as<const float>(), in.out.as<float>());
}

Expected<void> run(const calls::RelativeExpandIds& in) {
  POSENC_TRY_LET(positions, RelativePositions::make({1, in.queries, in.keys}));
  return relative_expand(positions, 1, in.compact.as<const std::int32_t>(), in.out.as<std::int32_t>());
}

Expected<void> run(const calls::AlibiSlopes& in) {
  POSENC_TRY_LET(options, filled<AlibiOptions, Handled<"heads">>(in));
  POSENC_TRY_LET(positions, RelativePositions::make({.heads = in.heads}));
  if (in.out.size != positions.heads())
    return std::unexpected(Error("out", static_cast<double>(in.out.size), expected::values, {positions.heads()}));
  return alibi_slopes(options, in.out);
}

Expected<void> run(const calls::Alibi& in) {
  POSENC_TRY_LET(options, filled<AlibiOptions, calls::BiasFields, Handled<"heads">>(in));
  return write_bias(in, static_cast<std::size_t>(in.heads), in.out, options, alibi_bias);
}

Expected<void> run(const calls::Kerple& in) {
  POSENC_TRY_LET(options, filled<KerpleOptions, calls::BiasFields>(in));
  return write_bias(in, options.r1.size(), in.out, options, kerple_bias);
}

Expected<void> run(const calls::Sandwich& in) {
  POSENC_TRY_LET(options, filled<SandwichOptions, calls::BiasFields, Handled<"heads">>(in));
  return write_bias(in, static_cast<std::size_t>(in.heads), in.out, options, sandwich_bias);
}

Expected<void> run(const calls::T5Buckets& in) {
  POSENC_TRY_LET(options, filled<T5Options, calls::PairFields>(in));
  POSENC_TRY_LET(buckets, T5Buckets::make(options));
  return write_ids(in, in.out, [&](const RelativePositions& positions, std::span<std::int32_t> line) {
    return buckets.ids(positions, line);
  });
}

Expected<void> run(const calls::T5& in) {
  POSENC_TRY_LET(options, filled<T5Options, calls::BiasFields, Handled<"table">>(in));
  POSENC_TRY_LET(buckets, T5Buckets::make(options));
  return write_bias(in, in.table.extent(1), in.out,
                    [&](const RelativePositions& positions, Future future, std::span<float> line) {
                      return buckets.bias(positions, future, in.table, line);
                    });
}

Expected<void> run(const calls::Fire& in) {
  POSENC_TRY_LET(options, filled<FireOptions, calls::BiasFields>(in));
  POSENC_TRY_LET(positions, relative_positions(in, static_cast<std::int64_t>(in.perceptron.weight2.extent(2))));
  auto future = Future::keep;
  POSENC_TRY(set(future, in.future));
  return (in.form == "compact" ? fire_bias_compact : fire_bias)(options, positions, future, in.out);
}

Expected<void> run(const calls::SwinIndex& in) {
  POSENC_TRY_LET(window, filled<SwinWindow>(in));
  return swin_index(window, in.out);
}

Expected<void> run(const calls::SwinBias& in) {
  POSENC_TRY_LET(window, filled<SwinWindow, Handled<"table">>(in));
  return swin_bias(window, in.table.extent(1), in.table, in.out);
}

Expected<void> run(const calls::SwinLogCoordinates& in) {
  POSENC_TRY_LET(cpb, log_cpb_of(in));
  return swin_log_coordinates(cpb, in.out);
}

Expected<void> run(const calls::SwinLogCpb& in) {
  POSENC_TRY_LET(cpb, log_cpb_of(in));
  return swin_log_cpb(cpb, in.perceptron.weight2.extent(2), in.out);
}

Expected<void> run(const calls::ShawIds& in) {
  return write_ids(in, in.out, [&](const RelativePositions& positions, std::span<std::int32_t> line) {
    return shaw_ids(positions, in.max_distance, line);
  });
}

Expected<void> run(const calls::ShawAttention& in) {
  POSENC_TRY_LET(inputs, (inputs_of<ShawInputs, Handled<"weights">>(in)));
  POSENC_TRY_LET(positions, relative_positions(in.query, in.key.extent(2), in.query_offset));
  return shaw_attention(positions, inputs, in.out.weights, in.out.output);
}

Expected<void> run(const calls::ShawBackward& in) {
  POSENC_TRY_LET(inputs, (inputs_of<ShawInputs, Handled<"gradient">>(in)));
  POSENC_TRY_LET(positions, relative_positions(in.query, in.key.extent(2), in.query_offset));
  const ShawGradients gradients{in.out.query, in.out.key, in.out.value, in.out.key_table, in.out.value_table};
  return shaw_backward(positions, inputs, in.gradient, gradients);
}

Expected<void> run(const calls::TransformerXl& in) {
  POSENC_TRY_LET(inputs, (inputs_of<TransformerXlInputs, Handled<"weights">>(in)));
  POSENC_TRY_LET(positions, relative_positions(in.query, in.key.extent(2), in.query_offset));
  return transformer_xl_attention(positions, inputs, in.out.weights, in.out.output);
}

Expected<void> run(const calls::RelativeShift& in) {
  return relative_shift(in.x.extent(3), in.x.extent(2), in.x.extent(1), in.x, in.out);
}

Expected<void> run(const calls::Cope& in) {
  CopeInputs inputs;
  inputs.dim = in.query.extent(1);
  POSENC_TRY(fill<Handled<"query_offset">>(inputs, in));
  POSENC_TRY_LET(positions, relative_positions(in.query, in.logits.extent(1), in.query_offset));
  return cope_bias(positions, inputs, in.out.bias, in.out.counts);
}

}  // namespace posenc::embind
