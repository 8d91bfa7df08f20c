#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/base/error.hpp"
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

[[nodiscard]] std::string_view name_of(EncodingType type);

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

/// "none" | "sinusoid" | "concatenated" | "learned" | "rope" | "alibi" | "t5" | "fire" | "shaw" | "fox"; an Error that
/// lists them for anything else.
template <>
[[nodiscard]] Expected<learning::EncodingType> from_name(std::string_view name);

}  // namespace posenc
