#include "posenc/diagnosis/faults/left_out.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace posenc::diagnosis {
namespace {

/// How many vectors of a token or a head were not zeros, and of these are zeros now; and how many should have moved,
/// and of these are as they were.
struct Counts {
  std::size_t seen = 0, zeros = 0, moved = 0, still = 0;
};

/// Counts of one kind, and of how many.
struct Share {
  std::size_t Counts::*of, Counts::*left;

  [[nodiscard]] bool is_all(const Counts& counts) const { return counts.*of > 0 && counts.*left == counts.*of; }
};
constexpr Share share_of_zeros{&Counts::seen, &Counts::zeros}, share_of_still{&Counts::moved, &Counts::still};

/// The indices of those that are not left out, where some are.
std::vector<std::size_t> rest_of(const std::vector<Counts>& counts, const Share& left) {
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (!left.is_all(counts[i])) rest.push_back(i);
  const bool rotates = std::ranges::any_of(rest, [&](std::size_t i) { return counts[i].*left.of > 0; });
  return rest.size() < counts.size() && rotates ? rest : std::vector<std::size_t>{};
}

}  // namespace

std::optional<LeftOut> left_out(const SampledTensor& before, const SampledTensor& after, const RotationAxes& axes,
                                const HeadSamples& searched, std::span<const double> positions) {
  const auto tokens = static_cast<std::size_t>(before.shape[axes.sequence]);
  const std::size_t heads = before.values.size() / tokens / searched.dims;
  std::vector<Counts> of_tokens(tokens), of_heads(heads);
  const auto is_zero = [](double value) { return value == 0; };
  const auto count = [&](const HeadSamples& vectors, std::size_t, std::size_t head) -> Expected<bool> {
    for (std::size_t i = 0; i < vectors.tokens.size(); ++i) {
      bool is_moved = false;
      for (std::size_t at = vectors.tokens[i]; at < positions.size(); at += tokens)
        is_moved = is_moved || positions[at] != 0;
      for (std::size_t k = 0; k < vectors.heads; ++k) {
        const auto was = std::span(vectors.before).subspan(vectors.at(i, k), vectors.dims);
        const auto is = std::span(vectors.after).subspan(vectors.at(i, k), vectors.dims);
        if (std::ranges::all_of(was, is_zero)) continue;
        const bool is_gone = std::ranges::all_of(is, is_zero);
        const bool is_still = std::ranges::equal(was, is, [&](double a, double b) {
          return a == b || std::fabs(a - b) <= vectors.unit(vectors.at(i, k), std::fabs(a), std::fabs(b));
        });
        for (Counts* const counts : {&of_tokens[vectors.tokens[i]], &of_heads[head + k]}) {
          ++counts->seen;
          counts->zeros += is_gone ? 1 : 0;
          counts->moved += is_moved ? 1 : 0;
          counts->still += is_moved && is_still ? 1 : 0;
        }
      }
    }
    return true;
  };
  (void)for_all_vectors(before, after, axes, searched, count);
  if (std::vector<std::size_t> rest = rest_of(of_tokens, share_of_zeros); !rest.empty())
    return LeftOut{.mistake = Mistake::zero_rows, .tokens = std::move(rest), .heads = first_indices(heads)};
  for (const auto& [mistake, left] :
       {std::pair{Mistake::zero_heads, share_of_zeros}, std::pair{Mistake::heads_not_rotated, share_of_still}})
    if (std::vector<std::size_t> rest = rest_of(of_heads, left); !rest.empty())
      return LeftOut{.mistake = mistake, .tokens = first_indices(tokens), .heads = std::move(rest)};
  return std::nullopt;
}

}  // namespace posenc::diagnosis
