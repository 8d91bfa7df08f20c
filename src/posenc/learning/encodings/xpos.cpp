#include "posenc/rotary/xpos.hpp"

#include <cstddef>
#include <utility>

#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/angle_table.hpp"

namespace posenc::learning {
namespace {

class XposEncoding final : public Encoding {
 public:
  explicit XposEncoding(double base) : base_(base) {}

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    const auto dim = rotated_dims(reach.shape, 1);
    if (!dim) return error_of(dim);
    // Scores depend on distances alone: from a centre in the middle scales stay finite twice as far.
    const std::int32_t middle = reach.position / 2;
    const auto xpos =
        Xpos::make({.rotary = {.dim = static_cast<std::int64_t>(*dim), .layout = Layout::half, .base = base_},
                    .centre = static_cast<double>(middle)});
    if (!xpos) return error_of(xpos);
    const auto positions = Positions::range(static_cast<std::size_t>(reach.position) + 1);
    // Before there is memory for all of them.
    if (auto checked = xpos->check_reach(positions); !checked) return checked;
    for (const auto& [side, table] : {std::pair{XposSide::query, &query_}, std::pair{XposSide::key, &key_}}) {
      auto made = AngleTable::make(*xpos, side, positions);
      if (!made) return error_of(made);
      *table = *std::move(made);
    }
    return {};
  }

  void rotate(const Pass& pass, std::size_t /*layer*/, const Strided<float>& query,
              const Strided<float>& key) override {
    query_.rotate(pass, Direction::forward, query);
    key_.rotate(pass, Direction::forward, key);
  }

  void rotate_gradient(const Pass& pass, std::size_t /*layer*/, const TurnedRows& /*rows*/,
                       const Strided<float>& d_query, const Strided<float>& d_key) override {
    query_.rotate(pass, Direction::inverse, d_query);
    key_.rotate(pass, Direction::inverse, d_key);
  }

 private:
  double base_;
  AngleTable query_, key_;
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_xpos(const EncodingOptions& options) {
  if (const auto checked = Frequencies::make({.dim = 1, .base = options.base}); !checked) return error_of(checked);
  return std::make_unique<XposEncoding>(options.base);
}

}  // namespace posenc::learning
