#include "hub_models.hpp"

namespace posenc {
namespace {

constexpr HubModel unknown{"", Layout::unnamed};

constexpr HubModel models[]{
    {"chatglm", Layout::interleaved, 10000, 0, 0, 0.5},
    {"codegen", Layout::interleaved},
    {"cohere", Layout::interleaved},
    {"cohere2", Layout::interleaved},
    {"deepseek_v2", Layout::interleaved},
    {"deepseek_v3", Layout::deinterleaved},
    {"falcon", Layout::half},
    {"gemma", Layout::half, 10000, 0, 256},
    {"gemma2", Layout::half, 10000, 0, 256},
    {"gemma3_text", Layout::half, 1000000, 10000, 256},
    {"glm", Layout::interleaved, 10000, 0, 128, 0.5},
    {"glm4", Layout::interleaved, 10000, 0, 128, 0.5},
    {"gpt_neox", Layout::half, 10000, 0, 0, 0.25},
    {"gpt_oss", Layout::half, 150000, 0, 64},
    {"gptj", Layout::interleaved},
    {"llama", Layout::half},
    {"llama4_text", Layout::interleaved, 500000, 0, 128},
    {"mistral", Layout::half},
    {"mixtral", Layout::half, 1000000},
    {"modernbert", Layout::half, 160000, 10000},
    {"olmo2", Layout::half},
    {"phi", Layout::half, 10000, 0, 0, 0.5},
    {"phi3", Layout::half},
    {"qwen2", Layout::half},
    {"qwen2_5_vl", Layout::half, 1000000},
    {"qwen2_moe", Layout::half},
    {"qwen2_vl", Layout::half, 1000000},
    {"qwen3", Layout::half, 10000, 0, 128},
    {"qwen3_moe", Layout::half},
    {"qwen3_vl_text", Layout::half, 500000, 0, 128},
    {"stablelm", Layout::half, 10000, 0, 0, 0.25},
    {"starcoder2", Layout::half},
};

}  // namespace

const HubModel& hub_model(std::string_view model_type) {
  for (const HubModel& model : models)
    if (model.model_type == model_type) return model;
  return unknown;
}

}  // namespace posenc
