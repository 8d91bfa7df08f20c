#include <algorithm>
#include <numeric>

#include "posenc/attention/softmax.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/philox.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/sampled_positions.hpp"
#include "posenc/learning/training_state.hpp"

namespace posenc::learning {
namespace {

/// The most tokens of a test's pass, unless one example has more: they stay in a cache.
constexpr std::size_t most_tokens = 1024;

Expected<void> check_tokens(std::string_view argument, std::span<const std::int32_t> tokens, std::size_t vocabulary) {
  for (const std::int32_t token : tokens)
    if (token < 0 || static_cast<std::size_t>(token) >= vocabulary)
      return invalid_argument(argument, static_cast<double>(token), {"whole numbers below ", decimal(vocabulary)});
  return {};
}

/// The positions 0, 1, 2, ...
Expected<AlignedArray<std::int32_t>> plain_positions(std::size_t length) {
  auto positions = AlignedArray<std::int32_t>::make_unfilled(length);
  if (positions) std::iota(positions->data(), positions->data() + length, 0);
  return positions;
}

/// The first token whose cumulative probability is above `draw`.
std::size_t draw_token(std::span<const float> probabilities, double draw) {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i)
    if (sum += static_cast<double>(probabilities[i]); draw < sum) return i;
  return probabilities.size() - 1;
}

}  // namespace

Expected<Tester> make_tester(const Transformer& model, const EncodingOptions& encoding, std::size_t sequences,
                             std::size_t length, std::int32_t largest) {
  POSENC_TRY_LET(other, model.with_encoding(encoding));
  Tester tester{std::move(other),
                std::clamp(most_tokens / std::max<std::size_t>(length, 1), std::size_t{1}, sequences)};
  POSENC_TRY(tester.model.reserve(tester.sequences, length, largest, false));
  return tester;
}

Expected<Evaluation> Training::evaluate(const EvaluationOptions& options) const {
  const State& state = *state_;
  POSENC_TRY(check_whole("sequences", options.sequences, 1, std::int64_t{1} << 20));
  const std::int64_t n = options.n == 0 ? state.options.task.longest : options.n;
  POSENC_TRY(check_whole("n", n, 1, state.options.task.longest * state.options.stretch));
  EncodingOptions encoding = options.encoding.value_or(state.options.encoding);
  if (encoding.rows == 0) encoding.rows = state.options.encoding.rows;
  const auto sequences = static_cast<std::size_t>(options.sequences);
  const std::size_t length = state.task.tokens_of(n);
  POSENC_TRY_LET(tester, make_tester(state.model, encoding, sequences, length, state.reach - 1));
  POSENC_TRY_LET(examples, AlignedArray<std::int32_t>::make_unfilled(3 * tester.sequences * length));
  const bool is_plain = state.options.sampling == PositionSampling::plain;
  LossSums total;
  for (std::size_t first = 0; first < sequences; first += tester.sequences) {
    const std::size_t count = std::min(tester.sequences, sequences - first), tokens = count * length;
    const ExampleIndex index{ExampleUse::testing, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(first)};
    const std::span of_tokens = examples.span().first(tokens), targets = examples.span().subspan(tokens, tokens);
    const std::span positions = examples.span().subspan(2 * tokens, tokens);
    POSENC_TRY(state.task.write(index, n, of_tokens, targets));
    write_positions(state.options.sampling, 0, index, length, state.reach, positions);
    POSENC_TRY_LET(sums, tester.model.run({count, length, of_tokens, positions, is_plain}, targets,
                                          std::as_const(state.values).span()));
    total.add(sums);
  }
  const auto asked = static_cast<double>(total.asked);
  const double loss = total.loss / asked;
  // exponential takes x <= 0: e^loss is 1 / e^-loss.
  return Evaluation{loss, static_cast<double>(total.correct) / asked, 1 / exponential(-loss),
                    static_cast<std::int64_t>(total.asked)};
}

Expected<void> Training::attention(std::span<const std::int32_t> tokens, std::span<float> weights) const {
  const State& state = *state_;
  POSENC_TRY(check_tokens("tokens", tokens, state.task.vocabulary()));
  if (tokens.empty()) return invalid_argument("tokens", 0.0, {"at least one"});
  const ModelOptions& model = state.options.model;
  const auto heads = static_cast<std::size_t>(model.layers * model.heads);
  POSENC_TRY(check_extents("weights", weights.size(), {heads, tokens.size(), tokens.size()}));
  POSENC_TRY(check_whole("tokens", std::ssize(tokens), 1, state.reach));
  POSENC_TRY_LET(tester, make_tester(state.model, state.options.encoding, 1, tokens.size(), state.reach - 1));
  POSENC_TRY_LET(positions, plain_positions(tokens.size()));
  POSENC_TRY_LET(logits, AlignedArray<float>::make_unfilled(state.task.vocabulary()));
  POSENC_TRY(tester.model.next({1, tokens.size(), tokens, positions.span()}, std::as_const(state.values).span(),
                               logits.span()));
  std::ranges::copy(tester.model.weights().first(weights.size()), weights.begin());
  return {};
}

Expected<void> Training::generate(std::span<const std::int32_t> prompt, std::int64_t window, double temperature,
                                  std::uint64_t seed, std::span<std::int32_t> out) const {
  const State& state = *state_;
  const std::size_t words = state.task.vocabulary();
  if (prompt.empty()) return invalid_argument("prompt", 0.0, {"at least one token"});
  POSENC_TRY(check_tokens("prompt", prompt, words));
  POSENC_TRY(check_whole("window", window, 1, state.reach));
  const bool is_fine = temperature >= 0 && temperature <= 100;
  if (!is_fine) return invalid_argument("temperature", temperature, expected::from_to, {0, 100});
  const auto most = static_cast<std::size_t>(window);
  POSENC_TRY_LET(tester, make_tester(state.model, state.options.encoding, 1, most, state.reach - 1));
  POSENC_TRY_LET(positions, plain_positions(most));
  POSENC_TRY_LET(all, AlignedArray<std::int32_t>::make_unfilled(prompt.size() + out.size()));
  POSENC_TRY_LET(logits, AlignedArray<float>::make_unfilled(words));
  std::ranges::copy(prompt, all.data());
  const std::array<std::uint32_t, 2> key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (std::size_t end = prompt.size(); end < all.size(); ++end) {
    const std::size_t length = std::min(end, most);
    const TokenBatch batch{1, length, {all.data() + (end - length), length}, positions.span().first(length)};
    POSENC_TRY(tester.model.next(batch, std::as_const(state.values).span(), logits.span()));
    std::size_t token = 0;
    if (temperature == 0) {
      token = static_cast<std::size_t>(std::ranges::max_element(logits.span()) - logits.span().begin());
    } else {
      // A smaller one makes the same choice: divided by it logits would be infinite, and their differences no numbers.
      const double divisor = std::max(temperature, 1e-30);
      for (float& logit : logits.span()) logit = static_cast<float>(static_cast<double>(logit) / divisor);
      POSENC_TRY(softmax(words, SumPrecision::float32, logits.span(), logits.span()));
      const auto at = static_cast<std::uint32_t>(end - prompt.size());
      token = draw_token(logits.span(), (philox({at, 0, 0, 0}, key)[0] + 0.5) * 0x1p-32);
    }
    all.data()[end] = static_cast<std::int32_t>(token);
  }
  std::ranges::copy(all.span().subspan(prompt.size()), out.begin());
  return {};
}

}  // namespace posenc::learning
