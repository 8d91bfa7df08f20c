#include "posenc/learning/tasks/text_tokens.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc::learning {
namespace {

constexpr std::size_t most_characters = 1024;
constexpr std::uint32_t unknown_character = 0xFFFD, largest_character = 0x10FFFF;

struct Character {
  std::uint32_t code;
  std::size_t bytes;  ///< 0 where there is none
};

/// The character at the start of a text that is not empty.
Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead < 0xC0 ? 0 : (lead < 0xE0 ? 2 : (lead < 0xF0 ? 3 : (lead < 0xF8 ? 4 : 0)));
  if (bytes == 0 || bytes > text.size()) return {0, 0};
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t least[]{0x80, 0x800, 0x10000};  // the least code point of 2, 3 and 4 bytes
  const bool is_surrogate = code >> 11 == 0xD800 >> 11;
  return {code, code < least[bytes - 2] || code > largest_character || is_surrogate ? 0 : bytes};
}

std::string character_word(std::uint32_t code) {
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  const std::size_t bytes = code < 0x800 ? 2 : (code < 0x10000 ? 3 : 4);
  std::string word(bytes, '\0');
  for (std::size_t i = bytes - 1; i > 0; --i, code >>= 6) word[i] = static_cast<char>(0x80 | (code & 0x3F));
  word[0] = static_cast<char>((0xF00u >> bytes & 0xFF) | code);
  return word;
}

std::unexpected<Error> no_character(std::string_view text, std::size_t at) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(text[at]);
  return invalid_argument("task.text",
                          std::string("0x") + digits[byte >> 4] + digits[byte & 15] + " at byte " + decimal(at),
                          expected::exactly, {"UTF-8"});
}

/// The code points of a text.
Expected<AlignedArray<std::int32_t>> characters_of(std::string_view text) {
  // All bytes of a character but the first begin with the bits 10.
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  auto codes = AlignedArray<std::int32_t>::make_unfilled(static_cast<std::size_t>(std::ranges::count_if(text, begins)));
  if (!codes) return codes;
  std::int32_t* to = codes->data();
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = first_character(text.substr(at));
    if (bytes == 0) return no_character(text, at);
    *to++ = static_cast<std::int32_t>(code);
    at += bytes;
  }
  return codes;
}

/// The code points that are tokens, of those that occur in the text, `counts` times each; where there are too many, the
/// last token is for all others.
std::vector<std::uint32_t> token_characters(std::span<const std::uint32_t> counts) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t code = 0; code <= largest_character; ++code)
    if (counts[code] != 0) kept.push_back(code);
  if (kept.size() <= most_characters) return kept;
  std::erase(kept, unknown_character);
  std::ranges::sort(
      kept, [&](std::uint32_t a, std::uint32_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  kept.resize(most_characters);
  std::ranges::sort(kept);
  kept.push_back(unknown_character);
  return kept;
}

}  // namespace

Expected<TextTokens> read_text(std::string_view text) {
  POSENC_TRY_LET(codes, characters_of(text));
  POSENC_TRY_LET(table, AlignedArray<std::uint32_t>::make(largest_character + 1));
  const auto counts = table.span();
  for (const std::int32_t code : codes.span()) ++counts[static_cast<std::size_t>(code)];

  const auto kept = token_characters(counts);
  TextTokens read{{}, std::move(codes)};
  // From here on the table maps a code point to its token.
  std::ranges::fill(counts, static_cast<std::uint32_t>(kept.size() - 1));
  for (const std::uint32_t code : kept) {
    counts[code] = static_cast<std::uint32_t>(read.words.size());
    read.words.push_back(character_word(code));
  }
  for (std::int32_t& token : read.tokens.span())
    token = static_cast<std::int32_t>(counts[static_cast<std::size_t>(token)]);
  return read;
}

}  // namespace posenc::learning
