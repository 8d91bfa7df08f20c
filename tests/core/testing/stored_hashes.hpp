#pragma once

#include <string_view>

struct StoredHash {
  std::string_view name;
  std::string_view hash;  ///< FNV-1a of 64 bits
};

/// In the order of `recipes` in hashes.test.cpp. A new value here is a change of the library's output: it needs a
/// reason.
inline constexpr StoredHash stored_hashes[] = {
    {"table 512 x 128", "a8a72cef01ee4e09"},
    {"table split odd", "bcc2781b50c4a155"},
    {"table double-stepped", "b9551581ea2bc1e0"},
    {"table at 2^31", "4e80828b95357922"},
    {"table up to 2^53", "fde9287737c8ed57"},
    {"table mlx", "383b22fe13288fab"},
    {"grid detr", "48ba6062308993bc"},
    {"fourier rff", "2b1b974f9c3c4cf4"},
    {"table base 0.5", "a202f1f680590b03"},
    {"cache 256 x 64", "312847dacabafeb3"},
    {"cache partial", "08956c4675c7ab86"},
    {"cache llama3", "db5933c710406802"},
    {"cache yarn", "17927ff1d1f69fa1"},
    {"rotated half", "44ff3ac3904f3650"},
    {"rotated interleaved", "1f905e356b55d3cd"},
    {"rotated deinterleaved", "9529b7f33993c8ab"},
    {"rotated back", "19f7bcf762a7f90e"},
    {"cache float32 yarn", "2b6cd575afb3dc1c"},
    {"rotated again", "f9806713b9c52dc7"},
    {"xpos", "f23980e82a69085f"},
    {"linear attention", "79cb6bece870f029"},
    {"linear", "7bbffa2cdfa7a51f"},
    {"attention", "5379efadc8f5d5b7"},
    {"dropout", "abcc8dad821c3412"},
    {"masked attention", "4c1848751a2a594c"},
    {"learned table", "f1c76365db0b36ff"},
    {"learned table uniform", "2573f61c80789edf"},
    {"learned gradient", "37d3883917e366d1"},
    {"adamw", "f6840dc02365067f"},
    {"resize cubic", "924aa846bc6319f7"},
    {"alibi", "a17bbae5fcc11a15"},
    {"kerple power", "a9f3da3011c9ecbb"},
    {"sandwich", "5958b94b7b2e58c5"},
    {"grid dinov3", "c939307ff22baa35"},
    {"grid pixtral", "07dbaa4d37f934ab"},
    {"grid croco", "efd8fec3b7cefa00"},
    {"grid timm-pixel", "7c59b256fde36dce"},
    {"grid wan", "353a642b84b95d92"},
    {"grid mixed", "da57f59aa410a30f"},
    {"mrope", "8e4267486c71c39d"},
    {"table float16", "54da0ed2db677657"},
    {"table bfloat16", "5e06341802138bf1"},
    {"rotated float16", "2c1fccea384a0298"},
    {"rotated bfloat16", "599505319c97f21b"},
};
