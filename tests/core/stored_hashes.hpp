#pragma once

#include <string_view>

struct StoredHash {
  std::string_view name;
  std::string_view hash;  ///< FNV-1a of 64 bits
};

/// In the order of `recipes` in hashes.test.cpp. A new value here is a change of the library's output: it wants a
/// reason.
inline constexpr StoredHash stored_hashes[] = {
    {"table 512 x 128", "0000000000000000"},
    {"table split odd", "0000000000000000"},
    {"table double-stepped", "0000000000000000"},
    {"table at 2^31", "0000000000000000"},
    {"table up to 2^53", "0000000000000000"},
    {"table base 0.5", "0000000000000000"},
    {"cache 256 x 64", "0000000000000000"},
    {"cache partial", "0000000000000000"},
    {"rotated half", "0000000000000000"},
    {"rotated interleaved", "0000000000000000"},
    {"rotated deinterleaved", "0000000000000000"},
    {"rotated back", "0000000000000000"},
    {"linear", "0000000000000000"},
    {"attention", "0000000000000000"},
};
