#include "posenc/relative/alibi.hpp"

#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/line_bias.hpp"

namespace posenc::learning {
namespace {

/// -m |d| with the paper's slopes m.
class AlibiLines final : public LineBias {
  Expected<void> prepare(const RelativePositions& all, std::span<float> lines) override {
    return alibi_bias({}, all, Future::keep, lines);
  }
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_alibi(const EncodingOptions& /*options*/) {
  return std::make_unique<AlibiLines>();
}

}  // namespace posenc::learning
