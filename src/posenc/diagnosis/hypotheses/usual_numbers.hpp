#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace posenc::diagnosis {

// Numbers of published models, the commonest first: what a wrong number is likely to be.

inline constexpr std::array<double, 26> usual_bases{
    10000,    500000, 1000000,  5000000,  150000,    160000,  100000,       2000000, 8000000,
    10000000, 1000,   12000000, 50000000, 100000000, 1600000, 100000000000, 25000,   50000,
    250000,   600000, 40000,    640000,   1500000,   20000,   500,          100};

/// Factors of scaling rules.
inline constexpr std::array<double, 19> usual_factors{4, 8,  2,  16, 32, 40, 64,  128, 3,  5,
                                                      6, 10, 12, 20, 24, 48, 1.5, 2.5, 256};

/// Lengths that models were trained for, in tokens.
inline constexpr std::array<double, 18> usual_lengths{4096,   8192, 40960, 32768, 2048, 16384, 131072, 65536,   1024,
                                                      262144, 512,  24576, 12288, 6144, 256,   524288, 1048576, 128000};

/// Of these, so many are tried with every factor where any plan may be meant.
inline constexpr std::size_t commonest_lengths = 10;

/// Bases and rules that published models have together.
enum class UsualRule : std::uint8_t { linear, ntk, proportional, llama3, yarn };
struct UsualModel {
  double base;
  UsualRule rule;
  double factor, length = 0;  ///< of a proportional rule the fraction is the factor
  bool truncate = true;
};
inline constexpr std::array<UsualModel, 18> usual_models{{{500000, UsualRule::llama3, 8, 8192},
                                                          {500000, UsualRule::llama3, 32, 8192},
                                                          {1000000, UsualRule::llama3, 16, 8192},
                                                          {1000000, UsualRule::yarn, 4, 32768},
                                                          {1000000, UsualRule::yarn, 4, 40960},
                                                          {1000000, UsualRule::yarn, 16, 16384},
                                                          {10000, UsualRule::yarn, 40, 4096},
                                                          {160000, UsualRule::yarn, 16, 65536},
                                                          {150000, UsualRule::yarn, 32, 4096, false},
                                                          {500000, UsualRule::yarn, 32, 4096},
                                                          {500000, UsualRule::yarn, 8, 8192},
                                                          {10000, UsualRule::linear, 4},
                                                          {10000, UsualRule::linear, 2},
                                                          {10000, UsualRule::linear, 8},
                                                          {1000000, UsualRule::linear, 8},
                                                          {10000, UsualRule::ntk, 4},
                                                          {10000, UsualRule::ntk, 1000},
                                                          {1000000, UsualRule::proportional, 0.25}}};

}  // namespace posenc::diagnosis
