#include "calls.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/fire.hpp"
#include "posenc/relative/kerple.hpp"
#include "posenc/relative/relative_sinusoidal.hpp"
#include "posenc/relative/sandwich.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/swin.hpp"
#include "posenc/relative/t5.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "sinusoidal.hpp"

namespace posenc::embind {
namespace {

/// `queries`, `keys` and `queryOffset`.
template <class Call>
Expected<RelativePositions> positions_of(const Call& in, std::int64_t heads = 1) {
  return RelativePositions::make({heads, in.queries, in.keys, in.query_offset.value_or(0)});
}

/// Writes what depends on the relative position alone: `fill` makes the compact form, [heads, distances, inner], which
/// is expanded where the full one is wanted. Without room for that, `fill` says what is wrong with the options.
template <class T, class Fill>
Expected<void> write_pairs(const RelativePositions& positions, const std::string& form, std::size_t inner,
                           std::span<T> out, const Fill& fill) {
  if (form == "compact") return fill(out);
  const std::size_t size = out.empty() ? 0 : positions.heads() * positions.distances() * inner;
  POSENC_TRY_LET(line, AlignedArray<T>::make_unfilled(size));
  POSENC_TRY(fill(line.span()));
  return relative_expand(positions, inner, line.span(), out);
}

/// Ids of relative positions: `fill` writes their compact form.
template <class Call, class Fill>
Expected<void> write_ids(const Call& in, const Fill& fill) {
  POSENC_TRY_LET(positions, positions_of(in));
  return write_pairs(positions, in.form, 1, in.out.template as<std::int32_t>(),
                     [&](std::span<std::int32_t> line) { return fill(positions, line); });
}

/// A bias by the options that all have: `fill` writes its compact form, by positions and `future`.
template <class Call, class Fill>
Expected<void> write_bias(const Call& in, std::int64_t heads, const Fill& fill) {
  POSENC_TRY_LET(positions, positions_of(in, heads));
  Future future = Future::keep;
  POSENC_TRY(set(future, in.future, from_name<Future>));
  return write_pairs(positions, in.form, 1, in.out.template as<float>(),
                     [&](std::span<float> line) { return fill(positions, future, line); });
}

Expected<void> offsets(const calls::RelativeOffsets& in) { return write_ids(in, relative_offsets); }

Expected<void> sinusoidal(const calls::RelativeSinusoidal& in) {
  POSENC_TRY_LET(sinusoid, sinusoid_of(in));
  RelativeSign sign = RelativeSign::key_minus_query;
  POSENC_TRY(set(sign, in.sign, from_name<RelativeSign>));
  POSENC_TRY_LET(positions, positions_of(in));
  return write_pairs(positions, in.form, static_cast<std::size_t>(in.dim), in.out.as<float>(),
                     [&](std::span<float> line) { return relative_sinusoidal(sinusoid, sign, positions, line); });
}

Expected<void> expand(const calls::RelativeExpand& in) {
  POSENC_TRY_LET(positions, RelativePositions::make({in.compact.extent(2), in.queries, in.keys}));
  return relative_expand(positions, 1, in.compact.values(), in.out.as<float>());
}

Expected<void> expand_ids(const calls::RelativeExpandIds& in) {
  POSENC_TRY_LET(positions, RelativePositions::make({1, in.queries, in.keys}));
  return relative_expand(positions, 1, in.compact.as<const std::int32_t>(), in.out.as<std::int32_t>());
}

template <class Call>
Expected<AlibiOptions> alibi_options(const Call& in) {
  AlibiOptions options;
  POSENC_TRY(set(options.slopes, in.slopes, from_name<AlibiSlopes>));
  set(options.steepness, in.steepness);
  return options;
}

Expected<void> alibi_slopes(const calls::AlibiSlopes& in) {
  POSENC_TRY_LET(options, alibi_options(in));
  POSENC_TRY_LET(positions, RelativePositions::make({.heads = in.heads}));
  if (in.out.size != positions.heads())
    return std::unexpected(
        Error{"out", static_cast<double>(in.out.size), std::to_string(positions.heads()) + " values"});
  return posenc::alibi_slopes(options, in.out.as<float>());
}

Expected<void> alibi(const calls::Alibi& in) {
  POSENC_TRY_LET(options, alibi_options(in));
  POSENC_TRY(set(options.distance, in.distance, from_name<AlibiDistance>));
  return write_bias(in, in.heads, [&](const RelativePositions& positions, Future future, std::span<float> out) {
    return alibi_bias(options, positions, future, out);
  });
}

Expected<void> kerple(const calls::Kerple& in) {
  POSENC_TRY_LET(kernel, from_name<KerpleKernel>(in.kernel));
  const KerpleOptions options{.kernel = kernel, .r1 = in.r1.as<const float>(), .r2 = in.r2.as<const float>()};
  return write_bias(in, std::ssize(options.r1),
                    [&](const RelativePositions& positions, Future future, std::span<float> out) {
                      return kerple_bias(options, positions, future, out);
                    });
}

Expected<void> sandwich(const calls::Sandwich& in) {
  SandwichOptions options;
  set(options.dim, in.dim);
  set(options.base, in.base);
  POSENC_TRY(set(options.indices, in.indices, from_name<SandwichIndices>));
  return write_bias(in, in.heads, [&](const RelativePositions& positions, Future future, std::span<float> out) {
    return sandwich_bias(options, positions, future, out);
  });
}

template <class Call>
Expected<T5Buckets> buckets_of(const Call& in) {
  T5Options options{.bidirectional = in.bidirectional};
  set(options.buckets, in.buckets);
  set(options.max_distance, in.max_distance);
  return T5Buckets::make(options);
}

Expected<void> t5_buckets(const calls::T5Buckets& in) {
  POSENC_TRY_LET(buckets, buckets_of(in));
  return write_ids(
      in, [&](const RelativePositions& positions, std::span<std::int32_t> out) { return buckets.ids(positions, out); });
}

Expected<void> t5(const calls::T5& in) {
  POSENC_TRY_LET(buckets, buckets_of(in));
  return write_bias(in, in.table.extent(1),
                    [&](const RelativePositions& positions, Future future, std::span<float> out) {
                      return buckets.bias(positions, future, in.table.values(), out);
                    });
}

Perceptron perceptron_of(const calls::Perceptron& in) {
  return {in.weight1.values(), in.bias1.values(), in.weight2.values(), in.bias2.values()};
}

Expected<void> fire(const calls::Fire& in) {
  FireOptions options{.perceptron = perceptron_of(in.perceptron)};
  set(options.c, in.c);
  set(options.threshold, in.threshold);
  set(options.epsilon, in.epsilon);
  POSENC_TRY_LET(positions, positions_of(in, in.perceptron.weight2.extent(2)));
  Future future = Future::keep;
  POSENC_TRY(set(future, in.future, from_name<Future>));
  return (in.form == "compact" ? fire_bias_compact : fire_bias)(options, positions, future, in.out.as<float>());
}

template <class Call>
SwinWindow window_of(const Call& in) {
  SwinWindow window{.height = in.height, .width = in.width};
  set(window.class_token, in.class_token);
  return window;
}

Expected<void> swin_index(const calls::SwinIndex& in) {
  return posenc::swin_index(window_of(in), in.out.as<std::int32_t>());
}

Expected<void> swin_bias(const calls::SwinBias& in) {
  return posenc::swin_bias(window_of(in), in.table.extent(1), in.table.values(), in.out.as<float>());
}

template <class Call>
SwinLogCpb log_cpb_of(const Call& in, const Perceptron& perceptron) {
  SwinLogCpb cpb{.window = {.height = in.height, .width = in.width}, .perceptron = perceptron};
  set(cpb.pretrained_height, in.pretrained_height);
  set(cpb.pretrained_width, in.pretrained_width);
  return cpb;
}

Expected<void> swin_log_coordinates(const calls::SwinLogCoordinates& in) {
  return posenc::swin_log_coordinates(log_cpb_of(in, {}), in.out.as<float>());
}

Expected<void> swin_log_cpb(const calls::SwinLogCpb& in) {
  const auto cpb = log_cpb_of(in, perceptron_of(in.perceptron));
  return posenc::swin_log_cpb(cpb, in.perceptron.weight2.extent(2), in.out.as<float>());
}

/// Of queries [heads, queries, dim] or without heads, which may stand at an offset.
Expected<RelativePositions> positions_of(const Tensor& query, std::size_t keys, std::optional<std::int64_t> offset) {
  return RelativePositions::make({query.extent(3), query.extent(2), keys, offset.value_or(0)});
}

Expected<void> shaw_ids(const calls::ShawIds& in) {
  return write_ids(in, [&](const RelativePositions& positions, std::span<std::int32_t> out) {
    return posenc::shaw_ids(positions, in.max_distance, out);
  });
}

template <class Call>
Expected<ShawInputs> shaw_inputs(const Call& in) {
  const std::size_t dim = in.query.extent(1);
  ShawInputs inputs{.dim = dim,
                    .value_dim = in.value.extent(1),
                    .scale = in.scale.value_or(attention_scale(dim)),
                    .max_distance = in.max_distance,
                    .query = in.query.values(),
                    .key = in.key.values(),
                    .value = in.value.values(),
                    .key_table = in.key_table.values(),
                    .value_table = in.value_table.values()};
  POSENC_TRY(set(inputs.future, in.future, from_name<Future>));
  return inputs;
}

Expected<void> shaw_attention(const calls::ShawAttention& in) {
  POSENC_TRY_LET(inputs, shaw_inputs(in));
  POSENC_TRY_LET(positions, positions_of(in.query, in.key.extent(2), in.query_offset));
  return posenc::shaw_attention(positions, inputs, in.out.weights.as<float>(), in.out.output.as<float>());
}

Expected<void> shaw_backward(const calls::ShawBackward& in) {
  POSENC_TRY_LET(inputs, shaw_inputs(in));
  POSENC_TRY_LET(positions, positions_of(in.query, in.key.extent(2), in.query_offset));
  const ShawGradients gradients{in.out.query.as<float>(), in.out.key.as<float>(), in.out.value.as<float>(),
                                in.out.key_table.as<float>(), in.out.value_table.as<float>()};
  return posenc::shaw_backward(positions, inputs, in.weights.values(), in.gradient.values(), gradients);
}

Expected<void> transformer_xl(const calls::TransformerXl& in) {
  const std::size_t dim = in.query.extent(1);
  TransformerXlInputs inputs{.dim = dim,
                             .value_dim = in.value.extent(1),
                             .scale = in.scale.value_or(attention_scale(dim)),
                             .query = in.query.values(),
                             .key = in.key.values(),
                             .value = in.value.values(),
                             .relative = in.relative.values(),
                             .content_bias = in.content_bias.values(),
                             .position_bias = in.position_bias.values()};
  POSENC_TRY(set(inputs.future, in.future, from_name<Future>));
  POSENC_TRY_LET(positions, positions_of(in.query, in.key.extent(2), in.query_offset));
  return transformer_xl_attention(positions, inputs, in.out.weights.as<float>(), in.out.output.as<float>());
}

Expected<void> shift(const calls::RelativeShift& in) {
  return relative_shift(in.x.extent(3), in.x.extent(2), in.x.extent(1), in.x.values(), in.out.as<float>());
}

Expected<void> cope(const calls::Cope& in) {
  CopeInputs inputs{.dim = in.query.extent(1),
                    .query = in.query.values(),
                    .logits = in.logits.values(),
                    .embedding = in.embedding.values()};
  POSENC_TRY(set(inputs.future, in.future, from_name<Future>));
  POSENC_TRY_LET(positions, positions_of(in.query, in.logits.extent(1), in.query_offset));
  return cope_bias(positions, inputs, in.out.bias.as<float>(), in.out.counts.as<float>());
}

}  // namespace

EMSCRIPTEN_BINDINGS(relative) {
  expose<&offsets>();
  expose<&sinusoidal>();
  expose<&expand>();
  expose<&expand_ids>();
  expose<&alibi>();
  expose<&alibi_slopes>();
  expose<&kerple>();
  expose<&sandwich>();
  expose<&t5>();
  expose<&t5_buckets>();
  expose<&fire>();
  expose<&swin_index>();
  expose<&swin_bias>();
  expose<&swin_log_coordinates>();
  expose<&swin_log_cpb>();
  expose<&shaw_ids>();
  expose<&shaw_attention>();
  expose<&shaw_backward>();
  expose<&transformer_xl>();
  expose<&shift>();
  expose<&cope>();
}

}  // namespace posenc::embind
