/// The same bits on every machine: each recipe's output, hashed, must equal the stored hash. A recipe says in words how
/// to repeat it, so that other languages' tests can check the same list.

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "grid/grid_testing.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/dropout.hpp"
#include "posenc/attention/linear.hpp"
#include "posenc/attention/linear_attention.hpp"
#include "posenc/attention/scaled_dot_product.hpp"
#include "posenc/base/convert.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "posenc/learned/learned_table.hpp"
#include "posenc/learned/optimizer.hpp"
#include "posenc/learned/resize.hpp"
#include "posenc/learned/table_init.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/kerple.hpp"
#include "posenc/relative/sandwich.hpp"
#include "posenc/rotary/float32_rotary.hpp"
#include "posenc/rotary/rotary_shift.hpp"
#include "posenc/rotary/xpos.hpp"
#include "posenc/sinusoidal/fourier.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"
#include "testing/stored_hashes.hpp"
#include "testing/testing.hpp"

using posenc::Direction;
using posenc::Exponent;
using posenc::Layout;
using posenc::Order;
using posenc::Positions;
namespace scaling = posenc::scaling;
using testing::fractions;
using testing::rotated;
using testing::Shape;
using testing::table_of;
using testing::value_of;

namespace {

using Values = std::vector<float>;

/// FNV-1a of 64 bits over the float32 values in order, each as four bytes, the lowest first.
std::uint64_t hash_of(const Values& values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const float value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

/// The cosines of a cache, then its sines.
Values cache_of(const posenc::Rotary& rotary, const Positions& positions) {
  Values cosines(positions.count() * rotary.rotary_dim() / 2);
  Values sines(cosines.size());
  value_of(rotary.cache(positions, cosines, sines));
  cosines.insert(cosines.end(), sines.begin(), sines.end());
  return cosines;
}

Values cache_of(const posenc::RotaryOptions& options, const Positions& positions) {
  return cache_of(value_of(posenc::Rotary::make(options)), positions);
}

/// One head: the weights, then the output. query, key and value are fractions of the seeds 7, 8 and 9.
Values attention_of(const posenc::AttentionShape& shape, double scale) {
  Values weights(shape.queries * shape.keys);
  Values output(shape.queries * shape.value_dim);
  value_of(posenc::attention(shape, scale, fractions(shape.queries * shape.dim, 7),
                             fractions(shape.keys * shape.dim, 8), fractions(shape.keys * shape.value_dim, 9), weights,
                             output));
  weights.insert(weights.end(), output.begin(), output.end());
  return weights;
}

/// A batch of 2 with 4 heads that share 2, 5 queries and 7 keys of dim 8, values of dim 6; causal from offset 2, a bias
/// [4, 1, 7], dropout of 0.25 with seed 9. The weights, the output, then the gradients of query, key, value and bias.
/// query, key, value, bias and the output's gradient are fractions of the seeds 12 to 16.
Values masked_attention() {
  const posenc::BatchedAttentionShape shape{2, 4, 2, 5, 7, 8, 6};
  const Values query = fractions(320, 12), key = fractions(224, 13), value = fractions(168, 14),
               bias = fractions(28, 15);
  posenc::ScaledDotProductOptions options{.scale = 0.5, .bias = bias, .bias_shape = {1, 4, 1, 7}};
  options.mask = {.causal = true, .query_offset = 2};
  options.dropout = {.p = 0.25, .seed = 9};
  Values out(280 + 240 + 320 + 224 + 168 + 28);
  const std::span all(out);
  const auto weights = all.first(280);
  value_of(posenc::scaled_dot_product(shape, options, {query, key, value}, weights, all.subspan(280, 240)));
  value_of(posenc::scaled_dot_product_backward(
      shape, options, {query, key, value}, weights, fractions(240, 16),
      {all.subspan(520, 320), all.subspan(840, 224), all.subspan(1064, 168), all.subspan(1232)}));
  return out;
}

/// A bias of 6 heads, 40 queries and 50 keys in compact form, from query offset 10; the future kept.
template <class Write>
Values bias_of(const Write& write) {
  const auto positions =
      value_of(posenc::RelativePositions::make({.heads = 6, .queries = 40, .keys = 50, .query_offset = 10}));
  Values out(positions.heads() * positions.distances());
  value_of(write(positions, std::span(out)));
  return out;
}

Values grid_of(const posenc::SinusoidalGridChoice& choice, const Shape& shape) {
  const auto grid = value_of(posenc::SinusoidalGrid::make(value_of(posenc::resolve(choice, shape.size())), shape));
  Values out(grid.size());
  value_of(grid.table(out));
  return out;
}

Values fourier_of(const posenc::FourierOptions& options, const Values& weights, const Values& points) {
  const std::vector<double> wide(weights.begin(), weights.end());
  const auto fourier = value_of(posenc::FourierFeatures::make(options, wide));
  Values out(points.size() / fourier.inputs() * fourier.lanes());
  value_of(fourier.features(std::vector<double>(points.begin(), points.end()), out));
  return out;
}

/// `rows` rows from row `first` on.
Values learned_of(const posenc::TableInit& init, std::size_t rows, std::int64_t first) {
  Values out(rows * static_cast<std::size_t>(init.dim));
  value_of(posenc::init_table(init, first, out));
  return out;
}

/// 5 steps of adam on 100 parameters, fractions(100, 14); the gradient of step s is fractions(100, 20 + s).
Values adam_of(posenc::AdamOptions options) {
  Values parameters = fractions(100, 14), first(100), second(100);
  for (options.step = 1; options.step <= 5; ++options.step)
    value_of(posenc::adam_step(options, fractions(100, 20 + static_cast<std::uint32_t>(options.step)), parameters,
                               first, second));
  return parameters;
}

const posenc::RotaryOptions partial{.dim = 50, .layout = Layout::deinterleaved, .rotary_dim = 22};

/// fractions(20 * 3 * dim, 13) of shape [20, 3, dim], rotated by a preset at the points of a grid of 20 cells.
Values on_grid(posenc::RotaryGridPreset preset, std::int64_t dim, const Shape& grid) {
  const auto choice = testing::choice_of(preset, dim);
  const auto points = testing::points_of(value_of(posenc::resolve(choice)).points, grid);
  return rotated(testing::rotary_of(choice), fractions(20 * 3 * static_cast<std::size_t>(dim), 13), {20, 3, dim},
                 posenc::Points::rows(points));
}

/// What values of 16 bits stand for, in float32.
template <class T>
Values widened(const std::vector<T>& values) {
  Values out(values.size());
  value_of(posenc::convert(std::span<const T>(values), std::span(out)));
  return out;
}

/// A table of 100 rows of dim 64, from position 1000.
template <class T>
Values stored_table() {
  std::vector<T> out(100 * 64);
  value_of(value_of(posenc::Sinusoidal::make({.frequencies = {.dim = 64}}))
               .table(Positions::range(100, 1000), std::span(out)));
  return widened(out);
}

/// fractions(9 * 3 * 70, 12) of shape [9, 3, 70], rounded, rotated from position 500.
template <class T>
Values stored_rotation(Layout layout) {
  std::vector<T> x(9 * 3 * 70);
  value_of(posenc::convert(fractions(x.size(), 12), std::span(x)));
  value_of(value_of(posenc::Rotary::make({.dim = 70, .layout = layout}))
               .apply(std::span(x), value_of(posenc::SequenceShape::make(Shape{9, 3, 70})), Positions::range(9, 500)));
  return widened(x);
}

struct Recipe {
  std::string_view name;
  Values (*values)();
};

/// What is hashed. Pseudo-random inputs are testing::fractions(count, seed), see Generator in testing.hpp.
constexpr Recipe recipes[] = {
    // 512 rows of dim 128, everything else by default.
    {"table 512 x 128", [] { return table_of({.frequencies = {.dim = 128}}, Positions::range(512)); }},
    // 100 rows of dim 33, order split, base 500, from position -50.
    {"table split odd",
     [] {
       return table_of({.frequencies = {.dim = 33, .base = 500}, .order = Order::split}, Positions::range(100, -50));
     }},
    // 64 rows of dim 64, exponent double-stepped, from position 0.25.
    {"table double-stepped",
     [] {
       return table_of({.frequencies = {.dim = 64, .exponent = Exponent::double_stepped}}, Positions::range(64, 0.25));
     }},
    // 200 rows of dim 96, from position 2^31 - 100.
    {"table at 2^31", [] { return table_of({.frequencies = {.dim = 96}}, Positions::range(200, 2147483548.0)); }},
    // Dim 64 at the positions 2^53, -2^53, 2^52 + 0.5, 6134899525417045, 1e15, 0.1, -7.3.
    {"table up to 2^53",
     [] {
       const std::vector<double> positions{0x1p53, -0x1p53, 0x1p52 + 0.5, 6134899525417045.0, 1e15, 0.1, -7.3};
       return table_of({.frequencies = {.dim = 64}}, Positions::list(positions));
     }},
    // 100 rows of dim 66, preset mlx, from position 7.
    {"table mlx",
     [] {
       return table_of(value_of(posenc::resolve({.dim = 66, .preset = posenc::SinusoidalPreset::mlx})),
                       Positions::range(100, 7));
     }},
    // A 9 x 13 grid of dim 32, preset detr.
    {"grid detr", [] { return grid_of({.dim = 32, .preset = posenc::SinusoidalGridPreset::detr}, {9, 13}); }},
    // 20 points fractions(60, 10) of 3 inputs, weights fractions(99, 11), preset rff.
    {"fourier rff",
     [] { return fourier_of(value_of(posenc::fourier_preset("rff", 3)), fractions(99, 11), fractions(60, 10)); }},
    // 32 rows of dim 17, base 0.5.
    {"table base 0.5", [] { return table_of({.frequencies = {.dim = 17, .base = 0.5}}, Positions::range(32)); }},
    // The cosines, then the sines, of positions 0 to 255; dim 128, base 500000.
    {"cache 256 x 64",
     [] { return cache_of({.dim = 128, .layout = Layout::half, .base = 5e5}, Positions::range(256)); }},
    // The cosines, then the sines, of positions 1048575, -3, 0.5; dim 80, rotary dim 20.
    {"cache partial",
     [] {
       const std::vector<double> positions{1048575, -3, 0.5};
       return cache_of({.dim = 80, .layout = Layout::half, .rotary_dim = 20}, Positions::list(positions));
     }},
    // The cosines, then the sines, of positions 8192 to 8222 with Llama 3.1's rule: dim 128, base 500000.
    {"cache llama3",
     [] {
       return cache_of({.dim = 128, .layout = Layout::half, .base = 5e5, .scaling = scaling::Llama3{8, 1, 4, 8192}},
                       Positions::range(31, 8192));
     }},
    // The same with YaRN: dim 64, base 10000, factor 40, original length 4096.
    {"cache yarn",
     [] {
       return cache_of(
           {.dim = 64, .layout = Layout::half, .scaling = scaling::Yarn{.factor = 40, .original_length = 4096}},
           Positions::range(31, 8192));
     }},
    // fractions(2 * 9 * 3 * 64, 1) of shape [2, 9, 3, 64], layout half, from position 1000.
    {"rotated half",
     [] {
       return rotated({.dim = 64, .layout = Layout::half}, fractions(2 * 9 * 3 * 64, 1), Shape{2, 9, 3, 64},
                      Positions::range(9, 1000));
     }},
    // fractions(2 * 3 * 9 * 64, 2) of shape [2, 3, 9, 64], sequence axis 2, layout interleaved, base 500000, from 2^20.
    {"rotated interleaved",
     [] {
       return rotated({.dim = 64, .layout = Layout::interleaved, .base = 5e5}, fractions(2 * 3 * 9 * 64, 2),
                      Shape{2, 3, 9, 64}, Positions::range(9, 1048576), Direction::forward, 2);
     }},
    // fractions(7 * 50, 3) of shape [7, 50], layout deinterleaved, rotary dim 22, positions 0 to 6.
    {"rotated deinterleaved", [] { return rotated(partial, fractions(7 * 50, 3), Shape{7, 50}, Positions::range(7)); }},
    // The same, inverse.
    {"rotated back",
     [] { return rotated(partial, fractions(7 * 50, 3), Shape{7, 50}, Positions::range(7), Direction::inverse); }},
    // The cosines, then the sines, of positions 8192 to 8222 as transformers' float32 angles with YaRN: dim 64, base
    // 10000, factor 40, original length 4096.
    {"cache float32 yarn",
     [] {
       return cache_of(
           value_of(posenc::make_float32_rotary(
               {.dim = 64, .layout = Layout::half, .scaling = scaling::Yarn{.factor = 40, .original_length = 4096}})),
           Positions::range(31, 8192));
     }},
    // fractions(9 * 32, 12) of shape [9, 32], layout half, keys with NTK of factor 2 rotated again with YaRN of factor
    // 8
    // and original length 64, from position 1000.
    {"rotated again",
     [] {
       auto x = fractions(9 * 32, 12);
       const auto rule = [](const posenc::Scaling& chosen) {
         return value_of(posenc::Rotary::make({.dim = 32, .layout = Layout::half, .scaling = chosen}));
       };
       value_of(posenc::rotate_again(rule(scaling::StaticNtk{2}),
                                     rule(scaling::Yarn{.factor = 8, .original_length = 64}), x,
                                     value_of(posenc::SequenceShape::make(Shape{9, 32})), Positions::range(9, 1000)));
       return x;
     }},
    // Keys fractions(9 * 32, 13) of shape [9, 32], layout interleaved, from position -4, centre 10.
    {"xpos",
     [] {
       auto x = fractions(9 * 32, 13);
       const auto xpos =
           value_of(posenc::Xpos::make({.rotary = {.dim = 32, .layout = Layout::interleaved}, .centre = 10}));
       value_of(xpos.apply(x, value_of(posenc::SequenceShape::make(Shape{9, 32})), Positions::range(9, -4),
                           posenc::XposSide::key));
       return x;
     }},
    // 12 queries fractions(192, 14) from position 28, 40 keys fractions(640, 15) from 0, values fractions(320, 16);
    // dim 16, values of dim 8, layout half, causal with query offset 28.
    {"linear attention",
     [] {
       Values output(12 * 8);
       value_of(posenc::linear_attention({.shape = {12, 40, 16, 8, 1}, .causal = true, .query_offset = 28},
                                         value_of(posenc::Rotary::make({.dim = 16, .layout = Layout::half})),
                                         Positions::range(12, 28), Positions::range(40), fractions(192, 14),
                                         fractions(640, 15), fractions(320, 16), output));
       return output;
     }},
    // linear of x = fractions(6 * 40, 4), shape [6, 40], and weight = fractions(10 * 40, 5), shape [10, 40].
    {"linear",
     [] {
       Values y(6 * 10);
       value_of(posenc::linear(fractions(6 * 40, 4), fractions(10 * 40, 5), 40, y));
       return y;
     }},
    // The weights, then the output, of 12 queries and 40 keys of dim 16, values of dim 8, scale 2.5.
    {"attention", [] { return attention_of({12, 40, 16, 8}, 2.5); }},
    // 1000 ones, p = 0.1, seed 2024, from element 2^33 on.
    {"dropout",
     [] {
       Values ones(1000, 1);
       value_of(posenc::dropout({.p = 0.1, .seed = 2024, .first = std::uint64_t{1} << 33}, ones, ones));
       return ones;
     }},
    {"masked attention", masked_attention},
    // Rows 1000 to 1063 of dim 50, seed 2024, std 0.02.
    {"learned table", [] { return learned_of({.dim = 50, .seed = 2024}, 64, 1000); }},
    // The same, uniform, bound 0.1, seed 2^40 + 7.
    {"learned table uniform",
     [] {
       return learned_of({.dim = 50,
                          .seed = (std::int64_t{1} << 40) + 7,
                          .distribution = posenc::TableDistribution::uniform,
                          .scale = 0.1},
                         64, 1000);
     }},
    // fractions(2 * 300 * 9, 12) of shape [2, 300, 9] for a table of 17 rows; the id of token i is i * i mod 17.
    {"learned gradient",
     [] {
       std::vector<std::int32_t> ids;
       for (std::int32_t i = 0; i < 300; ++i) ids.push_back(i * i % 17);
       Values out(17 * 9);
       value_of(posenc::rows_gradient(fractions(2 * 300 * 9, 12), 9, posenc::TableRows::list(ids), {}, out));
       return out;
     }},
    // lr 0.01, weight decay 0.1, decoupled.
    {"adamw", [] { return adam_of({.lr = 0.01, .weight_decay = 0.1, .decay = posenc::WeightDecay::decoupled}); }},
    // fractions((1 + 14 * 14) * 8, 13), dim 8, a prefix of 1; from 14 x 14 to 9 x 20, cubic with antialias.
    {"resize cubic",
     [] {
       Values out((1 + 9 * 20) * 8);
       value_of(posenc::resize_table(fractions((1 + 14 * 14) * 8, 13), 8, {14, 14}, {9, 20}, {.prefix = 1}, out));
       return out;
     }},
    // Each, below: 6 heads, 40 queries, 50 keys, query offset 10, compact.
    {"alibi",
     [] { return bias_of([](auto& at, auto out) { return posenc::alibi_bias({}, at, posenc::Future::keep, out); }); }},
    // Power kernel; r1 = 0.1, 0.2, ... 0.6 and r2 = 0.25, 0.5, ... 1.5, as float32.
    {"kerple power",
     [] {
       return bias_of([](auto& at, auto out) {
         const Values r1{0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f}, r2{0.25f, 0.5f, 0.75f, 1.0f, 1.25f, 1.5f};
         return posenc::kerple_bias({posenc::KerpleKernel::power, r1, r2}, at, posenc::Future::keep, out);
       });
     }},
    {"sandwich",
     [] {
       return bias_of([](auto& at, auto out) { return posenc::sandwich_bias({}, at, posenc::Future::keep, out); });
     }},
    // Each, below: fractions(20 * 3 * dim, 13) of shape [20, 3, dim], on the points of a grid.
    {"grid dinov3", [] { return on_grid(posenc::RotaryGridPreset::dinov3, 64, {4, 5}); }},
    {"grid pixtral", [] { return on_grid(posenc::RotaryGridPreset::pixtral, 64, {4, 5}); }},
    {"grid croco", [] { return on_grid(posenc::RotaryGridPreset::croco, 64, {4, 5}); }},
    {"grid timm-pixel", [] { return on_grid(posenc::RotaryGridPreset::timm_pixel, 64, {4, 5}); }},
    {"grid wan", [] { return on_grid(posenc::RotaryGridPreset::wan, 128, {2, 2, 5}); }},
    // The same with dim 32, interleaved, frequencies of RoPE-Mixed for 3 heads, seed 42, x's first, a grid of 4 x 5.
    {"grid mixed",
     [] {
       std::vector<double> frequencies(2 * 3 * 16);
       value_of(posenc::mixed_frequencies({.dim = 32, .heads = 3, .seed = 42}, frequencies));
       const auto points = testing::points_of({}, {4, 5});
       return rotated(
           value_of(posenc::rotary_mixed({.dim = 32, .heads = 3, .layout = Layout::interleaved}, frequencies)),
           fractions(20 * 3 * 32, 13), {20, 3, 32}, posenc::Points::rows(points));
     }},
    // fractions(20 * 64, 14) of shape [20, 64], layout half, base 1000000, sections 11, 11, 10, interleaved; the
    // positions
    // [3, 20] are 0, 7, 14, ... 413.
    {"mrope",
     [] {
       std::vector<double> ids(60);
       for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<double>(7 * i);
       const std::vector<std::int64_t> sections{11, 11, 10};
       return rotated(value_of(posenc::mrope({.dim = 64, .layout = Layout::half, .base = 1e6}, sections,
                                             posenc::MropeOrder::interleaved)),
                      fractions(20 * 64, 14), {20, 64}, posenc::Points::axes_first(ids));
     }},
    {"table float16", [] { return stored_table<posenc::Float16>(); }},
    {"table bfloat16", [] { return stored_table<posenc::BFloat16>(); }},
    {"rotated float16", [] { return stored_rotation<posenc::Float16>(Layout::half); }},
    {"rotated bfloat16", [] { return stored_rotation<posenc::BFloat16>(Layout::interleaved); }},
};

std::string hexadecimal(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace

TEST_CASE("hashes: FNV-1a agrees with its published values", "[hashes]") {
  CHECK(hash_of({}) == 0xcbf29ce484222325u);
  // The four bytes of "foob".
  CHECK(hash_of({std::bit_cast<float>(std::uint32_t{0x626f6f66})}) == 0xdd120e790c2512afu);
}

TEST_CASE("hashes: every output has the bits that are stored", "[hashes]") {
  REQUIRE(std::size(recipes) == std::size(stored_hashes));
  for (std::size_t i = 0; i < std::size(recipes); ++i) {
    INFO(recipes[i].name);
    CHECK(stored_hashes[i].name == recipes[i].name);
    CHECK(stored_hashes[i].hash == hexadecimal(hash_of(recipes[i].values())));
  }
}
