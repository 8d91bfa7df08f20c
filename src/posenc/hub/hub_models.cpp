#include "posenc/hub/hub_models.hpp"

namespace posenc {
namespace {

constexpr HubModel unknown{"", Layout::unnamed};

constexpr HubModel models[]{
    {"chatglm", Layout::interleaved, {.fraction = 0.5}},
    {"codegen", Layout::interleaved, {.rotary_dim = 64}},
    {"cohere", Layout::interleaved},
    {"cohere2", Layout::interleaved},
    {"deepseek_v2", Layout::interleaved, {.head_dim = 64}},
    {"deepseek_v3", Layout::deinterleaved, {.head_dim = 64}},
    {"falcon", Layout::half},
    {"gemma", Layout::half, {.head_dim = 256}},
    {"gemma2", Layout::half, {.head_dim = 256}},
    {"gemma3_text", Layout::half, {.base = 1000000, .local_base = 10000, .head_dim = 256}},
    {"glm", Layout::interleaved, {.head_dim = 128, .fraction = 0.5}},
    {"glm4", Layout::interleaved, {.head_dim = 128, .fraction = 0.5}},
    {"gpt_neox", Layout::half, {.fraction = 0.25}},
    {"gpt_oss", Layout::half, {.base = 150000, .head_dim = 64}},
    {"gptj", Layout::interleaved, {.rotary_dim = 64}},
    {"llama", Layout::half},
    {"llama4_text", Layout::interleaved, {.base = 500000, .head_dim = 128}},
    {"mistral", Layout::half},
    {"mixtral", Layout::half, {.base = 1000000}},
    {"modernbert", Layout::half, {.base = 160000, .local_base = 10000, .scales_local = true}},
    {"modernbert-decoder", Layout::half, {.base = 160000, .local_base = 10000, .scales_local = true}},
    {"olmo2", Layout::half},
    {"olmo3", Layout::half, {.base = 500000, .local_base = 500000}},
    {"phi", Layout::half, {.fraction = 0.5}},
    {"phi3", Layout::half},
    {"phimoe", Layout::half, {.base = 1000000}},
    {"qwen2", Layout::half},
    {"qwen2_5_vl", Layout::half, {.base = 1000000}},
    {"qwen2_5_vl_text", Layout::half, {.base = 1000000}},
    {"qwen2_moe", Layout::half},
    {"qwen2_vl", Layout::half, {.base = 1000000}},
    {"qwen2_vl_text", Layout::half, {.base = 1000000}},
    {"qwen3", Layout::half, {.head_dim = 128}},
    {"qwen3_moe", Layout::half},
    {"qwen3_vl_text", Layout::half, {.base = 500000, .head_dim = 128}},
    {"stablelm", Layout::half, {.fraction = 0.25}},
    {"starcoder2", Layout::half},
};

}  // namespace

const HubModel& hub_model(std::string_view model_type) {
  for (const HubModel& model : models)
    if (model.model_type == model_type) return model;
  return unknown;
}

}  // namespace posenc
