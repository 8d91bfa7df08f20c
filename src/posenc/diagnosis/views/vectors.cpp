#include "posenc/diagnosis/views/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace posenc::diagnosis {
namespace {

/// So many rows show which pairings are possible.
constexpr std::size_t compared_tokens = 24, compared_heads = 4;

/// Computations whose cosines are rounded to 16 bits change lengths by no more than this.
constexpr double loose_length = 0x1p-6;

/// Whether a value that does not rotate may have become another: it is copied, and cast once at most.
bool is_copy(double before, double after, const Noise& noise, double slack) {
  return std::fabs(after - before) <= noise.type.unit(std::fabs(before)) + slack;
}

std::vector<std::size_t> first_indices(std::size_t count) {
  std::vector<std::size_t> made(count);
  std::iota(made.begin(), made.end(), std::size_t{0});
  return made;
}

}  // namespace

VectorPart whole_of(const RotationSamples& samples, const RotationAxes& axes) {
  const auto tokens = static_cast<std::size_t>(samples.before.shape[axes.sequence]);
  const auto dims = static_cast<std::size_t>(samples.before.shape[axes.dims]);
  return {first_indices(tokens), first_indices(samples.before.values.size() / tokens / dims)};
}

VectorRows::VectorRows(const RotationSamples& samples, const RotationAxes& axes, VectorPart part, const Noise& noise)
    : samples_(&samples),
      axes_(axes),
      part_(std::move(part)),
      noise_(noise),
      of_(samples.before.shape),
      dims_(of_.extent(axes.dims)) {
  if (!samples.after.quantized) return;
  for (std::size_t at = 0; at < samples.after.values.size(); ++at)
    largest_ = std::max(largest_, std::fabs(samples.after.values[at]));
}

void VectorRows::read(std::size_t token, std::size_t head, std::vector<double>& before, std::vector<double>& after,
                      std::vector<double>& slack) const {
  const std::size_t start = of_.start_of(part_.heads[head], {axes_.sequence, axes_.dims}, of_.rank()) +
                            part_.tokens[token] * of_.stride(axes_.sequence);
  before.clear(), after.clear();
  samples_->before.values.append_to(before, start, dims_, of_.stride(axes_.dims));
  samples_->after.values.append_to(after, start, dims_, of_.stride(axes_.dims));
  // A sum of two products with a cosine and a sine, and a factor that is no more than this.
  constexpr double most_factor = 2;
  double largest = 0;
  if (noise_.before != 0)
    for (const double value : before) largest = std::max(largest, std::fabs(value));
  slack.assign(dims_, most_factor * noise_.before * largest);
  if (samples_->after.quantized) add_quantization(*samples_->after.quantized, largest_, after, slack);
}

ChangedDims changed_dims(const VectorRows& rows) {
  ChangedDims made;
  std::vector<double> before, after, slack;
  for (const std::size_t token : spread_indices(rows.part().tokens.size(), 4 * compared_tokens))
    for (const std::size_t head : spread_indices(rows.part().heads.size(), 4 * compared_heads)) {
      rows.read(token, head, before, after, slack);
      for (std::size_t dim = 0; dim < rows.dims(); ++dim) {
        made.has_zeros = made.has_zeros || before[dim] == 0;
        const double size = std::max(std::fabs(before[dim]), std::fabs(after[dim]));
        if (std::fabs(after[dim] - before[dim]) <= rows.noise().of(size, size, false) + slack[dim]) continue;
        made.first = made.any ? std::min(made.first, dim) : dim;
        made.last = std::max(made.last, dim);
        made.any = true;
      }
    }
  return made;
}

void VectorView::read(std::size_t token, std::size_t vectors, TokenPairs& to) const {
  std::vector<double> before, after, slack;
  std::size_t at = 0;
  for (std::size_t head = 0; head < vectors; ++head) {
    rows_->read(token, head, before, after, slack);
    for (std::size_t pair = 0; pair < pairs(); ++pair, ++at) {
      const std::size_t x = dim_of(pairing_.reads, pairing_, pair, 0), y = dim_of(pairing_.reads, pairing_, pair, 1);
      const std::size_t u = dim_of(pairing_.writes, pairing_, pair, 0), v = dim_of(pairing_.writes, pairing_, pair, 1);
      to.x[at] = before[x], to.y[at] = before[y], to.u[at] = after[u], to.v[at] = after[v];
      to.slack_u[at] = slack[u], to.slack_v[at] = slack[v];
    }
  }
}

bool VectorView::may_be_pairs() const {
  std::vector<double> before, after, slack;
  for (const std::size_t token : spread_indices(tokens(), compared_tokens)) {
    double low = 0, high = std::numeric_limits<double>::infinity();
    for (const std::size_t head : spread_indices(vectors(), compared_heads)) {
      rows_->read(token, head, before, after, slack);
      for (std::size_t pair = 0; pair < pairs(); ++pair) {
        const auto length = [&](const std::vector<double>& of, Layout layout) {
          return std::hypot(of[dim_of(layout, pairing_, pair, 0)], of[dim_of(layout, pairing_, pair, 1)]);
        };
        const double was = length(before, pairing_.reads), is = length(after, pairing_.writes);
        const double error = noise().of(1.5 * is, is, true) + loose_length * is + length(slack, pairing_.writes);
        if (was == 0 && is > error) return false;
        if (was == 0) continue;
        low = std::max(low, (is - error) / was), high = std::min(high, (is + error) / was);
        if (low > high) return false;
      }
    }
  }
  return true;
}

bool VectorView::leaves_rest(Marks* marks) const {
  if (pairing_.count == rows_->dims()) return true;
  bool is_left = true;
  std::vector<double> before, after, slack;
  for (std::size_t token = 0; token < tokens(); ++token)
    for (std::size_t head = 0; head < vectors(); ++head) {
      rows_->read(token, head, before, after, slack);
      for (std::size_t dim = 0; dim < rows_->dims(); ++dim) {
        if (dim >= pairing_.first && dim < pairing_.first + pairing_.count) continue;
        if (is_copy(before[dim], after[dim], noise(), slack[dim])) continue;
        if (marks == nullptr) return false;
        marks->tokens[token] = marks->vectors[head] = true;
        is_left = false;
      }
    }
  return is_left;
}

std::optional<LeftOut> left_out(const VectorRows& rows, std::span<const double> positions) {
  /// How many vectors of a token or a head were not zeros, and of these are zeros now; and how many should have moved,
  /// and of these are as they were.
  struct Counts {
    std::size_t seen = 0, zeros = 0, moved = 0, still = 0;
  };
  const std::size_t tokens = rows.part().tokens.size(), heads = rows.part().heads.size();
  std::vector<Counts> of_tokens(tokens), of_heads(heads);
  std::vector<double> before, after, slack;
  for (std::size_t token = 0; token < tokens; ++token) {
    bool is_moved = false;
    for (std::size_t at = token; at < positions.size(); at += tokens) is_moved = is_moved || positions[at] != 0;
    for (std::size_t head = 0; head < heads; ++head) {
      rows.read(token, head, before, after, slack);
      bool was_zero = true, is_gone = true, is_still = true;
      for (std::size_t dim = 0; dim < rows.dims(); ++dim) {
        was_zero = was_zero && before[dim] == 0;
        is_gone = is_gone && after[dim] == 0;
        is_still = is_still && is_copy(before[dim], after[dim], rows.noise(), slack[dim]);
      }
      if (was_zero) continue;
      for (Counts* const counts : {&of_tokens[token], &of_heads[head]}) {
        ++counts->seen;
        counts->zeros += is_gone ? 1 : 0;
        counts->moved += is_moved ? 1 : 0;
        counts->still += is_moved && is_still ? 1 : 0;
      }
    }
  }
  const auto rest_of = [](const std::vector<Counts>& counts, const std::vector<std::size_t>& own,
                          std::size_t Counts::* of, std::size_t Counts::* left) {
    std::vector<std::size_t> rest;
    bool shows_any = false;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].*of > 0 && counts[i].*left == counts[i].*of) continue;
      rest.push_back(own[i]);
      shows_any = shows_any || counts[i].*of > 0;
    }
    return rest.size() < counts.size() && shows_any ? rest : std::vector<std::size_t>{};
  };
  const VectorPart& part = rows.part();
  if (auto rest = rest_of(of_tokens, part.tokens, &Counts::seen, &Counts::zeros); !rest.empty())
    return LeftOut{.mistake = Mistake::zero_rows, .rest = {std::move(rest), part.heads}};
  if (auto rest = rest_of(of_heads, part.heads, &Counts::seen, &Counts::zeros); !rest.empty())
    return LeftOut{.mistake = Mistake::zero_heads, .rest = {part.tokens, std::move(rest)}};
  if (auto rest = rest_of(of_heads, part.heads, &Counts::moved, &Counts::still); !rest.empty())
    return LeftOut{.mistake = Mistake::heads_not_rotated, .rest = {part.tokens, std::move(rest)}};
  return std::nullopt;
}

}  // namespace posenc::diagnosis
