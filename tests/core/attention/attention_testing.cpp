#include "attention/attention_testing.hpp"

#include <cmath>
#include <limits>

#include "posenc/attention/dropout.hpp"

namespace testing {
namespace {

std::size_t size_of(const posenc::PairShape& shape) { return shape.batch * shape.heads * shape.queries * shape.keys; }

/// Each axis shared or not.
posenc::PairShape some_shared(const posenc::PairShape& full, Generator& generator) {
  const auto extent = [&](std::size_t own) { return generator.below(2) == 0 ? 1 : own; };
  return {extent(full.batch), extent(full.heads), extent(full.queries), extent(full.keys)};
}

bool allowed(std::uint8_t value, posenc::MaskMeaning meaning) {
  return (value != 0) == (meaning == posenc::MaskMeaning::attend);
}

}  // namespace

AttentionCase::AttentionCase(const posenc::BatchedAttentionShape& its_shape, Generator& generator) : shape(its_shape) {
  resize();
  for (auto* const values : {&query, &key, &value})
    for (float& x : *values) x = generator.fraction();
}

void AttentionCase::resize() {
  query.resize(shape.batch * shape.heads * shape.queries * shape.dim);
  key.resize(shape.batch * shape.kv_heads * shape.keys * shape.dim);
  value.resize(shape.batch * shape.kv_heads * shape.keys * shape.value_dim);
  weights.assign(size_of(pairs()), untouched);
  output.assign(shape.batch * shape.heads * shape.queries * shape.value_dim, untouched);
}

posenc::Expected<void> AttentionCase::attempt() {
  return posenc::attention(shape, options, {query, key, value}, weights, output);
}

double AttentionCase::weight_tolerance() const {
  if (options.precision == posenc::SumPrecision::exact) return 1.2e-7;
  const auto largest = [](std::span<const float> values) {
    double most = 0;
    for (const float x : values)
      if (std::isfinite(x)) most = std::fmax(most, std::fabs(double{x}));
    return most;
  };
  const double scale = std::fabs(options.scale);
  const double product = scale * static_cast<double>(shape.dim) * largest(query) * largest(key);
  const double score = product + (options.bias_scaled ? scale : 1) * largest(options.bias);
  return (2 * (static_cast<double>(shape.dim) + 4) * score + static_cast<double>(shape.keys) / 16 + 16) * 0x1p-24;
}

double AttentionCase::output_tolerance() const {
  if (options.precision == posenc::SumPrecision::exact) return 1.2e-7;
  return weight_tolerance() + static_cast<double>(shape.keys) * 0x1p-24;
}

double AttentionCase::gradient_tolerance() const {
  if (options.precision == posenc::SumPrecision::exact) return 1.8e-7;
  const std::size_t terms = shape.queries * shape.heads * shape.batch + shape.keys + shape.value_dim + 16;
  return 2 * weight_tolerance() + static_cast<double>(terms) * 0x1p-24;
}

AttentionCase::Gradients AttentionCase::backward(const std::vector<float>& d_output) const {
  Gradients out{std::vector<float>(query.size(), untouched), std::vector<float>(key.size(), untouched),
                std::vector<float>(value.size(), untouched), std::vector<float>(options.bias.size(), untouched)};
  value_of(posenc::attention_backward(shape, options, {query, key, value}, d_output,
                                      {out.query, out.key, out.value, out.bias}));
  return out;
}

reference::AttentionProblem AttentionCase::problem() const {
  reference::AttentionProblem problem{shape, options.scale, options.bias_shape, options.bias_scaled, {}, {}};
  const posenc::AttentionMask& mask = options.mask;
  problem.visible = [this, mask](std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
    const posenc::PairShape& s = mask.pairs_shape;
    const std::size_t pair = ((b % s.batch * s.heads + h % s.heads) * s.queries + i % s.queries) * s.keys + j % s.keys;
    if (!mask.pairs.empty() && !allowed(mask.pairs[pair], mask.meaning)) return false;
    if (!mask.keys.empty() && !allowed(mask.keys[b * shape.keys + j], mask.meaning)) return false;
    const auto at = static_cast<std::int64_t>(j), own = mask.offset(b) + static_cast<std::int64_t>(i);
    if (!mask.lengths.empty() && at >= mask.lengths[b]) return false;
    if (mask.window > 0 && at <= own - mask.window) return false;
    return !mask.causal || at <= own;
  };
  if (options.dropout.p > 0) {
    // Dropout has its own tests: here it is applied to ones.
    const std::vector<float> ones(weights.size(), 1);
    std::vector<float> factors(ones.size());
    value_of(posenc::dropout(options.dropout, ones, factors));
    for (const float factor : factors)
      problem.factors.push_back(
          factor == 0 || !options.dropout.training ? factor : 1 / static_cast<reference::Quad>(1 - options.dropout.p));
  }
  return problem;
}

reference::AttentionArguments AttentionCase::arguments() const {
  return {reference::widened(query), reference::widened(key), reference::widened(value),
          reference::widened(options.bias)};
}

posenc::BatchedAttentionShape random_batched_shape(Generator& generator) {
  const std::size_t kv_heads = 1 + generator.below(2);
  return {.batch = 1 + generator.below(2),
          .heads = kv_heads * (1 + generator.below(3)),
          .kv_heads = kv_heads,
          .queries = generator.below(7),
          .keys = generator.below(9),
          .dim = 1 + generator.below(5),
          .value_dim = 1 + generator.below(4)};
}

void randomize(AttentionCase& c, Generator& generator) {
  c.options.scale = c.query.empty() ? 1 : double{generator.fraction()} * 2;
  if (generator.below(3) != 0) {
    c.options.bias_shape = some_shared(c.pairs(), generator);
    c.options.bias_scaled = generator.below(2) == 0;
    c.bias = fractions(size_of(c.options.bias_shape), generator.next());
    for (float& x : c.bias)
      if (generator.below(6) == 0) x = -std::numeric_limits<float>::infinity();
    c.options.bias = c.bias;
  }
  c.options.mask.meaning = generator.below(2) == 0 ? posenc::MaskMeaning::attend : posenc::MaskMeaning::ignore;
  const std::uint8_t usual = c.options.mask.meaning == posenc::MaskMeaning::attend ? 1 : 0;
  if (generator.below(2) == 0) {
    c.options.mask.pairs_shape = some_shared(c.pairs(), generator);
    c.pairs_allowed.assign(size_of(c.options.mask.pairs_shape), usual);
    for (auto& x : c.pairs_allowed) x = generator.below(4) == 0 ? 1 - usual : usual;
    c.options.mask.pairs = c.pairs_allowed;
  }
  if (generator.below(2) == 0) {
    c.keys_allowed.assign(c.shape.batch * c.shape.keys, usual);
    for (auto& x : c.keys_allowed) x = generator.below(4) == 0 ? 1 - usual : usual;
    c.options.mask.keys = c.keys_allowed;
  }
  c.options.mask.causal = generator.below(2) == 0;
  c.options.mask.query_offset = static_cast<std::int64_t>(generator.below(8)) - 2;
  if (generator.below(2) == 0)
    c.options.dropout = {
        .p = 0.3, .seed = generator.next(), .first = generator.below(100), .training = generator.below(4) != 0};
  if (generator.below(2) == 0) c.options.mask.window = static_cast<std::int64_t>(1 + generator.below(4));
  for (std::size_t b = 0; b < c.shape.batch; ++b) {
    c.lengths.push_back(static_cast<std::int64_t>(generator.below(c.shape.keys + 1)));
    c.offsets.push_back(static_cast<std::int64_t>(generator.below(8)) - 2);
  }
  if (generator.below(2) == 0) c.options.mask.lengths = c.lengths;
  if (generator.below(2) == 0) c.options.mask.query_offsets = c.offsets;
}

}  // namespace testing
