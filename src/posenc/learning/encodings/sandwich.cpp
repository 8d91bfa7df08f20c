#include "posenc/relative/sandwich.hpp"

#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/line_bias.hpp"

namespace posenc::learning {
namespace {

/// Sums of cosines with the paper's dim of 128, whatever the model's: with a dim of a tiny model they would hardly
/// differ from each other.
class SandwichLines final : public LineBias {
  Expected<void> prepare(const RelativePositions& all, std::span<float> lines) override {
    return sandwich_bias({}, all, Future::keep, lines);
  }
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_sandwich(const EncodingOptions& /*options*/) {
  return std::make_unique<SandwichLines>();
}

}  // namespace posenc::learning
