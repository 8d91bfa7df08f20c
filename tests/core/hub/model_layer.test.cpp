/// One layer of a model, against Rotary, mrope and scale_queries, which have references of their own. Which numbers
/// models' own code gives is tested by model_numbers.test.cpp.

#include "posenc/hub/model_layer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "posenc/grid/mrope.hpp"
#include "testing/testing.hpp"

using posenc::Layout;
using posenc::Model;
using posenc::ModelLayer;
using posenc::Positions;
using posenc::SequenceShape;
using testing::value_of;
using Values = std::vector<float>;

namespace {

Model model_of(const std::string& json) {
  INFO(json);
  return value_of(posenc::read_model(testing::from_json(json)));
}

SequenceShape heads_of(std::int64_t tokens, std::int64_t heads, std::int64_t dim) {
  return testing::sequence_first(testing::Shape{tokens, heads, dim});
}

}  // namespace

TEST_CASE("model layer: DeepSeek's split heads, whole or their rotated dimensions alone", "[hub]") {
  const Model model = model_of(R"({"model_type": "deepseek_v3", "qk_rope_head_dim": 8, "qk_nope_head_dim": 16,
      "num_hidden_layers": 2})");
  const ModelLayer layer = value_of(ModelLayer::make(model, 1));
  const Values before = testing::fractions(3 * 2 * 24, 5);
  const Values slice_before = testing::fractions(3 * 1 * 8, 6);
  Values q = before;
  Values k = slice_before;
  value_of(layer.apply({q, heads_of(3, 2, 24)}, {k, heads_of(3, 1, 8)}, Positions::range(3, 7)));
  const posenc::RotaryOptions options{.dim = 8, .layout = Layout::deinterleaved};
  CHECK(
      testing::same_bits(k, testing::rotated(options, slice_before, testing::Shape{3, 1, 8}, Positions::range(3, 7))));
  for (std::size_t head = 0; head < 6; ++head) {
    const auto begin = before.begin() + static_cast<std::ptrdiff_t>(head * 24);
    const Values rotated = testing::rotated(options, Values(begin + 16, begin + 24), testing::Shape{1, 8},
                                            Positions::range(1, 7.0 + static_cast<double>(head / 2)));
    CHECK(testing::same_bits(std::span(q).subspan(head * 24, 16), std::span(before).subspan(head * 24, 16)));
    CHECK(testing::same_bits(std::span(q).subspan(head * 24 + 16, 8), rotated));
  }
}

TEST_CASE("model layer: Llama 4's layers without rotation have a temperature, the others rotate", "[hub]") {
  const Model model = model_of(R"({"model_type": "llama4_text", "head_dim": 8, "num_hidden_layers": 4})");
  const std::vector<double> positions{3, 100000};
  const Values before = testing::fractions(2 * 1 * 8, 9);
  Values q = before;
  Values k = before;
  const SequenceShape shape = heads_of(2, 1, 8);
  value_of(value_of(ModelLayer::make(model, 3)).apply({q, shape}, {k, shape}, Positions::list(positions)));
  CHECK(testing::same_bits(k, before));
  Values expected = before;
  value_of(posenc::scale_queries({0.1, 1, 8192}, expected, shape, Positions::list(positions)));
  CHECK(testing::same_bits(q, expected));
  CHECK_FALSE(testing::same_bits(q, before));

  q = before;
  value_of(value_of(ModelLayer::make(model, 0)).apply({q, shape}, {k, shape}, Positions::list(positions)));
  const Values rotated = testing::rotated({.dim = 8, .layout = Layout::interleaved, .base = 500000}, before,
                                          testing::Shape{2, 1, 8}, Positions::list(positions));
  CHECK(testing::same_bits(q, rotated));
  CHECK(testing::same_bits(k, rotated));
}

TEST_CASE("model layer: DeepSeek-V4 rotates outputs back, NanoChat rotates by the opposite angle", "[hub]") {
  const Model v4 = model_of(R"({"model_type": "deepseek_v4", "head_dim": 16, "num_hidden_layers": 1,
      "layer_types": ["sliding_attention"], "qk_rope_head_dim": 4})");
  const ModelLayer layer = value_of(ModelLayer::make(v4, 0));
  const Values before = testing::fractions(2 * 3 * 16, 2);
  const SequenceShape shape = heads_of(2, 3, 16);
  Values x = before;
  Values k(0);
  value_of(layer.apply({x, shape}, {k, heads_of(2, 0, 16)}, Positions::range(2, 40)));
  CHECK_FALSE(testing::same_bits(x, before));
  value_of(layer.apply_to_outputs({x, shape}, Positions::range(2, 40)));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::fabs(x[i] - before[i]) < 4e-7F);

  const Model nanochat =
      model_of(R"({"model_type": "nanochat", "hidden_size": 16, "num_attention_heads": 1, "num_hidden_layers": 1})");
  const Values one = testing::fractions(16, 4);
  Values q = one;
  value_of(value_of(ModelLayer::make(nanochat, 0))
               .apply({q, heads_of(1, 1, 16)}, {k, heads_of(1, 0, 16)}, Positions::range(1, 9)));
  const Values back = testing::rotated({.dim = 16, .layout = Layout::half}, one, testing::Shape{1, 1, 16},
                                       Positions::range(1, 9), posenc::Direction::inverse);
  CHECK(testing::same_bits(q, back));
  value_of(value_of(ModelLayer::make(nanochat, 0)).apply_to_outputs({q, heads_of(1, 1, 16)}, Positions::range(1, 9)));
  CHECK(testing::same_bits(q, back));
}

TEST_CASE("model layer: positions of several axes, and text", "[hub]") {
  const Model model = model_of(R"({"model_type": "qwen2_vl_text", "hidden_size": 16, "num_attention_heads": 1,
      "num_hidden_layers": 1, "rope_parameters": {"rope_type": "default", "rope_theta": 1000000.0,
      "mrope_section": [2, 3, 3]}})");
  const ModelLayer layer = value_of(ModelLayer::make(model, 0));
  CHECK(layer.axes() == 3);
  const posenc::RotaryOptions options{.dim = 16, .layout = Layout::half, .base = 1e6};
  const std::vector<std::int64_t> sections{2, 3, 3};
  const auto expected = value_of(posenc::mrope(options, sections, posenc::MropeOrder::chunked));
  const std::vector<double> ids{1, 2, 5, 9, 3, 8};
  const Values before = testing::fractions(2 * 16, 12);
  const SequenceShape shape = heads_of(2, 1, 16);
  Values q = before;
  Values k = before;
  Values x = before;
  value_of(layer.apply({q, shape}, {k, shape}, Positions::range(2), ids));
  value_of(expected.apply(x, shape, posenc::Points::axes_first(ids)));
  CHECK(testing::same_bits(q, x));
  CHECK(testing::same_bits(k, x));
  q = before;
  value_of(layer.apply({q, shape}, {k, shape}, Positions::range(2, 30)));
  CHECK(testing::same_bits(q, testing::rotated(options, before, testing::Shape{2, 1, 16}, Positions::range(2, 30))));
}

TEST_CASE("model layer: what cannot be meant is an Error, and nothing has changed", "[hub]") {
  const Model model = model_of(R"({"model_type": "llama", "head_dim": 8, "num_hidden_layers": 2})");
  testing::require_error(ModelLayer::make(model, 2), "index", "2");
  testing::require_error(ModelLayer::make(model, -1), "index", "-1");
  testing::require_error(ModelLayer::make(model_of(R"({"rope_theta": 10000, "head_dim": 8})"), 0), "index", "0");
  for (const char* const json :
       {R"({"model_type": "qwen3", "head_dim": 8, "num_hidden_layers": 1, "layer_types": ["x"]})",
        R"({"model_type": "zamba2", "head_dim": 8, "num_hidden_layers": 1, "use_mem_rope": true})",
        R"({"model_type": "dinov3_vit", "head_dim": 8, "num_hidden_layers": 1})", R"({"model_type": "mine"})"})
    testing::require_error(ModelLayer::make(model_of(json), 0), "config", "");
  const Model unknown = model_of(R"({"rope_theta": 10000, "head_dim": 8, "num_hidden_layers": 2})");
  testing::require_error(ModelLayer::make(unknown, 0), "layout", "");
  value_of(ModelLayer::make(unknown, 0, {.layout = Layout::half}));
  const Model dynamic = model_of(R"({"model_type": "llama", "head_dim": 8, "num_hidden_layers": 2,
      "max_position_embeddings": 128, "rope_scaling": {"rope_type": "dynamic", "factor": 2}})");
  testing::require_error(ModelLayer::make(dynamic, 0), "length", "none");
  value_of(ModelLayer::make(dynamic, 0, {.length = 256}));

  const ModelLayer layer = value_of(ModelLayer::make(model, 0));
  Values q(16, testing::untouched);
  Values k(16, testing::untouched);
  const SequenceShape shape = heads_of(2, 1, 8);
  const std::vector<double> points{1, 2, 3, 4, 5, 6};
  testing::require_error(layer.apply({q, shape}, {k, shape}, Positions::range(2), points), "positions", "6");
  testing::require_error(layer.apply({q, shape}, {k, heads_of(2, 1, 4)}, Positions::range(2)), "keyShape", "4");
  testing::require_error(layer.apply({q, shape}, {k, heads_of(1, 2, 8)}, Positions::range(2)), "positions", "2");
  testing::require_error(layer.apply({q, heads_of(1, 1, 8)}, {k, shape}, Positions::range(2)), "q", "16");
  testing::require_error(layer.apply({q, shape}, {k, heads_of(1, 1, 8)}, Positions::range(2)), "k", "16");
  testing::require_error(layer.apply({q, heads_of(2, 1, 6)}, {k, shape}, Positions::range(2)), "shape", "6");
  CHECK(testing::is_untouched(q));
  CHECK(testing::is_untouched(k));
}
