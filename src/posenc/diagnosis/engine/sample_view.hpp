#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "posenc/diagnosis/engine/noise.hpp"

namespace posenc::diagnosis {

/// The pairs of one token, [vectors, pairs]: (x, y) before, (u, v) after a rotation, and what (u, v) may be off by
/// beside roundings, infinite where a value is not known.
struct TokenPairs {
  std::vector<double> x, y, u, v, slack_u, slack_v;

  void resize(std::size_t size) {
    for (auto* const each : {&x, &y, &u, &v}) each->resize(size);
    slack_u.assign(size, 0), slack_v.assign(size, 0);
  }
};

/// Samples of any kind as what they come down to: pairs of numbers that were rotated. Vectors, caches, of (1, 0), and
/// sinusoidal tables, of (amplitude, 0), are read alike.
class SampleView {
 public:
  virtual ~SampleView() = default;

  [[nodiscard]] std::size_t tokens() const { return tokens_; }
  [[nodiscard]] std::size_t vectors() const { return vectors_; }
  [[nodiscard]] std::size_t pairs() const { return pairs_; }
  [[nodiscard]] const Noise& noise() const { return noise_; }

  /// The vectors of a token, the first `most` of them at least; what was read of small samples is kept. Valid until the
  /// next call.
  [[nodiscard]] const TokenPairs& pairs_of(std::size_t token, std::size_t most) const {
    const bool is_kept = tokens_ * vectors_ * pairs_ <= most_kept;
    kept_.resize(is_kept ? tokens_ : 1);
    TokenPairs& made = kept_[is_kept ? token : 0];
    if (is_kept && !made.x.empty()) return made;
    const std::size_t vectors = is_kept ? vectors_ : std::min(vectors_, most);
    made.resize(vectors * pairs_);
    read(token, vectors, made);
    return made;
  }
  [[nodiscard]] const TokenPairs& pairs_of(std::size_t token) const { return pairs_of(token, vectors_); }

 protected:
  SampleView(std::size_t tokens, std::size_t vectors, std::size_t pairs, const Noise& noise)
      : tokens_(tokens), vectors_(vectors), pairs_(pairs), noise_(noise) {}
  SampleView(const SampleView&) = default;
  SampleView(SampleView&&) = default;
  SampleView& operator=(const SampleView&) = default;
  SampleView& operator=(SampleView&&) = default;

  /// Reads the first vectors of a token.
  virtual void read(std::size_t token, std::size_t vectors, TokenPairs& to) const = 0;

 private:
  static constexpr std::size_t most_kept = std::size_t{1} << 16;

  std::size_t tokens_, vectors_, pairs_;
  Noise noise_;
  mutable std::vector<TokenPairs> kept_;
};

/// At most so many of `count` indices: the first ones, and others evenly spread to the last.
[[nodiscard]] std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most);

/// Marks of what departs from a simulation.
struct Marks {
  std::vector<bool> tokens, vectors, pairs;
};

}  // namespace posenc::diagnosis
