#include "posenc/diagnosis/bias/bias_ways.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "posenc/base/scalar_maths.hpp"
#include "posenc/relative/relative_position.hpp"

// std::log1p and std::pow are right here: KERPLE's values are compared within roundings of float32.

namespace posenc::diagnosis {
namespace {

constexpr std::array<std::string_view, 10> type_names{
    "", "alibi", "t5", "clipped", "kerple-log", "kerple-power", "swin", "ids", "linear", "toeplitz"};

/// Roundings of a product in float32 and of what it is made of; a value of a table is copied, and a kernel is a power
/// or a logarithm.
constexpr double product_roundings = 4, kernel_roundings = 8;

/// Every distance up to this one is looked at where tables are compared, and some beyond: no list's bucket begins
/// later. The farthest one is odd: 16 bits do not have it.
constexpr std::int64_t near_distance = 256, compared_distance = 2200, farthest_distance = 1000003;

/// Stands for a masked value among numbers that are compared.
constexpr double masked_number = -0x1p100;

/// Whether two ways differ at a distance as far as values show it: of those that are not known, where they change.
bool differ_at(const BiasNumbers& a, const BiasNumbers& b, std::size_t heads, std::int64_t d) {
  const bool is_masked_here = d > a.way().edge();
  if (is_masked_here != (d > b.way().edge()) || a.is_known() != b.is_known()) return true;
  if (is_masked_here) return false;
  if (!a.is_known()) return (a.bucket(d) == a.bucket(d - 1)) != (b.bucket(d) == b.bucket(d - 1));
  for (std::size_t head = 0; head < heads; ++head) {
    const double one = a.value(head, d), other = b.value(head, d);
    if (one != other && !(std::fabs(one - other) <= a.noise(head, one) + b.noise(head, other))) return true;
  }
  return false;
}

/// Whether values change nowhere but where buckets do, and there everywhere, unless neighbours may be alike. `shows`:
/// any two distances have one value; where none have, any function would do.
std::optional<BiasResidual> compare_steps(const PairSample& sample, const BiasNumbers& numbers, bool may_be_alike) {
  if (!sample.is_exact) return std::nullopt;
  BiasResidual residual{.shows = false};
  for (std::size_t c = 1; c < sample.distances; ++c) {
    const std::optional<bool> changes = sample.changes_at(c);
    if (!changes) continue;
    const std::int64_t d = sample.distance(c);
    const bool is_step = numbers.bucket(d) != numbers.bucket(d - 1);
    if (*changes != is_step && (*changes || !may_be_alike)) return std::nullopt;
    residual.shows |= !is_step || numbers.way().type == BiasType::toeplitz;
  }
  return residual;
}

/// What slope * key - slope * query is where both are rounded to the type of the results, and the difference too. The
/// slope may be some last bits of float32 off, the same ones in all rows.
std::optional<BiasResidual> compare_products(const PairSample& sample, const BiasNumbers& numbers) {
  constexpr int most_steps = 4;
  const ResultType float32, &type = sample.type;
  const auto product = [&](double slope, std::int64_t at) {
    return type.rounded(float32.rounded(slope * static_cast<double>(at)));
  };
  const auto explains = [&](std::size_t head, double slope, double sign) {
    for (std::size_t batch = 0; batch < sample.batch; ++batch)
      for (std::size_t query = 0; query < sample.queries; ++query) {
        const auto at = sample.first_query + static_cast<std::int64_t>(query) + numbers.way().centre;
        const double start = product(slope, at);
        for (std::size_t key = 0; key < sample.keys; ++key) {
          const double given = sample.at(batch, head, query, key);
          const double x = type.rounded(product(slope, static_cast<std::int64_t>(key)) - start);
          if (!is_masked(given) && given != sign * reach_of(numbers.way().reach, x)) return false;
        }
      }
    return true;
  };
  for (std::size_t head = 0; head < sample.heads; ++head) {
    const double slope = numbers.slope(head), size = std::fabs(slope);
    bool is_found = false;
    for (int step = 0; step <= 2 * most_steps && !is_found; ++step) {
      // 0, -1, 1, -2, ... last bits
      const int bits = (step % 2 == 0 ? 1 : -1) * ((step + 1) / 2);
      const double own = float32.rounded(size) + 2 * bits * float32.half_unit(size);
      is_found = explains(head, own, slope < 0 ? -1 : 1) || explains(head, type.rounded(own), slope < 0 ? -1 : 1);
    }
    if (!is_found) return std::nullopt;
  }
  return BiasResidual{};
}

/// The share of a head by the paper, and by MPT, which sorts another series to the same slopes.
double paper_share(std::size_t h, std::size_t heads) {
  const std::size_t lower = std::bit_floor(heads);
  if (h < lower) return static_cast<double>(h + 1) / static_cast<double>(lower);
  return static_cast<double>(2 * (h - lower) + 1) / static_cast<double>(2 * lower);
}

/// Which power of the rule's first number a head's slope is: so many roundings has one that is computed so.
double power_of(const SlopeRule& rule, std::size_t head) {
  // The paper's series of twice as many heads is the finer one.
  const auto heads = std::bit_floor(static_cast<std::size_t>(rule.heads));
  return share_of(rule, head) *
         static_cast<double>(rule.name == "geometric" ? static_cast<std::size_t>(rule.heads) : 2 * heads);
}

/// 2^-(steepness * share). Largest error: 3 ulp; exact where the exponent is whole.
double slope_of(const SlopeRule& rule, double steepness, std::size_t head) {
  const double exponent = steepness * share_of(rule, head);
  const double whole = std::floor(exponent);
  return std::ldexp(exponential((whole - exponent) * ln_2.high), -static_cast<int>(whole));
}

}  // namespace

double share_of(const SlopeRule& rule, std::size_t head) {
  if (rule.period > 0) head %= static_cast<std::size_t>(rule.period);
  const auto heads = static_cast<std::size_t>(rule.heads);
  if (rule.name == "geometric")
    return static_cast<double>(rule.first + static_cast<std::int64_t>(head) + 1) / static_cast<double>(heads);
  const std::size_t h = static_cast<std::size_t>(rule.first) + head;
  return paper_share(h, heads);
}

std::string_view name_of(BiasType type) { return type_names[static_cast<std::size_t>(type)]; }

std::optional<BiasType> bias_type_of(std::string_view name) {
  const auto* const at = std::ranges::find(type_names, name);
  if (at == type_names.end()) return std::nullopt;
  return static_cast<BiasType>(at - type_names.begin());
}

WindowRows::WindowRows(WindowWay way) : way_(std::move(way)), strides_(way_.extents.size(), 1) {
  const std::size_t axes = way_.extents.size();
  const auto differences = [&](std::size_t axis) { return 2 * way_.extents[axis] - 1; };
  for (std::size_t k = 1; k < axes; ++k) {
    const std::size_t axis = way_.index == WindowIndex::reversed ? k : axes - 1 - k;
    const std::size_t faster = way_.index == WindowIndex::reversed ? axis - 1 : axis + 1;
    strides_[axis] = strides_[faster] * differences(way_.index == WindowIndex::own_width ? axis : faster);
  }
  const std::int64_t cells = way_.cells();
  for (std::int64_t cell = 0; cell < cells; ++cell) sums_.push_back(sum_of(cell));
  for (std::size_t axis = 0; axis < axes; ++axis) centre_ += (way_.extents[axis] - 1) * strides_[axis];
}

std::int64_t WindowRows::row(std::int64_t query, std::int64_t key) const {
  if (way_.class_token) {
    const std::int64_t token = way_.class_last ? way_.cells() : 0, patches = way_.rows() - 3;
    if (query == token || key == token) return patches + (query != token ? 1 : key != token ? 0 : 2);
    if (!way_.class_last) --query, --key;
  }
  return sums_[static_cast<std::size_t>(query)] - sums_[static_cast<std::size_t>(key)] + centre_;
}

std::int64_t WindowRows::sum_of(std::int64_t cell) const {
  std::int64_t sum = 0;
  const std::size_t axes = way_.extents.size();
  for (std::size_t k = 0; k < axes; ++k) {
    // The last two axes of a cell are the row and the column.
    const std::size_t axis = way_.by_columns && k < 2 ? axes - 2 + k : axes - 1 - k;
    sum += cell % way_.extents[axis] * strides_[axis];
    cell /= way_.extents[axis];
  }
  return sum;
}

double reach_of(Reach reach, double x) {
  return reach == Reach::symmetric ? -std::fabs(x) : reach == Reach::flat ? std::min(x, 0.0) : x;
}

std::int64_t BiasWay::edge() const {
  return mask == BiasMask::own ? 0 : mask == BiasMask::moved ? centre : std::numeric_limits<std::int64_t>::max();
}

std::optional<BiasNumbers> BiasNumbers::make(const BiasWay& way, BiasSource& source) {
  BiasNumbers made;
  made.way_ = way;
  made.source_ = &source;
  if (way.is_window()) made.rows_ = WindowRows(way.window);
  if (way.is_kernel() && source.parameters.empty() && way.numbers.empty()) return std::nullopt;
  if (way.type != BiasType::t5) return made;
  // Where the table has fewer rows, nothing could have been read.
  if (!source.table.empty() && static_cast<std::size_t>(way.buckets) * source.heads > source.table.size())
    return std::nullopt;
  const auto [at, is_new] = source.buckets.try_emplace({way.buckets, way.max_distance, way.bidirectional});
  if (is_new)
    if (auto own = T5Buckets::make({way.buckets, way.max_distance, way.bidirectional})) at->second = *std::move(own);
  const std::optional<T5Buckets>& lists = at->second;
  if (!lists) return std::nullopt;
  made.buckets_ = &*lists;
  return made;
}

double BiasNumbers::rounded_slope(std::size_t head) const {
  if (way_.type == BiasType::linear) return way_.numbers[head];
  const double slope = (way_.is_negative ? -way_.factor : way_.factor) * slope_of(way_.rule, way_.steepness, head);
  switch (way_.rounding) {
    case BiasRounding::slopes_float16:
      return ResultType{"float16", 11, -14}.rounded(slope);
    case BiasRounding::slopes_bfloat16:
      return ResultType{"bfloat16", 8, -126}.rounded(slope);
    case BiasRounding::distances:
      return source_->type.rounded(slope);
    default:
      return slope;
  }
}

std::int64_t BiasNumbers::bucket(std::int64_t distance) const {
  const std::int64_t x = way_.is_constant ? 0 : way_.is_exchanged ? way_.centre - distance : distance - way_.centre;
  return buckets_ != nullptr ? buckets_->bucket(x) : std::clamp(x, -way_.max_distance, way_.max_distance);
}

double BiasNumbers::value(std::size_t head, std::int64_t distance) const {
  return distance > way_.edge() ? -std::numeric_limits<double>::infinity() : open_value(head, distance);
}

double BiasNumbers::open_value(std::size_t head, std::int64_t distance) const {
  const double factor = way_.is_negative ? -way_.factor : way_.factor;
  const auto x = static_cast<double>(distance - way_.centre);
  const ResultType& type = source_->type;
  if (way_.is_kernel()) {
    const double* const own = (way_.numbers.empty() ? source_->parameters.data() : way_.numbers.data()) + 2 * head;
    const double r1 = own[way_.is_exchanged ? 1 : 0], r2 = own[way_.is_exchanged ? 0 : 1], size = std::fabs(x);
    if (way_.type == BiasType::kerple_log) return -factor * r1 * std::log1p(r2 * size);
    return size == 0 ? 0 : -factor * r1 * std::pow(size, r2);
  }
  if (way_.has_buckets())
    return factor * source_->table[static_cast<std::size_t>(bucket(distance)) * source_->heads + head];
  const double reach = reach_of(way_.reach, x);
  if (way_.rounding == BiasRounding::products) {
    // The rounding is the one that a far query has.
    constexpr double query = 1001;
    const double own = slope(head);
    return reach_of(way_.reach, type.rounded(type.rounded(own * (query + x)) - type.rounded(own * query)));
  }
  return slope(head) * (way_.rounding == BiasRounding::distances ? type.rounded(reach) : reach);
}

std::int64_t BiasNumbers::row_of(std::size_t query, std::size_t key) const {
  if (way_.is_constant) return rows_.centre();
  if (way_.is_exchanged) std::swap(query, key);
  return rows_.row(static_cast<std::int64_t>(query), static_cast<std::int64_t>(key));
}

double BiasNumbers::value_of(const PairSample& sample, std::size_t head, std::size_t query, std::size_t key) const {
  if (!way_.is_window()) return value(head, sample.distance(sample.queries - 1 - query + key));
  const std::int64_t row = row_of(query, key);
  const double factor = way_.is_negative ? -way_.factor : way_.factor;
  if (way_.type == BiasType::ids) return factor * static_cast<double>(row) + way_.offset;
  const std::size_t at = static_cast<std::size_t>(row) * source_->heads + head;
  if (row < 0 || at >= source_->table.size()) return std::numeric_limits<double>::quiet_NaN();
  return factor * source_->table[at];
}

double BiasNumbers::noise(std::size_t head, double value) const {
  if (way_.type == BiasType::ids) return 0;
  if (!std::isfinite(value)) return 0;
  const bool is_copied = way_.factor == 1 && way_.type != BiasType::linear;
  const double other = way_.is_kernel() ? kernel_roundings : is_copied ? 0 : product_roundings;
  return source_->type.noise(value, way_.has_slopes() ? product_roundings + power_of(way_.rule, head) : other);
}

std::optional<BiasResidual> compare(const PairSample& sample, const BiasNumbers& numbers, double slack,
                                    std::optional<std::size_t> only) {
  if (!numbers.way().fits_mask(sample)) return std::nullopt;
  if (!numbers.is_known()) return compare_steps(sample, numbers, slack > 1);
  if (numbers.way().rounding == BiasRounding::products) return compare_products(sample, numbers);
  BiasResidual residual;
  // Notes how far a value is from what it should be; false where it is farther than its noise.
  const auto note = [&](std::size_t head, double far, double value) {
    const double noise = slack * numbers.noise(head, value);
    if (!(far <= noise)) return false;
    if (far == 0) return true;
    residual.units = std::max(residual.units, far / noise);
    residual.ulps = std::max(residual.ulps, far / (2 * sample.type.half_unit(value)));
    return true;
  };
  for (std::size_t at = 0; numbers.way().is_window() && at < sample.values.size(); ++at) {
    const std::size_t head = sample.head_of(at);
    const double value = numbers.value_of(sample, head, sample.query_of(at), sample.key_of(at));
    if (!note(head, std::fabs(sample.values[at] - value), value)) return std::nullopt;
  }
  for (std::size_t head = only.value_or(0); head < sample.heads && !numbers.way().is_window(); ++head) {
    if (only && head != *only) break;
    for (std::size_t c = 0; c < sample.distances; ++c) {
      if (!sample.has(head, c)) continue;
      const double value = numbers.value(head, sample.distance(c));
      const std::size_t at = head * sample.distances + c;
      const double far = std::max(std::fabs(sample.low[at] - value), std::fabs(sample.high[at] - value));
      if (!note(head, far, value)) return std::nullopt;
    }
  }
  return residual;
}

std::optional<BiasResidual> compare_rows(const PairSample& sample, const BiasNumbers& numbers) {
  if (!numbers.is_known() || !numbers.way().fits_mask(sample)) return std::nullopt;
  BiasResidual residual;
  // Rows whose constant is that of the first key, or of the last one, and those that need one.
  bool is_first = true, is_last = true;
  std::size_t shifted = 0;
  const std::size_t rows = sample.batch * sample.heads * sample.queries;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t head = row / sample.queries % sample.heads, query = row % sample.queries;
    const std::size_t start = sample.queries - 1 - query;
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t key = 0; key < sample.keys; ++key) {
      const double given = sample.values[row * sample.keys + key];
      if (is_masked(given)) continue;
      const double value = numbers.value(head, sample.distance(start + key));
      const double noise = numbers.noise(head, given) + numbers.noise(head, value) - sample.type.half_unit(value);
      low = std::max(low, given - value - noise);
      high = std::min(high, given - value + noise);
      if (low > high) return std::nullopt;
    }
    const auto has_zero_at = [&](std::size_t key) {
      const double constant = -numbers.open_value(head, sample.distance(start + key));
      return low <= constant && constant <= high;
    };
    is_first = is_first && has_zero_at(0);
    is_last = is_last && has_zero_at(sample.keys - 1);
    shifted += low > 0 || high < 0 ? 1 : 0;
  }
  // Rows that are as they should be have no constant: what departs elsewhere is not one of each row.
  residual.is_estimated = !is_first && !is_last;
  return 2 * shifted < rows ? std::nullopt : std::optional(residual);
}

std::vector<double> numbers_everywhere(const BiasNumbers& numbers, const PairSample& sample, bool with_future) {
  const BiasWay& way = numbers.way();
  std::vector<double> made;
  if (way.is_window()) {
    // Rows are counted from 1: a factor of row 0 shows, too.
    const double factor = way.is_negative ? -way.factor : way.factor, first = way.type == BiasType::ids ? 0 : 1;
    for (std::size_t pair = 0; pair < sample.queries * sample.keys; ++pair) {
      const std::int64_t row = numbers.row_of(pair / sample.keys, pair % sample.keys);
      made.push_back(factor * (static_cast<double>(row) + first) + way.offset);
    }
    return made;
  }
  std::vector<std::int64_t> places{-farthest_distance, farthest_distance};
  if (!way.has_buckets())
    for (std::int64_t d = -4; d <= 4; ++d) places.push_back(d);
  else
    // Far away buckets are wide, and begin far apart.
    for (std::int64_t d = 1; d <= compared_distance; d += d < near_distance ? 1 : 7)
      for (const std::int64_t place : {-d, 1 - d, d}) places.push_back(place);
  if (!with_future) std::erase_if(places, [&](std::int64_t d) { return d > sample.last; });
  // One query of a line does not say where it is: that is a constant of its row.
  const auto centre = static_cast<double>(way.centre);
  const bool is_row = sample.queries == 1 && way.has_slopes() && way.reach == Reach::linear;
  for (const std::int64_t d : places) {
    if (!numbers.is_known())
      made.push_back(d > way.edge() ? masked_number : static_cast<double>(numbers.bucket(d)));
    else
      for (std::size_t head = 0; head < sample.heads; ++head)
        made.push_back(d > way.edge()
                           ? masked_number
                           : sample.type.rounded(numbers.value(head, d) + (is_row ? numbers.slope(head) * centre : 0)));
  }
  return made;
}

std::optional<std::int64_t> telling_distance(const BiasNumbers& a, const BiasNumbers& b, const PairSample& sample) {
  const auto find = [&](std::int64_t start, std::int64_t step) -> std::optional<std::int64_t> {
    for (std::int64_t d = start; std::abs(d) <= farthest_distance; d += step) {
      if (differ_at(a, b, sample.heads, d)) return d;
      if (std::abs(d) > compared_distance) step = d;
    }
    return std::nullopt;
  };
  const auto before = find(std::min<std::int64_t>(sample.first - 1, -1), -1);
  return before ? before : find(std::max<std::int64_t>(sample.last + 1, 1), 1);
}

}  // namespace posenc::diagnosis
