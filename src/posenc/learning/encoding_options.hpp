#pragma once

#include <cstdint>
#include <optional>

#include "posenc/base/names.hpp"
#include "posenc/frequencies/scaling.hpp"
#include "posenc/relative/position_map.hpp"

namespace posenc::learning {

/// How a model learns the positions of its tokens.
enum class EncodingType : std::uint8_t {
  none,          ///< not at all, but for the causal mask
  sinusoid,      ///< Vaswani et al. 2017, at the input
  concatenated,  ///< a sinusoid in the upper half of the input's dimensions, which are no word's then
  learned,       ///< a table of rows at the input (BERT, GPT-2)
  rope,          ///< Su et al. 2021, half layout
  alibi,         ///< Press et al. 2022
  t5,            ///< Raffel et al. 2020: a learned number a bucket of distances and head, the same in all layers
  fire,          ///< Li et al. 2024; the same in all layers
  shaw,          ///< Shaw et al. 2018: tables for keys and values, one a layer
  fox,           ///< Lin et al. 2025, the Forgetting Transformer, without rotation
};

/// An encoding reads the options that name it and ignores the others.
struct EncodingOptions {
  EncodingType type = EncodingType::none;
  double base = 10000;  ///< of sinusoid, concatenated and rope: finite, > 0
  /// The share of a head's dimensions that rope rotates, > 0 ... 1: the nearest even number of them, at least 2.
  double rotated = 1;
  Scaling scaling = scaling::Default{};  ///< of rope
  /// Maps the positions of rope when a trained model is tested. It masks keys after their query, and computes the
  /// scores once for each region of the map.
  std::optional<PositionMapOptions> map = std::nullopt;
  std::int64_t rows = 0;           ///< of learned: 1 ... 65535; 0: one for each position that a training reaches
  std::int64_t buckets = 16;       ///< of t5: 4 ... 4096
  std::int64_t max_distance = 16;  ///< of t5, as in T5Options; of shaw, where distances are clipped
  std::int64_t hidden = 32;        ///< of fire: units of its perceptron, 1 ... 4096
};

}  // namespace posenc::learning

namespace posenc {

template <>
inline constexpr auto names_of<learning::EncodingType> =
    Names("encoding.type", {{"none", learning::EncodingType::none},
                            {"sinusoid", learning::EncodingType::sinusoid},
                            {"concatenated", learning::EncodingType::concatenated},
                            {"learned", learning::EncodingType::learned},
                            {"rope", learning::EncodingType::rope},
                            {"alibi", learning::EncodingType::alibi},
                            {"t5", learning::EncodingType::t5},
                            {"fire", learning::EncodingType::fire},
                            {"shaw", learning::EncodingType::shaw},
                            {"fox", learning::EncodingType::fox}});

}  // namespace posenc
