#include "posenc/diagnosis/mistake.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "posenc/diagnosis/engine/ordering.hpp"

namespace posenc {

namespace {

/// The names of all mistakes, in their order.
constexpr std::string_view mistake_words =
    "layout permuted first-dim rotary-dim not-rotated rotated exponent-doubled exponent-halved exponent-half-minus-one "
    "exponent-from-one exponent-head-dim exponent-rotary-dim frequencies-float16 frequencies-bfloat16 reciprocal base "
    "other-layers "
    "scaling-missing scaling-twice scaling-other restarted factor-missing factor-twice factor-default factor-other "
    "temperature-missing sign "
    "exchanged first-position position-scale angles-float32 angles-float16 angles-bfloat16 angles-product "
    "angles-exact cosines-float16 cosines-bfloat16 sine-rows axes-order axis-layout axis-dims max-frequency "
    "longer-side "
    "registers-behind cell-order axis-missing sections section-order time-rule next-rule sequence-axis "
    "positions-joined "
    "positions-restarted padding-counted padding-skipped counted-on token-indices positions-modulo "
    "positions-clamped offset-from positions-reversed positions-constant positions-other rotated-again zero-rows "
    "zero-heads tokens-not-rotated heads-not-rotated cache-form exponent-by-dim arrangement amplitude "
    "padding-row zero-column slopes distance causal buckets slopes-float16 slopes-bfloat16 terms-rounded";

constexpr std::size_t mistake_count = static_cast<std::size_t>(Mistake::terms_rounded) + 1;
static_assert(std::ranges::count(mistake_words, ' ') + 1 == mistake_count);

}  // namespace

std::span<const std::string_view> mistake_names() {
  static constexpr std::array<std::string_view, mistake_count> split = [] {
    std::array<std::string_view, mistake_count> made;
    std::string_view rest = mistake_words;
    for (std::string_view& name : made) {
      name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return made;
  }();
  return split;
}

std::vector<Mistake> without_arithmetic(std::vector<Mistake> mistakes) {
  std::erase_if(mistakes, is_of_arithmetic);
  diagnosis::sort_by(mistakes, [](Mistake each) { return static_cast<int>(each); });
  return mistakes;
}

std::string_view name_of(Mistake mistake) { return mistake_names()[static_cast<std::size_t>(mistake)]; }

}  // namespace posenc
