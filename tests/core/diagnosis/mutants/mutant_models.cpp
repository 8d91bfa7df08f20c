#include "diagnosis/mutants/mutants.hpp"

namespace mutants {
namespace {

using posenc::Layout;
using posenc::RotaryOptions;
using posenc::Scaling;
namespace scaling = posenc::scaling;

RotaryOptions plan(std::int64_t dim, double base, Scaling rule = {}, std::int64_t length = 0) {
  RotaryOptions made{.dim = dim, .layout = Layout::half, .base = base, .scaling = std::move(rule)};
  if (length > 0) made.length = length;
  return made;
}

RotaryOptions partial(std::int64_t dim, std::int64_t rotary_dim, double base, Scaling rule = {}) {
  RotaryOptions made = plan(dim, base, std::move(rule));
  made.rotary_dim = rotary_dim;
  return made;
}

Scaling llama3(double factor) { return scaling::Llama3{.factor = factor, .original_length = 8192}; }

Scaling yarn(double factor, double original_length) {
  return scaling::Yarn{.factor = factor, .original_length = original_length};
}

Scaling deepseek(double mscale, double mscale_all_dim, double factor = 40) {
  return scaling::Yarn{.factor = factor, .original_length = 4096, .mscale = mscale, .mscale_all_dim = mscale_all_dim};
}

/// Numbers as Phi-3's are: near 1 at first, then growing to the factor and beyond.
Scaling phi3(std::size_t pairs) {
  scaling::Longrope rule{.factor = 32, .original_length = 4096, .short_factor = {}, .long_factor = {}};
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto x = static_cast<double>(i);
    rule.short_factor.push_back(1 + 0.0125 * static_cast<double>(i / 3 * 3));
    rule.long_factor.push_back(1.08 + 0.03 * x + 0.0245 * x * x);
  }
  return rule;
}

Scaling with_factor(double factor, double original_length, double attention_factor) {
  return scaling::Yarn{.factor = factor, .original_length = original_length, .attention_factor = attention_factor};
}

std::vector<Model> make_models() {
  const RotaryOptions local = plan(256, 10000);
  return {
      {"Llama 2", plan(128, 10000), 128, {}, 4096},
      {"Llama 3", plan(128, 500000), 128, {}, 8192},
      {"Llama 3.1", plan(128, 500000, llama3(8)), 128, {}},
      {"Llama 3.2", plan(64, 500000, llama3(32)), 64, {}},
      {"Mistral", plan(128, 1000000), 128, {}, 32768},
      {"Ministral", plan(128, 100000000), 128, {}},
      {"Ministral 3",
       plan(128, 1000000, scaling::Yarn{.factor = 16, .original_length = 16384, .mscale = 1, .mscale_all_dim = 1}),
       128,
       {}},
      {"Qwen 2.5", plan(128, 1000000), 128, {}, 32768},
      {"Qwen 2.5, YaRN", plan(128, 1000000, yarn(4, 32768)), 128, {}},
      {"Qwen 3 30B", plan(128, 10000000), 128, {}, 40960},
      {"Qwen 3 Next", partial(256, 64, 10000000), 256, {}},
      {"Phi-3 mini, long", plan(96, 10000, phi3(48), 131072), 96, {}},
      {"Phi-3 mini, short", plan(96, 10000, phi3(48), 4096), 96, {}, 4096},
      {"Phi-2", partial(80, 32, 10000), 80, {}, 2048},
      {"GPT-NeoX 20B", partial(96, 24, 10000), 96, {}, 2048},
      {"GPT-J", partial(256, 64, 10000), 256, {}, 2048},
      {"GLM-4", partial(128, 64, 10000), 128, {}},
      {"GLM-4.5", partial(128, 64, 1000000), 128, {}},
      {"DeepSeek-V2", plan(64, 10000, deepseek(0.707, 0.707)), 192, {}},
      {"DeepSeek-V2, other factors", plan(64, 10000, deepseek(1, 0.707)), 192, {}},
      {"DeepSeek-V3", plan(64, 10000, deepseek(1, 1)), 192, {}},
      {"DeepSeek-V4", plan(64, 160000, yarn(16, 65536)), 64, {plan(64, 10000)}},
      {"Gemma 2", plan(256, 10000), 256, {}, 8192},
      {"Gemma 3, global", plan(256, 1000000, scaling::Linear{8}), 256, {local}},
      {"Gemma 3, local", local, 256, {plan(256, 1000000, scaling::Linear{8})}},
      {"Gemma 4, global", plan(512, 1000000, scaling::Proportional{.fraction = 0.25}), 512, {}},
      {"gpt-oss", plan(64, 150000, scaling::Yarn{.factor = 32, .original_length = 4096, .truncate = false}), 64, {}},
      {"Cohere", plan(128, 8000000), 128, {}},
      {"Cohere 2", plan(128, 50000), 128, {}},
      {"StableLM", partial(80, 20, 10000), 80, {}, 4096},
      {"Falcon", plan(64, 10000), 64, {}, 2048},
      {"Yi", plan(128, 5000000), 128, {}},
      {"CodeLlama", plan(128, 1000000), 128, {}, 16384},
      {"ModernBERT, global", plan(64, 160000), 64, {plan(64, 10000)}, 8192},
      {"ModernBERT, local", plan(64, 10000), 64, {plan(64, 160000)}, 8192},
      {"Olmo 3", plan(128, 500000, with_factor(8, 8192, 1.2079441541679836)), 128, {}},
      {"Laguna", partial(128, 64, 500000, with_factor(32, 4096, 1)), 128, {}},
      {"CWM", plan(128, 1000000, llama3(16)), 128, {}},
      {"Nomic BERT", plan(64, 1000), 64, {}, 2048},
      {"Hunyuan", plan(128, 10000, scaling::Ntk{1000}), 128, {}},
  };
}

}  // namespace

const std::vector<Model>& models() {
  static const std::vector<Model> made = make_models();
  return made;
}

}  // namespace mutants
