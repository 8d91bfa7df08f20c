#pragma once

#include <memory>

#include "posenc/base/error.hpp"
#include "posenc/learning/encoding.hpp"
#include "posenc/learning/encoding_options.hpp"

namespace posenc::learning {

/// Errors: an option outside its range.
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_encoding(const EncodingOptions& options);

// Errors: an option that it reads is outside its range. Those of ALiBi and T5 are in distance_bias.cpp, others in the
// source of their name.
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_sinusoid(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_learned(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_rope(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_alibi(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_t5(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_fire(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_shaw(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_fox(const EncodingOptions& options);

}  // namespace posenc::learning
