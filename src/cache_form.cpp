#include "posenc/cache_form.hpp"

#include "check.hpp"

namespace posenc {
namespace {

constexpr Name form_names[]{
    {"onnx", CacheForm::onnx},
    {"huggingface", CacheForm::huggingface},
    {"huggingface-interleaved", CacheForm::huggingface_interleaved},
    {"ggml", CacheForm::ggml},
};

}  // namespace

Expected<CacheForm> cache_form_from_name(std::string_view name) {
  return from_name<CacheForm>(form_names, "form", name);
}

}  // namespace posenc
