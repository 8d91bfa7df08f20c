/// Lists of edits of cached keys, of any type and rotation: they do in place what they do to other memory, positions
/// are finite, and an Error writes nothing.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "bytes.hpp"
#include "invariants.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/key_cache/edited_keys.hpp"
#include "posenc/rotary/xpos.hpp"

using fuzz::Bytes;
using fuzz::require;
using posenc::EditedKeys;
using posenc::KeyEdit;
using posenc::KeyRotation;
using posenc::KeyType;
using posenc::Layout;
namespace edit = posenc::edit;

namespace {

constexpr std::int64_t dim = 32;

/// Rotations that keys can change between.
struct Rotations {
  std::vector<posenc::Rotary> rotaries;
  std::vector<posenc::Xpos> xpos;
  std::vector<posenc::PointRotary> points;

  Rotations() {
    constexpr std::int64_t sections[]{4, 6, 6};
    for (const Layout layout : {Layout::half, Layout::interleaved}) {
      const posenc::RotaryOptions options{.dim = dim, .layout = layout, .base = layout == Layout::half ? 1e4 : 5e5};
      rotaries.push_back(*posenc::Rotary::make(options));
      xpos.push_back(*posenc::Xpos::make({.rotary = options, .centre = 8}));
      points.push_back(*posenc::mrope(options, sections, posenc::MropeOrder::chunked));
    }
  }

  [[nodiscard]] KeyRotation choose(Bytes& bytes, bool has_points) const {
    const std::size_t which = bytes.below(2);
    if (has_points) return points[which];
    if (bytes.below(4) == 0) return xpos[which];
    return rotaries[which];
  }
};

struct Cache {
  KeyType type = KeyType::float32;
  std::size_t tokens = 0, heads = 1;
  std::vector<std::byte> bytes;

  Cache(KeyType of, std::size_t count, std::size_t of_heads, Bytes& from) : type(of), tokens(count), heads(of_heads) {
    std::vector<float> values(tokens * heads * static_cast<std::size_t>(dim));
    for (float& value : values) value = static_cast<float>(from.byte()) / 128 - 1;
    bytes.resize(posenc::bytes_of(type, values.size()));
    if (type == KeyType::float32) {
      std::ranges::copy(std::as_bytes(std::span(values)), bytes.begin());
    } else if (type == KeyType::q8_0) {
      // Scales of 1 / 128, and whatever whole numbers there are.
      for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = i % 34 == 0 ? std::byte{0} : (i % 34 == 1 ? std::byte{0x20} : static_cast<std::byte>(from.byte()));
    } else {
      (void)posenc::convert(values,
                            posenc::Span16(type == KeyType::float16 ? posenc::DType::float16 : posenc::DType::bfloat16,
                                           {reinterpret_cast<std::uint16_t*>(bytes.data()), values.size()}));
    }
  }

  [[nodiscard]] posenc::Keys keys() {
    const std::int64_t shape[]{static_cast<std::int64_t>(tokens), static_cast<std::int64_t>(heads), dim};
    return {type, bytes, *posenc::SequenceShape::make(shape, {.sequence = 0})};
  }
};

posenc::TokenRange range(Bytes& bytes) {
  posenc::TokenRange made;
  if (bytes.flag()) made.from = bytes.extent();
  if (bytes.flag()) made.to = bytes.extent();
  return made;
}

KeyEdit any_edit(Bytes& bytes, const Rotations& rotations, std::size_t axes, std::vector<Cache>& caches,
                 std::vector<std::vector<double>>& positions, std::size_t heads) {
  KeyEdit made{edit::Drop{}};
  switch (bytes.below(7)) {
    case 0:
      made.what = edit::Shift{range(bytes), bytes.doubles(bytes.size_near(bytes.flag() ? 1 : axes))};
      break;
    case 1:
      made.what = edit::Move{range(bytes), bytes.extent(), bytes.flag()};
      break;
    case 2:
      made.what = edit::Drop{range(bytes), bytes.flag()};
      break;
    case 3: {
      edit::Insert insert;
      insert.at = bytes.extent();
      insert.keep_positions = bytes.flag();
      if (bytes.flag()) {
        // Tens of millions of tokens are no mistake, but take seconds.
        insert.count = bytes.extent();
        if (*insert.count > 1 << 16) insert.count = std::numeric_limits<std::int64_t>::max();
      } else {
        const std::size_t count = bytes.below(4);
        caches.emplace_back(bytes.one_up_to(KeyType::q8_0), count, bytes.size_near(heads), bytes);
        positions.push_back(bytes.doubles(bytes.size_near(count * axes)));
        insert.keys = caches.back().keys();
        insert.positions = positions.back();
        if (bytes.flag()) insert.rotation = rotations.choose(bytes, bytes.byte() < 8 ? axes == 1 : axes > 1);
      }
      made.what = std::move(insert);
      break;
    }
    case 4:
      made.what = edit::Rotate{rotations.choose(bytes, bytes.byte() < 8 ? axes == 1 : axes > 1)};
      break;
    case 5:
      made.what = edit::Divide{range(bytes), bytes.number(), bytes.number()};
      break;
    default:
      made.what = edit::Convert{bytes.one_up_to(KeyType::q8_0)};
      break;
  }
  if (bytes.byte() < 16) made.list = bytes.extent();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Rotations rotations;
  Bytes bytes({data, size});
  const bool has_points = bytes.flag();
  const std::size_t axes = has_points ? 3 : 1, heads = 1 + bytes.below(2), tokens = bytes.below(9);
  const KeyRotation rotation = rotations.choose(bytes, has_points);
  Cache cache(bytes.one_up_to(KeyType::q8_0), tokens + bytes.below(4), heads, bytes);
  std::vector<double> positions(tokens * axes);
  for (double& position : positions) position = static_cast<double>(bytes.byte());

  std::vector<Cache> caches;
  std::vector<std::vector<double>> places;
  caches.reserve(8);
  places.reserve(8);
  std::vector<KeyEdit> edits;
  for (std::size_t count = bytes.below(9); count > 0; --count)
    edits.push_back(any_edit(bytes, rotations, axes, caches, places, heads));
  const auto edited = EditedKeys::make({.rotation = rotation, .positions = positions}, cache.keys(), edits);
  if (!fuzz::check(edited)) return 0;
  for (const double position : edited->positions(0)) require(std::isfinite(position), "finite positions");

  Bytes none({});
  Cache out(edited->type(), std::max(cache.tokens, std::min<std::size_t>(edited->tokens(), 32)), heads, none);
  const auto before = cache.bytes, unwritten = out.bytes;
  const auto bound = edited->write(cache.bytes, out.keys());
  require(cache.bytes == before, "keys that are only read");
  if (!fuzz::check(bound)) {
    require(out.bytes == unwritten, "untouched after an Error");
    return 0;
  }
  require(bound->dimension >= 0, "a bound");
  if (out.type != cache.type || out.tokens != cache.tokens) return 0;
  require(fuzz::check(edited->write(cache.bytes, cache.keys())), "in place, too");
  const std::size_t used = posenc::bytes_of(out.type, edited->tokens() * heads * static_cast<std::size_t>(dim));
  require(std::ranges::equal(std::span(cache.bytes).first(used), std::span(out.bytes).first(used)), "the same keys");
  return 0;
}
