#include "posenc/attention/attention.hpp"

#include <algorithm>
#include <limits>

#include "functions.hpp"
#include "invariants.hpp"
#include "posenc/attention/linear.hpp"
#include "posenc/attention/softmax.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace fuzz {

using namespace posenc;

namespace {

/// Extents of an array over pairs, shared or not; now and then ones that do not fit.
PairShape pair_shape(Bytes& bytes, const PairShape& full) {
  const auto extent = [&](std::size_t own) { return bytes.flag() ? own : bytes.flag() ? 1 : bytes.below(4); };
  return {extent(full.batch), extent(full.heads), extent(full.queries), extent(full.keys)};
}

std::size_t size_of(const PairShape& shape) { return shape.batch * shape.heads * shape.queries * shape.keys; }

/// Blocks of keys, some of them masked as a whole, in either form of bias; forward, then backward.
void fuzz_blocks(Bytes& bytes) {
  const std::size_t kv_heads = bytes.below(3);
  const BatchedAttentionShape shape{bytes.below(3),  kv_heads * bytes.below(4), kv_heads,
                                    bytes.below(12), bytes.below(160),          bytes.below(5),
                                    bytes.below(5)};
  const auto& [batch, heads, of_keys, queries, keys, dim, value_dim] = shape;
  const PairShape pairs{batch, heads, queries, keys};
  AttentionOptions options{.scale = bytes.number(), .bias_scaled = bytes.flag()};
  options.precision = bytes.one_up_to(SumPrecision::exact);
  options.bias_form = bytes.one_up_to(BiasForm::compact);
  options.bias_shape = options.bias_form == BiasForm::full || bytes.below(8) == 0
                           ? pair_shape(bytes, pairs)
                           : PairShape{1, bytes.flag() ? heads : 1, 1, queries + keys - 1};
  std::vector<float> bias = bytes.floats(bytes.flag() ? bytes.size_near(size_of(options.bias_shape) % 100000) : 0);
  for (float& x : bias)
    if (!(x <= 3e38f) && bytes.below(8) != 0) x = -std::numeric_limits<float>::infinity();
  options.bias = bias;
  options.mask = {.meaning = bytes.one_up_to(MaskMeaning::ignore), .pairs_shape = pair_shape(bytes, pairs)};
  const auto some = [&](std::size_t size) {
    std::vector<std::uint8_t> mask(bytes.flag() ? bytes.size_near(size) : 0);
    const std::size_t first = bytes.below(mask.size() + 1);
    std::fill(mask.begin() + static_cast<std::ptrdiff_t>(first), mask.end(), std::uint8_t{1});
    return mask;
  };
  const auto visible = some(size_of(options.mask.pairs_shape)), padding = some(batch * keys);
  options.mask.pairs = visible;
  options.mask.keys = padding;
  options.mask.causal = bytes.flag();
  options.mask.query_offset = bytes.extent();
  if (bytes.flag()) options.dropout = {.p = 0.5, .seed = bytes.below(9), .first = bytes.below(9)};
  const std::vector<float> query = bytes.floats(bytes.size_near(batch * heads * queries * dim));
  const std::vector<float> key = bytes.floats(bytes.size_near(batch * kv_heads * keys * dim));
  const std::vector<float> value = bytes.floats(bytes.size_near(batch * kv_heads * keys * value_dim));
  const AttentionInputs inputs{query, key, value};
  Output<float> weights(bytes.flag() ? bytes.size_near(size_of(pairs)) : 0);
  Output<float> output(bytes.size_near(batch * heads * queries * value_dim));
  const auto done = attention(shape, options, inputs, weights.span(), output.span());
  weights.check(done);
  if (!output.check(done)) return;
  Output<float> d_query(query.size()), d_key(bytes.flag() ? key.size() : 0), d_value(bytes.flag() ? value.size() : 0),
      d_bias(bytes.flag() ? bias.size() : 0);
  const auto undone = attention_backward(shape, options, inputs, output.span(),
                                         {d_query.span(), d_key.span(), d_value.span(), d_bias.span()});
  d_query.check(undone);
  d_bias.check(undone);
}

/// Parts of panels in every direction: forward and backward of a layer, and of the softmax of what it gives.
void fuzz_layers(Bytes& bytes) {
  const LinearExtents extents{bytes.below(40), bytes.below(70), bytes.below(70)};
  const auto& [rows, in, out] = extents;
  const SumPrecision precision = bytes.one_up_to(SumPrecision::exact);
  const std::vector<float> weight = bytes.floats(bytes.size_near(out * in));
  const std::vector<float> bias = bytes.floats(bytes.flag() ? bytes.size_near(out) : 0);
  const std::vector<float> x = bytes.floats(bytes.size_near(rows * in));
  Output<float> y(bytes.size_near(rows * out));
  y.check(linear({weight, bias}, extents, precision, x, y.span()));
  Output<float> dx(bytes.flag() ? bytes.size_near(x.size()) : 0), d_weight(bytes.size_near(weight.size())),
      d_bias(bytes.size_near(out));
  const auto made =
      linear_backward({weight, bias}, extents, precision, x, y.span(), {dx.span(), d_weight.span(), d_bias.span()});
  dx.check(made);
  d_weight.check(made);
  d_bias.check(made);
  Output<float> weights(bytes.size_near(x.size())), d_scores(bytes.size_near(x.size()));
  weights.check(softmax(in, precision, x, weights.span()));
  d_scores.check(softmax_backward(in, precision, weights.span(), x, d_scores.span()));
}

}  // namespace

void fuzz_attention(Bytes& bytes) {
  if (bytes.flag()) return bytes.flag() ? fuzz_layers(bytes) : fuzz_blocks(bytes);
  const std::size_t in = bytes.below(6);
  const std::vector<float> weight = bytes.floats(bytes.size_near(in * bytes.below(6)));
  const std::vector<float> x = bytes.floats(bytes.size_near(in * bytes.below(6)));
  Output<float> y(bytes.size_near(in == 0 ? 0 : x.size() / in * (weight.size() / in)));
  y.check(linear(x, weight, in, bytes.flag() ? SumPrecision::exact : SumPrecision::float32, y.span()));
  const LinearExtents extents{bytes.below(6), in, bytes.below(6)};
  Output<float> packed(bytes.size_near(extents.rows * extents.out));
  packed.check(packed_linear(weight, extents, x, packed.span()));

  const AttentionShape shape{bytes.below(9), bytes.below(9), bytes.below(9), bytes.below(9), bytes.below(5)};
  const std::vector<float> query = bytes.floats(bytes.size_near(shape.heads * shape.queries * shape.dim));
  const std::vector<float> key = bytes.floats(bytes.size_near(shape.heads * shape.keys * shape.dim));
  const std::vector<float> value = bytes.floats(bytes.size_near(shape.heads * shape.keys * shape.value_dim));
  const std::size_t scores = shape.heads * shape.queries * shape.keys;
  const std::vector<float> bias = bytes.floats(bytes.flag() ? bytes.size_near(scores) : 0);
  Output<float> weights(bytes.size_near(scores));
  Output<float> output(bytes.size_near(shape.heads * shape.queries * shape.value_dim));
  const auto done = attention(shape, bytes.number(), query, key, value, weights.span(), output.span(),
                              {bias, bytes.flag()}, bytes.one_up_to(SumPrecision::exact));
  weights.check(done);
  output.check(done);
}

void fuzz_relative_attention(Bytes& bytes) {
  const std::size_t heads = bytes.below(4) + 1;
  const std::size_t queries = bytes.below(7);
  const std::size_t keys = bytes.below(7);
  const std::size_t dim = bytes.below(6);
  const std::size_t value_dim = bytes.below(6);
  const auto positions = RelativePositions::make({static_cast<std::int64_t>(heads), static_cast<std::int64_t>(queries),
                                                  static_cast<std::int64_t>(keys), bytes.extent()});
  if (!check(positions)) return;
  const Future future = bytes.one_up_to(Future::mask);
  const std::vector<float> query = bytes.floats(bytes.size_near(heads * queries * dim));
  const std::vector<float> key = bytes.floats(bytes.size_near(heads * keys * dim));
  const std::vector<float> value = bytes.floats(bytes.size_near(heads * keys * value_dim));
  Output<float> weights(bytes.size_near(heads * queries * keys));
  Output<float> output(bytes.size_near(heads * queries * value_dim));
  const double scale = bytes.number();
  const auto precision = bytes.one_up_to(SumPrecision::exact);
  if (bytes.flag()) {
    const std::int64_t distance = bytes.extent();
    const std::size_t rows = 2 * volume({distance}) + 1;
    const std::vector<float> key_table = bytes.floats(bytes.flag() ? bytes.size_near(rows * dim) : 0);
    const std::vector<float> value_table = bytes.floats(bytes.flag() ? bytes.size_near(rows * value_dim) : 0);
    const ShawInputs inputs{dim, value_dim, scale,     distance,    future,   query,
                            key, value,     key_table, value_table, precision};
    const auto done = shaw_attention(*positions, inputs, weights.span(), output.span());
    weights.check(done);
    output.check(done);
    const std::vector<float> d_output = bytes.floats(bytes.size_near(heads * queries * value_dim));
    Output<float> d_query(bytes.size_near(query.size())), d_key(bytes.size_near(key.size())),
        d_value(bytes.size_near(value.size())), d_key_table(bytes.size_near(key_table.size())),
        d_value_table(bytes.size_near(value_table.size()));
    const auto moved =
        shaw_backward(*positions, inputs, d_output,
                      {d_query.span(), d_key.span(), d_value.span(), d_key_table.span(), d_value_table.span()});
    for (auto* const gradient : {&d_query, &d_key, &d_value, &d_key_table, &d_value_table}) gradient->check(moved);
    return;
  }
  const std::vector<float> relative = bytes.floats(bytes.size_near(heads * positions->distances() * dim));
  const std::vector<float> content_bias = bytes.floats(bytes.size_near(heads * dim));
  const std::vector<float> position_bias = bytes.floats(bytes.size_near(heads * dim));
  const auto done = transformer_xl_attention(
      *positions, {dim, value_dim, scale, future, query, key, value, relative, content_bias, position_bias, precision},
      weights.span(), output.span());
  weights.check(done);
  output.check(done);

  const std::size_t width = bytes.below(9);
  const std::vector<float> x = bytes.floats(bytes.size_near(heads * queries * width));
  Output<float> shifted(bytes.size_near(heads * queries * width));
  shifted.check(relative_shift(heads, queries, width, x, shifted.span()));
}

}  // namespace fuzz
