#pragma once

#include <memory>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/learning/encoding.hpp"
#include "posenc/learning/encoding_options.hpp"

namespace posenc::learning {

/// The parts of an encoding, which a pass calls in this order: fox_rope is rope and fox.
using EncodingParts = std::vector<std::unique_ptr<Encoding>>;

/// Errors: an option outside its range.
[[nodiscard]] Expected<EncodingParts> make_encoding(const EncodingOptions& options);

// Each in the source of its name. Errors: an option that it reads outside its range.
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_sinusoid(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_learned(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_rope(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_xpos(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_alibi(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_t5(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_kerple(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_fire(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_sandwich(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_shaw(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_transformer_xl(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_cope(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_deberta(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_fox(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_selective_rope(const EncodingOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Encoding>> make_path(const EncodingOptions& options);

}  // namespace posenc::learning
