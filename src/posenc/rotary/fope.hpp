#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/frequencies/positions.hpp"

namespace posenc {

/// Fourier position embedding (FoPE; Hua et al. 2024, arXiv 2412.17739; vLLM, rotary_embedding/fope.py at 151a2c7): a
/// pair of dimensions turns with a mixture of frequencies, in each head another one. Frequencies that make no full turn
/// within the trained length are taken for 0.
struct FopeOptions {
  std::int64_t dim = 0;  ///< dimensions of a head: even, 2 ... max_dim
  double base = 10000;   ///< theta
  /// The matrices, [heads, kept, mixed], where `kept` of the frequencies are not 0: the first ones.
  std::int64_t heads = 0, kept = 0, mixed = 0;
  std::span<const float> cosines = {}, sines = {};
  /// Where it is given, `kept` must be how many of the frequencies are above 2 pi / original_length.
  std::optional<double> original_length = std::nullopt;
};

/// For head h, position p and pair m < mixed
///
///   cosine = sum over n < kept of cosines[h, n, m] * cos(p base^(-2n / dim)),  and sines likewise;
///
/// the pairs behind have cosine 1 and sine 0. `cosines` and `sines` are [heads, positions, dim / 2]: CacheForm::onnx
/// for a batch of heads. They are cosines and sines by name only: rotate_with_cache multiplies by them all the same.
/// Errors: an odd dim; those of Frequencies::make; kept or mixed outside 0 ... dim / 2; an original_length for which
/// kept is another number; sizes that differ; those of Positions::check; memory. Largest error: half a last bit +
/// (1e-14 + kept 2^-53) times the sum of the magnitudes of the pair's coefficients. The same bits on every machine.
[[nodiscard]] Expected<void> write_fope(const FopeOptions& options, const Positions& positions,
                                        std::span<float> cosines, std::span<float> sines);

}  // namespace posenc
