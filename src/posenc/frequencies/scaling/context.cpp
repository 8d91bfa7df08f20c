#include "posenc/frequencies/scaling/context.hpp"

#include "posenc/base/check.hpp"

namespace posenc::scaling {

Expected<void> check_factor(std::string_view argument, double factor) {
  if (factor >= 1e-6 && factor <= 1e6) return {};
  return wrong(argument, factor, {"a number from 0.000001 to 1000000"});
}

Expected<void> check_original_length(double length) {
  if (length >= 2 && length <= 9007199254740992.0) return {};
  return wrong("scaling.originalLength", length, {"a number from 2 to 2^53"});
}

Expected<void> check_attention_factor(std::optional<double> factor) {
  if (!factor || (*factor >= 0 && *factor <= 1e6)) return {};
  return wrong("scaling.attentionFactor", *factor, {"a number from 0 to 1000000"});
}

Expected<double> length_of(const Context& context, std::string_view rule) {
  if (context.length) return static_cast<double>(*context.length);
  return wrong("length", "none", {"the number of positions, on which ", rule, " depends"});
}

Expected<void> check_one_each(std::string_view argument, std::size_t size, std::size_t count) {
  if (size == count) return {};
  return wrong(argument, decimal(size) + " values", {decimal(count), " values, one for each rotated pair"});
}

}  // namespace posenc::scaling
