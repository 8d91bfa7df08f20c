#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/frequencies/scaling.hpp"
#include "posenc/relative/position_map.hpp"

namespace posenc::learning {

/// How a model is told where its tokens stand.
enum class EncodingType : std::uint8_t {
  none,            ///< it is not told
  sinusoid,        ///< Vaswani et al. 2017, at the input
  learned,         ///< a table of rows at the input (BERT, GPT-2)
  rope,            ///< Su et al. 2021, half layout
  xpos,            ///< Sun et al. 2022
  alibi,           ///< Press et al. 2022
  t5,              ///< Raffel et al. 2020: a learned number a bucket of distances and head, the same in all layers
  kerple,          ///< Chi et al. 2022, logarithmic; r1 and r2 learned a head, the same in all layers
  kerple_power,    ///< the same with powers
  fire,            ///< Li et al. 2024; the same in all layers
  sandwich,        ///< Chi et al. 2023
  shaw,            ///< Shaw et al. 2018: tables for keys and values, one a layer
  transformer_xl,  ///< Dai et al. 2019
  cope,            ///< Golovneva et al. 2024
  deberta,         ///< He et al. 2021: content to position and position to content
  fox,             ///< Lin et al. 2025, the Forgetting Transformer, without rotation
  fox_rope,        ///< the same with RoPE
  selective_rope,  ///< Movahedi et al. 2025: each token says how far it turns what comes after it
  path,            ///< Yang et al. 2025: products of the reflections of the tokens between
};

[[nodiscard]] std::string_view name_of(EncodingType type);

/// Every encoding reads what is its own and leaves the rest.
struct EncodingOptions {
  EncodingType type = EncodingType::none;
  double base = 10000;  ///< of sinusoid, rope, xpos, fox_rope, selective_rope: finite, > 0
  /// Of rope and fox_rope: the share of a head's dimensions that rotate, > 0 ... 1: the nearest even number, at
  /// least 2.
  double rotated = 1;
  Scaling scaling = scaling::Default{};  ///< of rope and fox_rope
  /// Of rope and fox_rope: which distances are shown to a trained model when it is tested. It masks keys after their
  /// query, and its scores take a product a region.
  std::optional<PositionMapOptions> map = std::nullopt;
  /// Of learned, its table's, 1 ... 65535; of cope, the positions it counts to; 0: as many as asked for, which a
  /// trainer puts in its place.
  std::int64_t rows = 0;
  std::int64_t buckets = 16;       ///< of t5: 4 ... 4096
  std::int64_t max_distance = 16;  ///< of t5, as in T5Options; of shaw and deberta, where distances are clipped
  std::int64_t hidden = 32;        ///< of fire: units of its perceptron, 1 ... 4096
};

}  // namespace posenc::learning

namespace posenc {

/// "none" | "sinusoid" | "learned" | "rope" | "xpos" | "alibi" | "t5" | "kerple" | "kerple-power" | "fire" | "sandwich"
/// | "shaw" | "transformer-xl" | "cope" | "deberta" | "fox" | "fox-rope" | "selective-rope" | "path"; an Error that
/// lists them for anything else.
template <>
[[nodiscard]] Expected<learning::EncodingType> from_name(std::string_view name);

}  // namespace posenc
