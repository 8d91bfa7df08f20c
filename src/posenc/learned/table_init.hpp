#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc {

enum class TableDistribution : std::uint8_t {
  normal,   ///< N(0, scale^2); within 6.77 scale of 0
  uniform,  ///< between -scale and scale
};

struct TableInit {
  std::int64_t dim = 0;   ///< dimensions of a row
  std::int64_t seed = 0;  ///< its 64 bits are Philox's key, the lower half first
  TableDistribution distribution = TableDistribution::normal;
  double scale = 0.02;  ///< the standard deviation, or the bound; 0.02 is that of BERT and GPT-2
  std::optional<std::int64_t> padding_row = std::nullopt;  ///< this row is 0, as torch.nn.Embedding's padding_idx

  static constexpr std::tuple ranges{
      ranged("dim", &TableInit::dim, whole_from(1, max_dim)),
      ranged("std", &TableInit::scale, from(0, 1e30)),
      ranged("paddingIdx", &TableInit::padding_row, whole_from(0, max_position)),
  };
};

/// Writes rows first_row, first_row + 1, ... of a random table, [rows, dim], as many as fit into `out`.
///
/// Dimensions 4b ... 4b + 3 of row r come from the four words of Philox4x32-10 at the counter (b, r mod 2^32, r div
/// 2^32, 0); u = (word + 1/2) / 2^32. Uniform: scale (2u - 1). Normal, by Box and Muller (1958): the words (0, 1), and
/// (2, 3), make scale sqrt(-2 ln u_0) cos(2 pi u_1) and the same with the sine. A value depends on the seed, its row
/// and its dimension alone, bit for bit, and has the same bits on every machine; they are not those torch draws for
/// that seed. Largest error against these formulas: 0.501 ulp. Errors: dim; a scale, named "std" or "bound"; a negative
/// first_row ("offset") or padding_row ("paddingIdx"); a size of `out` that is no multiple of dim.
[[nodiscard]] Expected<void> init_table(const TableInit& init, std::int64_t first_row, std::span<float> out);

}  // namespace posenc
