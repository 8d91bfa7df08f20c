#include "posenc/attention/linear_attention.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

/// elu(x) + 1
double feature(float x) { return x > 0 ? static_cast<double>(x) + 1 : exponential(static_cast<double>(x)); }

Expected<void> check_inputs(const LinearAttentionOptions& options, const Rotary& rotary, std::size_t query,
                            std::size_t key, std::size_t value, std::size_t output) {
  const AttentionShape& shape = options.shape;
  if (shape.dim != rotary.dim())
    return wrong("dim", static_cast<double>(shape.dim), {"that of the rotary, ", decimal(rotary.dim())});
  for (auto&& checked :
       {check_extents("query", query, {shape.heads, shape.queries, shape.dim}),
        check_extents("key", key, {shape.heads, shape.keys, shape.dim}),
        check_extents("value", value, {shape.heads, shape.keys, shape.value_dim}),
        check_extents("output", output, {shape.heads, shape.queries, shape.value_dim}),
        check_whole("queryOffset", options.query_offset, -(std::int64_t{1} << 53), std::int64_t{1} << 53)})
    if (!checked) return checked;
  return {};
}

Expected<void> check_positions(std::string_view argument, const Positions& positions, std::size_t count,
                               const Rotary& rotary) {
  if (auto checked = check_size(argument, positions.count(), count); !checked) return checked;
  auto checked = positions.check(rotary.frequencies().largest());
  if (!checked) checked.error().argument = argument;
  return checked;
}

/// The features of one token, as they are and rotated. Layouts that read the same pairs differ in where they write
/// them, which changes no sum over all lanes.
class Features {
 public:
  static Expected<Features> make(const Rotary& rotary) {
    auto angles = RotaryAngles::make(rotary.frequencies(), rotary.angle_source());
    if (!angles) return std::unexpected(angles.error());
    auto lanes = AlignedArray<double>::make(2 * rotary.dim());
    if (!lanes) return std::unexpected(lanes.error());
    return Features(rotary, std::move(*angles), std::move(*lanes));
  }

  void set(const float* x, double position) {
    const std::size_t dim = rotary_->dim();
    double* const plain = lanes_.data();
    for (std::size_t lane = 0; lane < dim; ++lane) plain[lane] = feature(x[lane]);
    std::copy_n(plain, dim, plain + dim);
    angles_.set(position);
    if (rotary_->layout() == Layout::half)
      rotate(HalfPairs{rotary_->rotary_dim() / 2});
    else
      rotate(InterleavedPairs{rotary_->rotary_dim() / 2});
  }

  [[nodiscard]] const double* plain() const { return lanes_.data(); }
  [[nodiscard]] const double* rotated() const { return lanes_.data() + rotary_->dim(); }

 private:
  Features(const Rotary& rotary, RotaryAngles angles, AlignedArray<double> lanes)
      : rotary_(&rotary), angles_(std::move(angles)), lanes_(std::move(lanes)) {}

  template <class Pairs>
  void rotate(Pairs at) {
    double* const lanes = lanes_.data() + rotary_->dim();
    const double factor = rotary_->attention_factor();
    for (std::size_t i = 0; i < at.pairs; ++i) {
      const double a = lanes[at.first(i)];
      const double b = lanes[at.second(i)];
      const double cosine = angles_.cosines()[i] * factor;
      const double sine = angles_.sines()[i] * factor;
      lanes[at.first(i)] = a * cosine - b * sine;
      lanes[at.second(i)] = a * sine + b * cosine;
    }
  }

  const Rotary* rotary_;
  RotaryAngles angles_;
  AlignedArray<double> lanes_;
};

/// What is kept of the keys seen so far: the sum of their features and, for each lane, of their values.
struct State {
  std::span<double> features;  ///< [dim]
  std::span<double> values;    ///< [dim, value_dim]

  void add(const Features& key, const float* value) {
    const std::size_t width = values.size() / features.size();
    for (std::size_t lane = 0; lane < features.size(); ++lane) {
      features[lane] += key.plain()[lane];
      for (std::size_t v = 0; v < width; ++v)
        values[lane * width + v] += key.rotated()[lane] * static_cast<double>(value[v]);
    }
  }

  void read(const Features& query, std::span<float> out) const {
    double denominator = 0;
    for (std::size_t lane = 0; lane < features.size(); ++lane) denominator += query.plain()[lane] * features[lane];
    for (std::size_t v = 0; v < out.size(); ++v) {
      double sum = 0;
      for (std::size_t lane = 0; lane < features.size(); ++lane)
        sum += query.rotated()[lane] * values[lane * out.size() + v];
      out[v] = denominator == 0 ? 0.0f : static_cast<float>(sum / denominator);
    }
  }
};

/// How many keys query i sees.
std::size_t seen(const LinearAttentionOptions& options, std::size_t i) {
  const std::size_t keys = options.shape.keys;
  if (!options.causal) return keys;
  const double last = static_cast<double>(i) + static_cast<double>(options.query_offset) + 1;
  return last <= 0 ? 0 : last >= static_cast<double>(keys) ? keys : static_cast<std::size_t>(last);
}

}  // namespace

Expected<void> linear_attention(const LinearAttentionOptions& options, const Rotary& rotary,
                                const Positions& query_positions, const Positions& key_positions,
                                std::span<const float> query, std::span<const float> key, std::span<const float> value,
                                std::span<float> output) {
  const auto& [queries, keys, dim, value_dim, heads] = options.shape;
  if (auto checked = check_inputs(options, rotary, query.size(), key.size(), value.size(), output.size()); !checked)
    return checked;
  if (auto checked = check_positions("queryPositions", query_positions, queries, rotary); !checked) return checked;
  if (auto checked = check_positions("keyPositions", key_positions, keys, rotary); !checked) return checked;
  if (value_dim > static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(double) / (dim + 1))
    return std::unexpected(out_of_memory(value_dim));
  auto features = Features::make(rotary);
  if (!features) return std::unexpected(features.error());
  auto sums = AlignedArray<double>::make(dim + dim * value_dim);
  if (!sums) return std::unexpected(sums.error());
  State state{sums->span().first(dim), sums->span().subspan(dim)};

  for (std::size_t head = 0; head < heads; ++head) {
    std::ranges::fill(sums->span(), 0.0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < queries; ++i) {
      for (; next < seen(options, i); ++next) {
        const std::size_t row = head * keys + next;
        features->set(key.data() + row * dim, key_positions[next]);
        state.add(*features, value.data() + row * value_dim);
      }
      const std::size_t row = head * queries + i;
      features->set(query.data() + row * dim, query_positions[i]);
      state.read(*features, output.subspan(row * value_dim, value_dim));
    }
  }
  return {};
}

}  // namespace posenc
